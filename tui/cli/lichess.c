/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lichess.h"
#include "core/probe/probe.h"
#include "tui/text/json.h"

#include <stdlib.h>
#include <string.h>

/* The pieces of the game that the API calls "standard", in the order of el_game.kinds. */
enum { KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN };

enum {
	LINE_MAX = 2048, /* plies of a main line */
	EIGHT = 8,       /* pieces from which on the dtc is told without being asked for */
};

/* ---- positions ---- */

enum el_status lichess_check_game(const struct el_game *game, struct el_error *error)
{
	if (game == &el_chess)
		return EL_OK;
	return el_fail(error, EL_NEGATIVE,
	               "a position of %s: the lichess tablebase API has no such game", game->title);
}

enum el_status lichess_parse(const char *fen, const struct el_game **game, struct el_position *out,
                             struct el_error *error)
{
	char note[EL_NOTE_MAX]; /* the API has no place for it */
	*game = NULL;
	const enum el_status status = el_position_read(fen, game, out, note, error);
	if (!*game)
		return el_fail(error, status,
		               "'%.80s' is not a position: expected a FEN such as "
		               "8/8/8/8/8/2k5/8/KQ6 w - -",
		               fen);
	return status ? status : lichess_check_game(*game, error);
}

/* ---- what is known of a position ---- */

/* For the side to move, in the order in which a player wants the opponent to be: unknown right
   after the certain results. */
enum category {
	LOSS,
	UNKNOWN,
	SYZYGY_LOSS,
	MAYBE_LOSS,
	BLESSED_LOSS,
	DRAW,
	CURSED_WIN,
	MAYBE_WIN,
	SYZYGY_WIN,
	WIN,
};

static const char *const category_names[] = {
	"loss", "unknown",    "syzygy-loss", "maybe-loss", "blessed-loss",
	"draw", "cursed-win", "maybe-win",   "syzygy-win", "win",
};

/* A depth, signed by who wins. */
struct depth {
	bool known, precise;
	int plies;
};

struct facts {
	bool checkmate, stalemate, insufficient;
	struct depth dtz, dtm, dtc;
	bool rounded; /* the dtz */
	enum category category;
};

static const struct el_metric *dtz50(void)
{
	return el_metric_find("dtz50");
}

static enum category category_of(enum el_outcome outcome, bool rounded)
{
	static const uint8_t exact[] = {[EL_LOSS] = LOSS,
	                                [EL_BLESSED_LOSS] = BLESSED_LOSS,
	                                [EL_DRAW] = DRAW,
	                                [EL_CURSED_WIN] = CURSED_WIN,
	                                [EL_WIN] = WIN};
	return el_outcome_exact(outcome)       ? exact[outcome]
	       : outcome == EL_AT_LEAST_CURSED ? (rounded ? SYZYGY_WIN : MAYBE_WIN)
	       : outcome == EL_AT_MOST_BLESSED ? (rounded ? SYZYGY_LOSS : MAYBE_LOSS)
	                                       : UNKNOWN;
}

static struct depth signed_depth(enum el_outcome outcome, int plies, bool precise)
{
	return (struct depth){true, precise, outcome < EL_DRAW ? -plies : plies};
}

/* Sets the depths from the answer's values of the position itself. */
static void note_depths(struct facts *f, const struct el_answer *answer, enum lichess_dtc dtc)
{
	const size_t z = el_metric_rank(dtz50()), m = el_metric_rank(el_metric_find("dtm"));
	const size_t c = el_metric_rank(el_metric_find("dtc"));
	const struct el_value *value = answer->value;
	const bool tells_dtc =
		dtc == LICHESS_DTC_ALWAYS ||
		(dtc == LICHESS_DTC_AUXILIARY && el_piece_count(&answer->position) >= EIGHT);
	f->dtz = f->dtm = f->dtc = (struct depth){0};
	if (value[el_metric_rank(&el_wdl)].outcome == EL_DRAW) {
		f->dtz = f->dtm = (struct depth){true, true, 0};
		f->dtc = (struct depth){tells_dtc, true, 0};
		return;
	}
	if (answer->metrics[z] && el_outcome_exact(value[z].outcome) && !value[z].at_most) {
		f->rounded = value[z].rounded;
		/* If the rule makes it a draw, our tables count to the next zeroing move but
		   Syzygy's past the limit: at least that many plies. */
		const struct el_metric *metric = answer->metrics[z];
		const struct el_value v = value[z];
		const bool late = v.outcome == EL_CURSED_WIN || v.outcome == EL_BLESSED_LOSS;
		int plies = v.plies;
		if (late && plies <= (int)metric->limit)
			plies += (int)metric->limit;
		/* Syzygy counts at least 1 ply, even for checkmate. */
		if (!plies)
			plies = 1;
		f->dtz = signed_depth(v.outcome, plies, !v.rounded && (!late || metric->late));
	}
	if (answer->metrics[m] && el_outcome_exact(value[m].outcome) && !value[m].at_most)
		f->dtm = signed_depth(value[m].outcome, value[m].plies, true);
	if (tells_dtc && answer->metrics[c] && el_outcome_exact(value[c].outcome) &&
	    !value[c].at_most) {
		const int moves = (value[c].plies + (value[c].outcome > EL_DRAW)) / 2;
		f->dtc = signed_depth(value[c].outcome, moves ? moves : 1, true);
	}
	if (f->checkmate) {
		f->dtz = (struct depth){true, true, -1};
		f->dtm = (struct depth){true, true, 0};
	}
}

static void note_board(struct facts *f, const struct el_game *game,
                       const struct el_position *position)
{
	struct el_move moves[EL_MOVES_MAX];
	const bool over = !game->moves(position, moves);
	f->checkmate = over && game->stuck(position).outcome == EL_LOSS;
	f->stalemate = over && !f->checkmate;
	f->insufficient = game->dead(position);
}

/* ---- moves ---- */

/* A move and what is known of the position after it. */
struct successor {
	const struct el_ranked *move;
	struct facts facts;
	unsigned captured, becomes; /* 0: nothing; greater for more valuable pieces */
	size_t place;               /* in the ranking */
};

/* Room for an answer, too large for the stack. */
struct desk {
	struct el_library *library;
	const struct el_game *game;
	struct el_question question;
	enum lichess_dtc dtc;
	struct el_answer answer, behind;
	struct successor moves[EL_MOVES_MAX];
};

/* Looks at the position after a move, and probes it if wanted. The ranking's values do not suffice: they count from before the
   move, and stop at a move that ends a phase. */
static enum el_status look_behind(struct desk *desk, const struct el_move *move, bool probes,
                                  struct facts *out, struct el_error *error)
{
	struct el_question question = desk->question;
	struct el_position after;
	desk->game->play(&desk->answer.position, move, &after);
	note_board(out, desk->game, &after);
	if (!probes)
		return EL_OK;
	question.alone = true;
	const enum el_status status = el_library_answer(desk->library, desk->game, &after,
	                                                &question, &desk->behind, error);
	if (!status || el_is_fault(status))
		note_depths(out, &desk->behind, desk->dtc);
	return status;
}

static unsigned worth(unsigned kind)
{
	return PAWN + 1 - kind;
}

static enum el_status note_move(struct desk *desk, size_t place, struct successor *out,
                                struct el_error *error)
{
	const struct el_ranked *ranked = &desk->answer.moves[place];
	const struct el_move *move = &ranked->move;
	unsigned side, kind;
	bool is_silent = true;
	*out = (struct successor){.move = ranked, .place = place};
	if (move->captured && el_piece_at(&desk->answer.position,
	                                  (uint8_t)__builtin_ctzll(move->captured), &side, &kind))
		out->captured = worth(kind);
	if (move->becomes != move->kind)
		out->becomes = worth(move->becomes);
	/* If neither a table nor a rule decides a move, more moves would not help. */
	for (size_t m = 0; m < EL_METRICS; m++)
		is_silent = is_silent && ranked->value[m].outcome == EL_UNKNOWN;
	const enum el_status status = look_behind(desk, move, !is_silent, &out->facts, error);
	out->facts.category = category_of(el_outcome_negate(ranked->outcome), out->facts.rounded);
	return status;
}

static int less(int a, int b)
{
	return (a > b) - (a < b);
}

/* Known depths first, then the greater: the opponent's quick loss, or late win. */
static int order_depths(struct depth a, struct depth b)
{
	return a.known != b.known ? less(b.known, a.known) : less(b.plies, a.plies);
}

static bool converts(const struct successor *s)
{
	return s->captured || s->becomes;
}

/* Best first: by category; moves that end the game; depth to mate; conversions, first unless the opponent
   wins, else last; depth to conversion; zeroing moves likewise; depth to zeroing; piece captured, and
   promoted to. */
static int compare_moves(const void *x, const void *y)
{
	const struct successor *a = x, *b = y;
	const struct facts *f = &a->facts, *g = &b->facts;
	if (f->category != g->category)
		return less((int)f->category, (int)g->category);
	const int toward = f->category > DRAW ? -1 : 1;
	const int order[] = {
		less(g->checkmate, f->checkmate),
		less(g->stalemate, f->stalemate),
		less(g->insufficient, f->insufficient),
		order_depths(f->dtm, g->dtm),
		toward * less(converts(b), converts(a)),
		order_depths(f->dtc, g->dtc),
		toward * less(b->move->zeroes, a->move->zeroes),
		order_depths(f->dtz, g->dtz),
		less((int)b->captured, (int)a->captured),
		less((int)b->becomes, (int)a->becomes),
		less((int)a->place, (int)b->place),
	};
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		if (order[i])
			return order[i];
	return 0;
}

/* ---- objects ---- */

static void add_dtz(cJSON *object, struct depth dtz)
{
	json_known(object, "dtz", dtz.known, dtz.plies);
	json_known(object, "precise_dtz", dtz.known && dtz.precise, dtz.plies);
}

static void add_facts(cJSON *object, const struct facts *f)
{
	cJSON_AddBoolToObject(object, "checkmate", f->checkmate);
	cJSON_AddBoolToObject(object, "stalemate", f->stalemate);
	cJSON_AddFalseToObject(object, "variant_win");
	cJSON_AddFalseToObject(object, "variant_loss");
	cJSON_AddBoolToObject(object, "insufficient_material", f->insufficient);
	add_dtz(object, f->dtz);
	json_known(object, "dtm", f->dtm.known, f->dtm.plies);
	cJSON_AddNullToObject(object, "dtw");
	json_known(object, "dtc", f->dtc.known, f->dtc.plies);
	json_text(object, "category", category_names[f->category]);
}

static cJSON *move_object(const char *uci, const char *san)
{
	cJSON *object = cJSON_CreateObject();
	json_text(object, "uci", uci);
	json_text(object, "san", san);
	return object;
}

static struct desk *new_desk(struct el_library *library, const struct el_game *game,
                             const struct el_question *question, enum lichess_dtc dtc,
                             struct el_error *error)
{
	struct desk *desk = malloc(sizeof *desk);
	if (!desk) {
		el_fail(error, EL_MEMORY, "an answer: out of memory");
		return NULL;
	}
	desk->library = library;
	desk->game = game;
	desk->question = *question;
	desk->dtc = dtc;
	return desk;
}

static enum el_status look(struct desk *desk, const struct el_position *position, struct facts *out,
                           struct el_error *error)
{
	const struct el_answer *answer = &desk->answer;
	enum el_status status = el_library_answer(desk->library, desk->game, position,
	                                          &desk->question, &desk->answer, error);
	if (status && !(el_is_fault(status) && answer->metric))
		return status;
	note_board(out, desk->game, position);
	note_depths(out, answer, desk->dtc);
	out->category = category_of(answer->outcome, out->rounded);
	for (size_t i = 0; i < answer->count && (!status || el_is_fault(status)); i++) {
		struct el_error why;
		const enum el_status failed = note_move(desk, i, &desk->moves[i], &why);
		if (failed && (!status || !el_is_fault(failed)))
			status = el_fail(error, failed, "%s", why.text);
	}
	qsort(desk->moves, answer->count, sizeof *desk->moves, compare_moves);
	return status;
}

enum el_status lichess_answer(struct el_library *library, const struct el_game *game,
                              const struct el_position *position,
                              const struct el_question *question, enum lichess_dtc dtc, cJSON **out,
                              struct el_error *error)
{
	struct facts facts = {0};
	struct desk *desk = new_desk(library, game, question, dtc, error);
	if (!desk)
		return EL_MEMORY;
	enum el_status status = look(desk, position, &facts, error);
	if (!status || (el_is_fault(status) && desk->answer.metric)) {
		*out = cJSON_CreateObject();
		add_facts(*out, &facts);
		cJSON *moves = cJSON_AddArrayToObject(*out, "moves");
		for (size_t i = 0; i < desk->answer.count; i++) {
			const struct successor *s = &desk->moves[i];
			cJSON *move = move_object(s->move->uci, s->move->san);
			cJSON_AddBoolToObject(move, "zeroing", s->move->zeroes);
			cJSON_AddBoolToObject(move, "conversion", converts(s));
			add_facts(move, &s->facts);
			cJSON_AddItemToArray(moves, move);
		}
		if (facts.category == UNKNOWN && !status)
			status = el_fail(error, EL_NEGATIVE, "%s", desk->answer.why_unknown);
	}
	free(desk);
	return status;
}

/* ---- main lines ---- */

/* Plays the line, one object per move; sets *end to its last position. */
static enum el_status add_line(cJSON *array, struct desk *desk, const struct el_line *line,
                               struct el_position *end, struct el_error *error)
{
	enum el_status status = EL_OK;
	for (size_t i = 0; i < line->count && !status; i++) {
		struct facts facts = {0};
		char uci[EL_MOVE_MAX], san[EL_MOVE_MAX];
		desk->game->write_move(end, &line->moves[i], EL_UCI, uci);
		desk->game->write_move(end, &line->moves[i], EL_SAN, san);
		desk->answer.position = *end;
		status = look_behind(desk, &line->moves[i], true, &facts, error);
		cJSON *move = move_object(uci, san);
		add_dtz(move, facts.dtz);
		cJSON_AddItemToArray(array, move);
		desk->game->play(&desk->answer.position, &line->moves[i], end);
	}
	return status;
}

static enum el_status find_line(struct desk *desk, const struct el_position *position,
                                struct el_line *line, struct facts *facts, struct el_error *error)
{
	desk->question.alone = true;
	enum el_status status = el_library_answer(desk->library, desk->game, position,
	                                          &desk->question, &desk->answer, error);
	if (status && !el_is_fault(status))
		return status;
	note_board(facts, desk->game, position);
	note_depths(facts, &desk->answer, desk->dtc);
	if (!facts->dtz.known && status)
		return status;
	if (!facts->dtz.known && *desk->answer.why_unknown)
		return el_fail(error, EL_NEGATIVE, "%s", desk->answer.why_unknown);
	if (!facts->dtz.known && !desk->answer.has_slice)
		return el_fail(error, EL_NEGATIVE,
		               "no table can tell dtz50 of so many pieces; a study knows dtz");
	if (!facts->dtz.known)
		return el_fail(
			error, EL_NEGATIVE,
			"no table tells dtz50 of %s; 'endlab build' makes one with --metric dtz50",
			desk->answer.slice.name);
	desk->question.alone = false;
	return facts->dtz.plies && !facts->checkmate
	               ? el_library_line(desk->library, desk->game, position, &desk->question, line,
	                                 error)
	               : EL_OK;
}

enum el_status lichess_mainline(struct el_library *library, const struct el_game *game,
                                const struct el_position *position, cJSON **out,
                                struct el_error *error)
{
	const struct el_question question = {
		.metric = dtz50(), .rule = EL_RULE_USUAL, .only = 1u << el_metric_rank(dtz50())};
	struct facts facts = {0}, last = {0};
	struct el_position end = *position;
	struct desk *desk = new_desk(library, game, &question, LICHESS_DTC_NEVER, error);
	struct el_line line = {.moves = calloc(LINE_MAX, sizeof *line.moves), .max = LINE_MAX};
	enum el_status status = desk ? EL_OK : EL_MEMORY;
	if (!line.moves)
		status = el_fail(error, EL_MEMORY, "a line: out of memory");
	if (!status)
		status = find_line(desk, position, &line, &facts, error);
	if (!status) {
		*out = cJSON_CreateObject();
		add_dtz(*out, facts.dtz);
		status = add_line(cJSON_AddArrayToObject(*out, "mainline"), desk, &line, &end,
		                  error);
		note_board(&last, game, &end);
		json_text(*out, "winner",
		          !last.checkmate        ? NULL
		          : end.side == EL_WHITE ? "b"
		                                 : "w");
	}
	if (status && status != EL_NEGATIVE && *out) {
		cJSON_Delete(*out);
		*out = NULL;
	}
	free(line.moves);
	free(desk);
	return status;
}
