/* The commands of memhelm. argv[0] is "memhelm COMMAND", for messages. Each returns the exit code of the program. */
#ifndef HOST_CMD_COMMANDS_H
#define HOST_CMD_COMMANDS_H

/** Exit codes; 128 + signal when interrupted. */
enum {
    EXIT_PASSED = 0,
    EXIT_NOT_PASSED =
        1, /**< a simulation failed, faulted, hung, deadlocked or was lost; results are written where they exist */
    EXIT_BAD_INPUT = 2, /**< nothing was simulated, or a file could not be written */
};

struct mh_error;

/** Says it on standard error, escaped (escape.h), and returns EXIT_BAD_INPUT. */
int bad_input(const struct mh_error *err);

int cmd_run(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_init(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_dram(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_classes(int argc, char **argv);
int cmd_reproduce(int argc, char **argv);
int cmd_budget(int argc, char **argv);
int cmd_latency(int argc, char **argv);
int cmd_search(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_assumptions(int argc, char **argv);
int cmd_table(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_plot(int argc, char **argv);

#endif
