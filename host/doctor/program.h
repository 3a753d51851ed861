/* Other programs, asked one short question. */
#ifndef HOST_DOCTOR_PROGRAM_H
#define HOST_DOCTOR_PROGRAM_H

#include <stddef.h>

enum { PROGRAM_SECONDS = 60 /**< after which a program that says nothing is ended */ };

/**
 * Runs `arguments` (argv[0] is looked up in PATH unless it has a '/'), both of its outputs together; the first line
 * that is not empty goes into `line`, escaped. Returns its exit code, 128 + signal, or -1 when it cannot be started.
 */
int program_ask(const char *const *arguments, char *line, size_t size);

#endif
