/* Doubles as near as rounding lets them be. cmocka.h comes first. */
#ifndef TESTS_NEAR_H
#define TESTS_NEAR_H

#include <math.h>

#define NEAR(a, b) assert_true(fabs((a) - (double)(b)) < 1e-12 * (fabs((double)(b)) + 1))

#endif
