/* Words and numbers of a text file, line by line, with what is wrong where. */
#ifndef MEMHELM_WORKLOAD_INPUT_SCAN_H
#define MEMHELM_WORKLOAD_INPUT_SCAN_H

#include "workload/input/input.h"
#include "workload/stream.h"

enum { MH_SCAN_WORD = 64 };

struct mh_scan {
    struct mh_stream in;
    struct mh_input *to;
    size_t room; /* of to->entries */
    struct mh_error *err;
    const char *format; /* that messages name; NULL: none */
    uint64_t ends;      /* of lines that come before `held` */
    int held;
    bool holds;
    int next;      /* byte that comes next; -1: none */
    uint64_t line; /* it is in */
    char word[MH_SCAN_WORD];
};

/**
 * The formats. Each reads from the first byte, Matrix Market's from behind its %%MatrixMarket, to the end into s->to.
 * False: the error is written.
 */
bool mh_input_market(struct mh_scan *s);
bool mh_input_edges(struct mh_scan *s);
bool mh_input_metis(struct mh_scan *s);
bool mh_input_dimacs(struct mh_scan *s);
bool mh_input_rodinia(struct mh_scan *s);

/** What the first comment of a KONECT list says, such as "% sym unweighted". */
struct mh_konect {
    bool there, symmetric, bipartite, dynamic;
};

/** Of a comment whose first word is `shape`; reads another one. */
struct mh_konect mh_input_konect(struct mh_scan *s, const char *shape);

/** Moves on by a byte. */
void mh_scan_step(struct mh_scan *s);

/** Skips blanks, but no end of a line; true: there is a word before that. */
bool mh_scan_more(struct mh_scan *s);

/** Moves to the start of the next line, whatever is left of this one; false: there is none. */
bool mh_scan_line(struct mh_scan *s);

/** Skips lines that are blank or begin with one of `marks`; true: there is another, and this is its first word. */
bool mh_scan_content(struct mh_scan *s, const char *marks);

/** Gets the next word of the line, "" if there is none, cut to what fits. */
const char *mh_scan_word(struct mh_scan *s);

/** Gets a whole number, low .. high, of the line; `what` it is. False: the error is written. */
bool mh_scan_number(struct mh_scan *s, const char *what, uint64_t low, uint64_t high, uint64_t *value);

/** Gets a number, or nothing, that is checked and dropped; `what` it is. False: the error is written. */
bool mh_scan_real(struct mh_scan *s, const char *what);

/** Gets a word and returns which of `words` it is, in small or large letters; `count`: none, the error is written. */
size_t mh_scan_one_of(struct mh_scan *s, const char *what, const char *const words[], size_t count);

/** The line has to end here. False: the error is written. */
bool mh_scan_end(struct mh_scan *s);

/** Adds an entry. False: there are too many, or memory is short; the error is written. */
bool mh_scan_add(struct mh_scan *s, uint64_t from, uint64_t to);

/** Writes file and line before the message; false. Or why the file cannot be read on. */
bool mh_scan_fail(struct mh_scan *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
