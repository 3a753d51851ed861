/* Why values are missing: each reason once, with how many have it. */
#ifndef HOST_PIVOT_REASONS_H
#define HOST_PIVOT_REASONS_H

enum { REASONS_MOST = 12 /**< of more, only how many */ };

struct reasons {
    struct {
        char *text;
        unsigned count;
    } of[REASONS_MOST];
    unsigned count;
    unsigned others; /**< values whose reason had no room */
};

/** `values` more are missing for the reason `text`. */
void reasons_add(struct reasons *r, const char *text, unsigned values);

void reasons_free(struct reasons *r);

#endif
