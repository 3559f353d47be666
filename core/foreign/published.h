/* SPDX-License-Identifier: MIT */
/*
 * What others have published of their tables: how many positions are won, drawn and lost, at which
 * depths, and which wins are the longest.
 *
 *     el_published_read -> el_published_compare (core/examine) -> el_published_free
 *
 * Two forms of JSON are read, told apart by what is in them:
 *
 *     chesstb, docs/stats.json      placements by three outcomes, and the longest win of each side
 *                                   to move under several metrics. White is the side named first.
 *     syzygy-tables.info            stats.json, or stats/KQvKR.json with one ending and no name:
 *                                   positions by five outcomes and by plies to a zeroing move under
 *                                   the 50-move rule (el_dtz_syzygy), and the longest wins of each
 *                                   side, whichever side is to move. Positions that symmetry makes
 *                                   the same count once, but as often as their like pieces can
 *                                   change places.
 *
 * Neither counts rights to capture en passant. Colours below are those of our slice.
 */
#ifndef CORE_FOREIGN_PUBLISHED_H
#define CORE_FOREIGN_PUBLISHED_H

#include "core/games/game.h"

struct el_published_record {
	/* What is counted, and the outcomes among which it is the longest: dtz50 and wdl are all
	   wins, cursed ones too, counted as we count them. */
	const struct el_metric *metric, *among;
	uint8_t side;    /* to move */
	uint8_t outcome; /* for that side, under `among` */
	/* the longest of the winner whichever side is to move, not only with this one */
	bool either;
	unsigned plies;
	char fen[EL_FEN_MAX]; /* empty, with 0 plies: there is no such win */
};

enum { EL_PUBLISHED_RECORDS = 8 };

struct el_published_ending {
	char name[EL_SLICE_MAX]; /* in the file; of an ending without one, that of the slice */
	struct el_slice slice;
	/* Part of a slice: positions with castling rights, or with pawns that block each other. There
	   is no slice to compare it with, and nothing below is set. */
	bool is_part;
	const struct el_metric *metric; /* of the counts */
	bool reduced;                   /* counts are Syzygy's, up to symmetry; else placements */
	struct {
		uint64_t outcome[EL_WIN + 1]; /* in an outcome alone all are win, draw or loss */
		/* [0] wins and [1] losses by ply, too late ones included, if `metric` has depths;
		   owned */
		uint64_t *depth[2];
		unsigned plies[2]; /* length of the arrays */
	} side[2];                 /* to move */
	struct el_published_record record[EL_PUBLISHED_RECORDS];
	unsigned records;
};

struct el_published {
	struct el_published_ending *ending; /* owned */
	size_t count;
	/* the metrics of its longest wins that are none of ours: "dtm50, dtc" */
	char beyond[64];
};

/* `unnamed`: the slice of an ending that has no name and no position; may be null. EL_DAMAGED names
   the place in the file and what was expected there; EL_NEGATIVE: `unnamed` is needed; EL_IO,
   EL_MEMORY. */
enum el_status el_published_read(const char *path, const struct el_slice *unnamed,
                                 struct el_published *out, struct el_error *);
/* May be called on all zeros, and twice. */
void el_published_free(struct el_published *);

#endif
