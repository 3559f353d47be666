/* SPDX-License-Identifier: MIT */
/*
 * Selects the copy of the solver and of the indexes that runs. A build for any x86-64 compiles them
 * twice, as NAME_plain and as NAME_hot, which needs x86-64-v3 (Makefile: HOT_SRC, HOT_INTO); NAME
 * asks the processor at each call. That is a bit of memory and a predicted branch, as fast as what a
 * loader could choose, and needs nothing of the loader or the C library. Other builds have one copy,
 * and this file is empty. Of two codecs there are two copies, too: codecs/registry.c lists one of each.
 */
#ifdef EL_HOT
#include "core/solve/solve.h"

#define CHOOSE(type, name, parameters, ...)                                             \
	type name##_plain parameters;                                                   \
	type name##_hot parameters;                                                     \
	type name parameters                                                            \
	{                                                                               \
		return __builtin_cpu_supports("x86-64-v3") ? name##_hot(__VA_ARGS__)    \
		                                           : name##_plain(__VA_ARGS__); \
	}

#define HOT_GAME(game)                                                                         \
	CHOOSE(enum el_status, game##_divide,                                                  \
	       (const struct el_problem *problem, struct el_division **out,                    \
	        struct el_error *error),                                                       \
	       problem, out, error)                                                            \
	CHOOSE(bool, game##_place, (const struct el_position *position, struct el_place *out), \
	       position, out)                                                                  \
	CHOOSE(bool, game##_unplace,                                                           \
	       (const struct el_slice *slice, unsigned plane, uint64_t index,                  \
	        struct el_position *out),                                                      \
	       slice, plane, index, out)

#define HOT_LEGAL(game)                                                                      \
	CHOOSE(bool, game##_legal,                                                           \
	       (const struct el_position *position, const struct el_place *place), position, \
	       place)

#define HOT_BEST(game)                                                       \
	CHOOSE(enum el_status, game##_best,                                  \
	       (const struct el_best_problem *problem, struct el_best **out, \
	        struct el_error *error),                                     \
	       problem, out, error)

CHOOSE(enum el_status, el_solve,
       (const struct el_problem *problem, struct el_planes *out, struct el_error *error), problem,
       out, error)
/* HOT_GAME, HOT_LEGAL and HOT_BEST of the games whose folders have a sets.c, a legal.c and a
   best.c (Makefile). */
HOT_GAMES
#endif
