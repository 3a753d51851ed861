/*
 * Results of several commands as one page of HTML: DIR/index.html, which needs no network and no other file.
 * Data, scripts and pictures of the figures are in DIR/figures, so that they can be drawn again.
 */
#ifndef HOST_PAGE_PAGE_H
#define HOST_PAGE_PAGE_H

#include "memhelm/error.h"

enum { PAGE_FILES = 256 };

struct page_request {
    const char *files[PAGE_FILES]; /**< JSON, epoch logs, files of points, in the order of the page */
    unsigned count;                /**< at least 1 */
    const char *dir, *title;       /**< title NULL: "memhelm: " and the first file's name */
};

/**
 * Writes the page. A file that holds none of these is an error, and nothing is written. The same files give the same
 * bytes. -1 and `err`.
 */
int page_write(const struct page_request *q, struct mh_error *err);

#endif
