/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which copy of the solver runs. Where the build is for any processor, what solves is compiled twice, as
 * NAME_plain and as NAME_hot, which needs x86-64-v3 (Makefile: HOT_SRC, HOT_INTO). Elsewhere there is one
 * copy, and nothing here.
 */
#ifdef EL_HOT
#include "endlab/solve.h"

/* What GCC's -march=x86-64-v3 may use, as far as the solver does; the rest came with it. */
static bool is_hot(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
	       __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
	       __builtin_cpu_supports("popcnt");
}

#define CHOOSE(name, first, second, third)              \
	enum el_status name##_plain(first, second, third); \
	enum el_status name##_hot(first, second, third);   \
	enum el_status name(first a, second b, third c)    \
	{                                                  \
		return (is_hot() ? name##_hot : name##_plain)(a, b, c); \
	}
#define CHOOSE_DIVIDE(game) \
	CHOOSE(game##_divide, const struct el_problem *, struct el_division **, struct el_error *)

CHOOSE(el_solve, const struct el_problem *, struct el_planes *, struct el_error *)
CHOOSE_DIVIDE(chess)
CHOOSE_DIVIDE(checkers)
CHOOSE_DIVIDE(morris)
CHOOSE_DIVIDE(awari)
#endif
