/*
 * Functions of the C library in arithmetic of our own: results are the same on every host. A float is computed in
 * double and rounded once; GPUs' own expf and logf may differ from it by 2 units in the last place (CUDA C++
 * programming guide).
 */
#ifndef MEMHELM_WORKLOAD_VALUES_EXACT_H
#define MEMHELM_WORKLOAD_VALUES_EXACT_H

/** e^x for |x| <= 700, within some units in the last place of a double. */
double mh_exact_exp(double x);

/** Natural logarithm of a positive, finite, normal x; likewise. */
double mh_exact_log(double x);

/** Square root of a positive normal float or 0, correctly rounded. */
float mh_exact_sqrtf(float x);

#endif
