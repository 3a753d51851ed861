/* What the experiment comes to: gains, what each point loses of them, and how slow the mcu may be. */
#ifndef HOST_LATENCY_LOSSES_H
#define HOST_LATENCY_LOSSES_H

#include "knee.h"
#include "latency.h"

/** A workload of an image. Each value is of one seed, against runs with the same seed. */
struct latency_losses {
    struct interval gain[POINTS]; /**< over no policy; the first: in no time */
    struct interval loss[POINTS]; /**< gain in no time less that of the point */
    enum gain_verdict verdict;    /**< of the gain in no time */
    enum keep keep[POINTS];       /**< of firmware's points, where the verdict is GAIN_REAL */
    struct knee clock, bus;       /**< the same */
};

void latency_losses(const struct latency *l, const struct latency_image *image, unsigned workload,
                    struct latency_losses *losses);

/** Part of the gain in no time that a point keeps: 1 = all, below 0 = it loses more than there was. */
double latency_kept(const struct latency_losses *losses, unsigned point);

/** An image as a whole. */
struct latency_summary {
    struct latency_losses workloads[SET_WORKLOADS];
    enum gain_verdict verdict; /**< real: of one workload; else loss: of one; unknown, one seed: of any */
    /* Of a real verdict: */
    unsigned worst; /**< the workload with the fastest knee; of several, that with the least kept at POINTS_HZ */
    struct knee clock, bus; /**< the worst of all workloads with something to gain */
    bool lost;              /**< a gain is lost at POINTS_HZ */
};

void latency_summarise(const struct latency *l, const struct latency_image *image, struct latency_summary *s);

#endif
