/*
 * What the C++ shim tells the recorder: Oclgrind's events, with LLVM's values as the C interface of LLVM has them. One
 * thread calls; Oclgrind keeps to one when a plugin asks for it.
 */
#ifndef HOST_RECORD_PLUGIN_PLUGIN_H
#define HOST_RECORD_PLUGIN_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Is a CTA that is wanted being run? Else nothing is to be told of work items. */
extern bool plugin_recording;

/** An OpenCL context has begun. */
void plugin_context(uint64_t context);
void plugin_buffer(uint64_t context, uint64_t address, uint64_t bytes);
void plugin_freed(uint64_t context, uint64_t address);

struct plugin_launch {
    uint64_t context;
    const char *name;
    LLVMValueRef function;
    size_t grid[3], block[3]; /**< work-groups; work items of one */
};

void plugin_launch_start(const struct plugin_launch *l);
void plugin_launch_end(void);

/** Work-group `group`, x fastest. */
void plugin_group(size_t group);
void plugin_group_end(void);

/** The instruction that is being executed accesses the device's memory (kind: enum record_kind). */
void plugin_access(uint8_t kind, size_t address, size_t bytes);

/** Bytes of an asynchronous copy, which no work item makes. */
void plugin_copied(size_t bytes);

/** Work item `item` (x fastest) has executed an instruction. */
void plugin_executed(size_t item, LLVMValueRef instruction);

#ifdef __cplusplus
}
#endif

#endif
