/*
 * How fast is this machine just now? A fixed program that costs what the model costs: dependent loads from a data set
 * of the size of the model's, unpredictable branches and integer arithmetic, about a third of the time each. It never
 * changes with the model, so that numbers taken on two machines, or in two hours on one, can be compared.
 * One line of `name value` pairs for tests/bench/run.sh.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { NODES = 1 << 15, STEPS = 4000000 };

struct node {
    uint32_t next, value[15]; /* a host cache line */
};

static uint32_t random32(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 32);
}

/* One cycle through all nodes (Sattolo's algorithm). */
static struct node *ring(uint64_t *seed)
{
    struct node *n = aligned_alloc(64, NODES * sizeof *n);

    if (!n)
        exit(2);
    for (uint32_t i = 0; i < NODES; i++) {
        n[i].next = i;
        for (uint32_t k = 0; k < 15; k++)
            n[i].value[k] = random32(seed);
    }
    for (uint32_t i = NODES - 1; i; i--) {
        uint32_t j = random32(seed) % i, next = n[i].next;

        n[i].next = n[j].next;
        n[j].next = next;
    }
    return n;
}

/* An event of the model: a cold line, an unpredictable branch, some forty instructions. */
static uint32_t step(struct node *n, uint32_t sum)
{
    uint32_t bits = n->value[sum & 7];

    if (bits & 1u << (sum & 31))
        n->value[sum >> 28 & 7] += sum;
    else
        n->value[8 + (sum & 3)] ^= bits;
    for (uint32_t i = 0; i < 8; i++)
        sum = (sum ^ bits >> i) * 0x9e3779b1u;
    return sum;
}

int main(void)
{
    uint64_t seed = 88172645463325252ull;
    struct node *n = ring(&seed);
    struct timespec from, to;
    uint32_t at = 0, sum = 1;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    for (uint32_t i = 0; i < STEPS; i++) {
        sum = step(&n[at], sum);
        at = n[at].next;
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    double s = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);

    printf("seconds %f steps_per_s %.0f sum %u\n", s, STEPS / s, sum);
    free(n);
    return 0;
}
