/* What memhelm needs, what of it is here, and what to do about the rest: `memhelm doctor`. */
#ifndef HOST_DOCTOR_DOCTOR_H
#define HOST_DOCTOR_DOCTOR_H

#include <stddef.h>
#include <stdio.h>

#include "base/file.h"

enum finding_state {
    FINDING_OK,
    FINDING_WANTED, /**< some commands or figures are not to be had without it; the rest is */
    FINDING_NEEDED, /**< nothing runs, or nothing is kept */
};

/** One line of the report. */
struct finding {
    enum finding_state state;
    char what[24];         /**< what was looked at */
    char found[HOST_PATH]; /**< where it is and which version; of a problem, what it is */
    char remedy[256];      /**< "" of what is well */
};

enum { DOCTOR_FINDINGS = 64 };

struct doctor {
    struct finding list[DOCTOR_FINDINGS];
    unsigned count;
};

/** Adds a finding that is well. */
void doctor_well(struct doctor *d, const char *what, const char *format, ...) __attribute__((format(printf, 3, 4)));

/** Adds a problem and its remedy. */
void doctor_problem(struct doctor *d, enum finding_state state, const char *what, const char *remedy,
                    const char *format, ...) __attribute__((format(printf, 5, 6)));

/** QEMU, its plugin, images and twins; and whether a short run of each kind passes. */
void doctor_machine(struct doctor *d);

/** Programs that build and draw, by what they say of themselves; versions of the libraries that this program uses. */
void doctor_tools(struct doctor *d);

/** The cache, the store of finished runs (`results` NULL: the user's own) and room on their disks. Writes nothing. */
void doctor_places(struct doctor *d, const char *results);

/** Prints all of it, a line each. Returns how many problems are in the way of a run. */
unsigned doctor_report(const struct doctor *d, FILE *out);

/* --- Other programs, asked one short question. */

enum { PROGRAM_SECONDS = 60 /**< after which a program that says nothing is ended */ };

/**
 * Runs `arguments` (argv[0] is looked up in PATH unless it has a '/'), both of its outputs together; the first line
 * that is not empty goes into `line`, escaped. Returns its exit code, 128 + signal, or -1 when it cannot be started.
 */
int program_ask(const char *const *arguments, char *line, size_t size);

#endif
