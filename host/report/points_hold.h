/* One writer of a file of points at a time. */
#ifndef HOST_REPORT_POINTS_HOLD_H
#define HOST_REPORT_POINTS_HOLD_H

#include <stdbool.h>

enum { POINTS_HOLDER = 320 };

/**
 * Takes the file for this process until `*fd` is closed or the process is gone, however it went. False: another one has
 * it. Where files cannot be locked `*fd` is -1, and nobody has it. The file has to be there. Closing `*fd` ends locks
 * that SQLite has on the file: close the database first.
 */
bool points_hold(const char *path, int *fd);

/** This process in words, "process 4711 on host", to be told to whoever finds the file taken. */
void points_holder(char text[POINTS_HOLDER]);

#endif
