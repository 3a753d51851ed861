/*
 * Tests of everything but the register window: machine block, timer, memories, and how a run ends.
 */
#ifndef MEMHELM_QTEST_MACHINE_BLOCK_H
#define MEMHELM_QTEST_MACHINE_BLOCK_H

void machine_block_survives_everything(void **state);
void watchdog_is_set(void **state);
void mtime_counts_core_cycles(void **state);
void tightly_coupled_memories_hold_words(void **state);
void exit_0_passes(void **state);
void watchdog_needs_no_commit(void **state);
void exit_0_before_the_end_fails(void **state);
void a_decision_within_its_time_passes(void **state);
void a_decision_longer_than_its_time_fails(void **state);
void a_decision_without_a_begin_fails(void **state);
void exit_7_fails(void **state);
void fault_ends_the_run(void **state);
void watchdog_ends_the_run(void **state);
void a_terminated_run_leaves_no_result(void **state);

#endif
