#include "metrics.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { TERMS = 64 };

/* Reverse Polish: operands push, operators take two. */
struct term {
    char op; /* 'n' number, 'v' name, + - * / '<' (min) '>' (max) */
    int tenant;
    double number;
    char name[EXPR_NAME];
};

struct expr {
    unsigned count;
    struct term term[TERMS];
};

struct parser {
    struct expr *e;
    const char *text, *p;
    unsigned depth;
    bool failed;
    struct mh_error *err;
};

static void fail(struct parser *q, const char *expected)
{
    if (!q->failed)
        (void)mh_fail(q->err, "metric '%.200s', column %u: %s", q->text, (unsigned)(q->p - q->text) + 1, expected);
    q->failed = true;
}

static char peek(struct parser *q)
{
    q->p += strspn(q->p, " ");
    return *q->p;
}

static struct term *push(struct parser *q, char op)
{
    static struct term spare;
    if (q->e->count == TERMS) {
        fail(q, "too long");
        return &spare;
    }
    struct term *t = &q->e->term[q->e->count++];
    t->op = op;
    t->tenant = EXPR_ALL;
    return t;
}

static void expect(struct parser *q, char c, const char *expected)
{
    if (peek(q) == c)
        q->p++;
    else
        fail(q, expected);
}

static void parse_sum(struct parser *q);

static void parse_two(struct parser *q, char op)
{
    parse_sum(q);
    expect(q, ',', "expected , between two values");
    parse_sum(q);
    expect(q, ')', "expected )");
    push(q, op);
}

static void parse_index(struct parser *q, struct term *t)
{
    char *end;
    q->p++;
    long n = strtol(q->p, &end, 10);
    if (end == q->p || n < 0 || n > 7)
        fail(q, "expected the number of a tenant, 0..7");
    t->tenant = (int)n;
    q->p = end;
    expect(q, ']', "expected ]");
}

static void parse_name(struct parser *q)
{
    size_t n = 0;
    while (isalnum((unsigned char)q->p[n]) || q->p[n] == '_' || q->p[n] == '.')
        n++;
    const char *name = q->p;
    q->p += n;
    if ((n == 3) && (!strncmp(name, "min", n) || !strncmp(name, "max", n)) && peek(q) == '(') {
        q->p++;
        parse_two(q, name[1] == 'i' ? '<' : '>');
        return;
    }
    if (n >= EXPR_NAME) {
        fail(q, "no name is that long");
        return;
    }
    struct term *t = push(q, 'v');
    memcpy(t->name, name, n);
    if (peek(q) == '[')
        parse_index(q, t);
}

static void parse_value(struct parser *q)
{
    char c = peek(q), *end;
    if (q->failed)
        return;
    if (c == '(') {
        q->p++;
        parse_sum(q);
        expect(q, ')', "expected )");
    } else if (isdigit((unsigned char)c)) {
        push(q, 'n')->number = strtod(q->p, &end);
        q->p = end;
    } else if (isalpha((unsigned char)c)) {
        parse_name(q);
    } else {
        fail(q, "expected a name, a number or (");
    }
}

static void parse_product(struct parser *q)
{
    parse_value(q);
    while (!q->failed && (peek(q) == '*' || *q->p == '/')) {
        char op = *q->p++;
        parse_value(q);
        push(q, op);
    }
}

static void parse_sum(struct parser *q)
{
    if (++q->depth > TERMS)
        fail(q, "too many levels");
    if (!q->failed)
        parse_product(q);
    while (!q->failed && (peek(q) == '+' || *q->p == '-')) {
        char op = *q->p++;
        parse_product(q);
        push(q, op);
    }
    q->depth--;
}

struct expr *expr_parse(const char *text, struct mh_error *err)
{
    struct parser q = {.e = must_have(1, sizeof *q.e), .text = text, .p = text, .err = err};
    parse_sum(&q);
    if (!q.failed && peek(&q))
        fail(&q, "expected an operator");
    if (!q.failed)
        return q.e;
    free(q.e);
    return NULL;
}

void expr_free(struct expr *e)
{
    free(e);
}

static double combine(char op, double a, double b)
{
    switch (op) {
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    case '/':
        return b != 0 ? a / b : (double)NAN;
    default:
        return isnan(a) || isnan(b) ? (double)NAN : op == '<' ? fmin(a, b) : fmax(a, b);
    }
}

double expr_value(const struct expr *e, expr_lookup *lookup, void *ctx)
{
    double stack[TERMS] = {0};
    unsigned depth = 0;
    for (unsigned i = 0; i < e->count; i++) {
        const struct term *t = &e->term[i];
        if (t->op == 'n' || t->op == 'v') {
            stack[depth++] = t->op == 'n' ? t->number : lookup(ctx, t->name, t->tenant);
        } else {
            depth--;
            stack[depth - 1] = combine(t->op, stack[depth - 1], stack[depth]);
        }
    }
    return stack[0];
}

void expr_names(const struct expr *e, void (*name)(void *ctx, const char *name, int tenant), void *ctx)
{
    for (unsigned i = 0; i < e->count; i++)
        if (e->term[i].op == 'v')
            name(ctx, e->term[i].name, e->term[i].tenant);
}
