/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "monkey.h"

#include "shell_fixture.h"

#define PICK(list) list[some(sizeof list / sizeof *list)]

static const char *const fens[] = {
	QUEEN,
	ROOK,
	"8/8/8/8/8/2k5/8/K7 w - - 0 1",                        /* bare kings */
	"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",                      /* stalemate */
	"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",                      /* checkmate */
	"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
	"8/P7/8/8/8/2k5/8/K7 w - - 0 1",
	"W:WK3,20:BK30",
	"W:WK1:BK32",
};

static const char *const lines[] = {
	"KQvK", "KRvK", "checkers:KvK", "morris:3v3", "awari:2", "Qd5", "Kb2", "comment words {and} more",
	"comment", "save", "save monkey.pgn", "open monkey.pgn", "open nowhere", "append monkey.pgn",
	"delete-moves", "bookmark a name", "bookmarks", "samples", "records", "records KQvK",
	"zugzwangs KRvK", "zugzwangs", "filter depth>3", "filter", "filter win white", "practice win KQvK",
	"practice guess KRvK", "practice squares KQvK", "practice only KQvK", "practice hold KQvK",
	"practice survive KRvK", "practice", "level 5", "rule 50", "rule off", "rule 3", "hide", "show",
	"find a", "lesson 1", "lesson off", "map", "play 3", "help save", "teach KQvK", "index",
	"bounds", "statistics", "e4", "1", "games", "more", "nonsense", ("fen " ROOK), "fen nonsense",
};

static const char *const pastes[] = {
	"1. e4 e5 2. Nf3 (2. d4 exd4) 2... Nc6 *\n\n[White \"x\"]\n\n1. d4 1-0\n", QUEEN, "hello\nworld\n",
	"[FEN \"nonsense\"]\n\n1. Qd5 *\n", "[FEN \"" QUEEN "\"]\n\n1. Qd5 Ka9 zzz\n", "", "\n\n",
	"[GameType \"21\"]\n\n1. 11-15 23-19 2. 8-11 22-17 *\n",
};

static const int keys[] = {
	K_UP, K_DOWN, K_LEFT, K_RIGHT, K_ENTER, K_TAB, K_BACKTAB, K_ESCAPE, K_HOME, K_END, K_PAGE_UP,
	K_PAGE_DOWN, K_DELETE, K_BACKSPACE, 15,
};

static void happen(struct screens *s, monkey_draw *some)
{
	static const int sizes[][2] = {{24, 80}, {20, 60}, {50, 160}, {30, 120}, {1, 1}, {5, 20}, {100, 300}};
	switch (some(16)) {
	case 0: type(s, PICK(lines)); break;
	case 1: {
		const int i = (int)some(sizeof sizes / sizeof *sizes);
		screens_event(s, (struct event){.kind = EVENT_RESIZE, .rows = sizes[i][0], .cols = sizes[i][1]});
		break;
	}
	case 2: {
		struct event e = {.kind = EVENT_CLICK, .rows = (int)some((size_t)shell_rows(&s->model)),
		                  .cols = (int)some((size_t)shell_cols(&s->model))};
		screens_draw(s);
		const struct zone *zone = canvas_zone_at(&s->canvas, e.rows, e.cols);
		e.zone = zone ? *zone : (struct zone){.kind = ZONE_NONE};
		screens_event(s, e);
		break;
	}
	case 3:
		if (some(3) == 0)
			screens_event(s, (struct event){.kind = EVENT_PASTE, .text = PICK(pastes)});
		else
			screens_event(s, (struct event){.kind = EVENT_WHEEL, .value = some(2) ? 1 : -1});
		break;
	case 4:
		s->model.now += (long long)some(2000);
		screens_event(s, (struct event){.kind = EVENT_TICK});
		break;
	case 5:
	case 6:
	case 7:
	case 8: press(s, PICK(keys)); break;
	default: {
		const int key = ' ' + (int)some(95);
		if (key != 'M') /* Metrics solves at once what takes long */
			press(s, key);
	}
	}
	shell_prompt_line(&s->model)->open = false;
}

void monkey_open(struct screens *s, monkey_draw *some, struct el_library *full, struct el_library *empty)
{
	screens_state(some(3) ? "monkey" : NULL);
	screens_open(s, some(4) ? full : empty, some(2) ? PICK(fens) : NULL, true);
	s->canvas.ascii = !some(3);
	s->canvas.mono = !some(3);
	s->canvas.has_halves = !some(3);
}

bool monkey_happen(struct screens *s, monkey_draw *some)
{
	happen(s, some);
	screens_draw(s);
	return s->held_count < 6;
}
