/* The options of commands that run a paper's rows: which rows, on what, and what comes out. */
#ifndef HOST_CMD_STUDY_CALL_H
#define HOST_CMD_STUDY_CALL_H

#include "reproduce/reproduce.h"
#include "shared.h"

/** What was given. Pointers are into argv. */
struct study_call {
    struct reproduce_options options;
    struct shared shared;
};

/** For such a command's argp: PAPER, --row, --quick and so on, and those of shared.h that all of them have. */
extern const struct argp_child study_call_children[];

/** Defaults: seed 1, as many jobs as processors. */
void study_call_init(struct study_call *c, enum reproduce_mode mode);

/** In ARGP_KEY_INIT of the command: gives `c` to the children. */
void study_call_begin(struct argp_state *state, struct study_call *c);

#endif
