/* SPDX-License-Identifier: MIT */
/*
 * Logarithm and exponential of nothing but sums, products and quotients, which IEEE 754 fixes to the
 * last bit: the same on every processor. Those of C libraries differ in their last digits, so
 * whatever decides the bytes of a file is computed with these (and with sqrt and frexp, which are
 * exact).
 */
#ifndef CODECS_EXACT_H
#define CODECS_EXACT_H

#include <math.h>

/* Of a normal number above 0; error below 1e-15, relative to the larger of 1 and the result. */
static inline double exact_log2(double x)
{
	int exponent;
	double m = frexp(x, &exponent), sum = 0;
	if (m < 1 / 1.4142135623730951) {
		m *= 2;
		exponent--;
	}
	/* ln m = 2 (z + z^3/3 + z^5/5 + ...); z is at most 0.172 */
	const double z = (m - 1) / (m + 1);
	for (int k = 21; k > 0; k -= 2)
		sum = sum * (z * z) + 1.0 / k;
	return exponent + 2 * 1.4426950408889634 * z * sum;
}

/* e^x for -80 <= x <= 80; error below 3e-7 of the result. */
static inline float exact_exp(float x)
{
	/* 2^n * e^f, where f is at most 0.347; ln 2 in two parts, so that n times the first is exact */
	const long n = lrintf(x * 1.44269504f);
	const float f = x - (float)n * 0.693359375f + (float)n * 2.12194440e-4f;
	float sum = 1;
	for (int k = 7; k > 0; k--)
		sum = 1 + f * (1 / (float)k) * sum;
	return ldexpf(sum, (int)n);
}

#endif
