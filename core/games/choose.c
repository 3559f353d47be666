/* SPDX-License-Identifier: MIT */
#include "choose.h"

/* C(n, k) = C(n, k-1) * (n-k+1) / k, an exact division; a factor is 0 if k > n. */
#define C1(n)  UINT64_C(n)
#define C2(n)  (C1(n) * (C1(n) - 1) / 2)
#define C3(n)  (C2(n) * (C1(n) - 2) / 3)
#define C4(n)  (C3(n) * (C1(n) - 3) / 4)
#define C5(n)  (C4(n) * (C1(n) - 4) / 5)
#define C6(n)  (C5(n) * (C1(n) - 5) / 6)
#define C7(n)  (C6(n) * (C1(n) - 6) / 7)
#define C8(n)  (C7(n) * (C1(n) - 7) / 8)
#define C9(n)  (C8(n) * (C1(n) - 8) / 9)
#define FIT(c) ((c) > UINT32_MAX ? UINT32_MAX : (uint32_t)(c))
#define ROW(n)                                                                             \
	{                                                                                  \
		1, C1(n), C2(n), C3(n), C4(n), C5(n), C6(n), C7(n), FIT(C8(n)), FIT(C9(n)) \
	}

const uint32_t choose[65][CHOOSE_MAX + 1] = {
	ROW(0),  ROW(1),  ROW(2),  ROW(3),  ROW(4),  ROW(5),  ROW(6),  ROW(7),  ROW(8),  ROW(9),
	ROW(10), ROW(11), ROW(12), ROW(13), ROW(14), ROW(15), ROW(16), ROW(17), ROW(18), ROW(19),
	ROW(20), ROW(21), ROW(22), ROW(23), ROW(24), ROW(25), ROW(26), ROW(27), ROW(28), ROW(29),
	ROW(30), ROW(31), ROW(32), ROW(33), ROW(34), ROW(35), ROW(36), ROW(37), ROW(38), ROW(39),
	ROW(40), ROW(41), ROW(42), ROW(43), ROW(44), ROW(45), ROW(46), ROW(47), ROW(48), ROW(49),
	ROW(50), ROW(51), ROW(52), ROW(53), ROW(54), ROW(55), ROW(56), ROW(57), ROW(58), ROW(59),
	ROW(60), ROW(61), ROW(62), ROW(63), ROW(64),
};

uint64_t choose_unrank(uint32_t rank, unsigned count)
{
	uint64_t set = 0;
	for (unsigned k = count; k > 1; k--) {
		/* The greatest n with C(n, k) <= rank; below 64 for a rank of a set of squares. */
		unsigned n = 0;
		for (unsigned step = 32; step; step /= 2)
			if (choose[n + step][k] <= rank)
				n += step;
		rank -= choose[n][k];
		set |= UINT64_C(1) << n;
	}
	return count ? set | UINT64_C(1) << rank : 0;
}
