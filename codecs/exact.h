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
#include <stdint.h>
#include <string.h>

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
	/* 1 + f + f^2/2! + f^3/3! + ..., in pairs that processors compute side by side */
	const float ff = f * f, low = 1 + f + ff * (1 / 2.0f + f * (1 / 6.0f));
	const float high = 1 / 24.0f + f * (1 / 120.0f) + ff * (1 / 720.0f);
	const uint32_t bits = (uint32_t)(n + 127) << 23;
	float power;
	memcpy(&power, &bits, sizeof power);
	return (low + ff * ff * high) * power;
}

#endif
