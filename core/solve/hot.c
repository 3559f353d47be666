/* SPDX-License-Identifier: MIT */
/*
 * Selects the copy of the solver and of the indexes that runs. A build for any processor compiles
 * them twice, as NAME_plain and as NAME_hot, which needs x86-64-v3 (Makefile: HOT_SRC, HOT_INTO);
 * the loader asks here which of them NAME is. Other builds have one copy, and this file is empty.
 */
#ifdef EL_HOT
#include "core/solve/solve.h"

static inline bool is_hot(void)
{
	__builtin_cpu_init();
	return __builtin_cpu_supports("x86-64-v3");
}

#define CHOOSE(type, name, ...)                              \
	type name##_plain(__VA_ARGS__);                      \
	type name##_hot(__VA_ARGS__);                        \
	static type (*choose_##name(void))(__VA_ARGS__)      \
	{                                                    \
		return is_hot() ? name##_hot : name##_plain; \
	}                                                    \
	type name(__VA_ARGS__) __attribute__((ifunc("choose_" #name)));

#define HOT_GAME(game)                                                                          \
	CHOOSE(enum el_status, game##_divide, const struct el_problem *, struct el_division **, \
	       struct el_error *)                                                               \
	CHOOSE(bool, game##_place, const struct el_position *, struct el_place *)               \
	CHOOSE(bool, game##_unplace, const struct el_slice *, unsigned, uint64_t,               \
	       struct el_position *)

#define HOT_LEGAL(game) \
	CHOOSE(bool, game##_legal, const struct el_position *, const struct el_place *)

CHOOSE(enum el_status, el_solve, const struct el_problem *, struct el_planes *, struct el_error *)
/* HOT_GAME and HOT_LEGAL of the games whose folders have a sets.c and a legal.c (Makefile). */
HOT_GAMES
#endif
