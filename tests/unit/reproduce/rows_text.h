/* Rows files of a test: text in, study or error text out. cmocka.h comes first. */
#ifndef TESTS_ROWS_TEXT_H
#define TESTS_ROWS_TEXT_H

#include <string.h>

#include "reproduce/study.h"
#include "unit/temp_dir.h"

#define HEAD "title: t\npreset: mask\ncycles: 1000\n"
#define ROW  "- {id: r1, figure: f, what: w, kind: effect, paper: +5 %, metric: ipc, run: x, against: y, workloads: b}\n"

/** Writes `text` to a file and opens it as the rows of a paper. */
static inline int open_text(struct study *s, const char *text, struct mh_error *err)
{
    struct mh_error unused;
    assert_int_equal(write_file(in_base("rows.yaml"), text, strlen(text), &unused), 0);
    return study_open(s, "mask", in_base("rows.yaml"), err);
}

#endif
