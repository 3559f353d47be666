/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "term.h"
#include "clipboard.h"

#include <curses.h>
#include <term.h>

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* The time allowed for the rest of a key's bytes, in milliseconds: ESCDELAY, as for all programs of
   curses. */
static int sequence_ms(void)
{
	enum { USUAL = 25, MOST = 10000 };
	const char *said = getenv("ESCDELAY");
	const long ms = said ? strtol(said, NULL, 10) : 0;
	return ms > 0 && ms <= MOST ? (int)ms : USUAL;
}

/* The terminal's capabilities as strings, "" if missing. */
enum capability {
	CAP_RESET,
	CAP_BOLD,
	CAP_DIM,
	CAP_REVERSE,
	CAP_UNDERLINE,
	CAP_MOVE,
	CAP_FG,
	CAP_BG,
	CAP_HIDE,
	CAP_SHOW,
	CAP_CLEAR,
	CAPS
};

static const char *const capability_names[CAPS] = {
	"sgr0", "bold", "dim", "rev", "smul", "cup", "setaf", "setab", "civis", "cnorm", "clear",
};

struct terminal {
	SCREEN *screen;
	WINDOW *input; /* a pad: reading from it never refreshes anything */
	const struct theme *theme;
	const char *caps[CAPS];
	int colours;
	bool has_rgb;        /* any colour, as COLORTERM says */
	struct canvas shown; /* current contents of the terminal */
	bool known;          /* `shown` is true */
	bool alive;
	bool left;    /* suspended: the shell has the terminal */
	bool is_ansi; /* accepts or ignores sequences that terminfo does not name */
	bool pasting; /* `paste` has not ended yet */
	struct paste paste;
	int y, x;   /* where the terminal's cursor is; -1: not known */
	int fg, bg; /* current roles of the terminal; -1: not known */
};

/* ---- cleanup in signal handlers, which may neither call curses nor allocate ---- */

static struct {
	_Atomic int ready; /* there is a terminal to restore */
	char bytes[256];
	size_t length;
	struct termios modes; /* before curses changed them */
} lifeline;

static int put_in_lifeline(int c)
{
	if (lifeline.length < sizeof lifeline.bytes)
		lifeline.bytes[lifeline.length++] = (char)c;
	return c;
}

static void add_to_lifeline(const char *text)
{
	if (text && text != (char *)-1)
		tputs(text, 1, put_in_lifeline);
}

void term_rescue(void)
{
	struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
	if (!lifeline.ready)
		return;
	lifeline.ready = 0;
	signal(SIGTTOU, SIG_IGN); /* as in `leave` */
	/* A stuck terminal would delay the end. */
	if (poll(&out, 1, 0) > 0) {
		ssize_t written = write(STDOUT_FILENO, lifeline.bytes, lifeline.length);
		(void)written;
	}
	tcsetattr(STDIN_FILENO, TCSANOW, &lifeline.modes);
}

/* ---- opening ---- */

static enum el_status check_terminal(struct el_error *error)
{
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return el_fail(error, EL_USAGE,
		               "the explorer needs a terminal; the commands in --help do not");
	const char *name = getenv("TERM");
	int found = 0;
	if (!name || !*name || setupterm(NULL, STDOUT_FILENO, &found) != OK)
		return el_fail(error, EL_USAGE, "unknown terminal type '%s': set TERM",
		               name ? name : "");
	const char *move_to = tigetstr("cup");
	bool addressable = move_to && move_to != (char *)-1;
	del_curterm(cur_term);
	if (!addressable)
		return el_fail(
			error, EL_USAGE,
			"a terminal of type '%s' cannot place its cursor, which the explorer needs",
			name);
	return EL_OK;
}

/* Makes the terminal mark the beginning and end of a paste. Flushes, since curses has a buffer of
   its own: output after endwin would appear on the caller's screen. */
static void mark_pastes(const struct terminal *t, bool on)
{
	if (t->is_ansi)
		fputs(on ? "\033[?2004h" : "\033[?2004l", stdout);
	fflush(stdout);
}

static void enter(struct terminal *t)
{
	lifeline.ready = 1;
	refresh(); /* curses' own screen, once and blank; ours from now on */
	mark_pastes(t, true);
	term_forget(t);
	t->left = false;
}

/* Works in the background too, where changing the terminal's modes would stop the program. */
static void leave(struct terminal *t)
{
	if (t->left)
		return;
	t->left = true;
	void (*before)(int) = signal(SIGTTOU, SIG_IGN);
	putp(t->caps[CAP_RESET]);
	putp(t->caps[CAP_SHOW]);
	/* without an alternate screen, the last contents would stay */
	putp(t->caps[CAP_CLEAR]);
	mark_pastes(t, false);
	endwin();
	signal(SIGTTOU, before);
	lifeline.ready = 0;
}

enum el_status term_open(const struct theme *theme, struct terminal **out, struct el_error *error)
{
	enum el_status status = check_terminal(error);
	if (status)
		return status;
	struct terminal *t = calloc(1, sizeof *t);
	if (!t)
		return el_fail(error, EL_MEMORY, "out of memory");
	tcgetattr(STDIN_FILENO, &lifeline.modes);
	t->screen = newterm(NULL, stdout, stdin);
	t->input = t->screen ? newpad(1, 1) : NULL;
	if (!t->input) {
		if (t->screen) {
			endwin();
			delscreen(t->screen);
		}
		free(t);
		return el_fail(error, EL_USAGE, "this terminal cannot show the explorer");
	}
	t->theme = theme;
	t->alive = true;
	t->y = t->x = t->fg = t->bg = -1;
	for (int i = 0; i < CAPS; i++) {
		const char *text = tigetstr(capability_names[i]);
		t->caps[i] = text && text != (char *)-1 ? text : "";
	}
	t->is_ansi = !strncmp(t->caps[CAP_MOVE], "\033[", 2);
	int colours = tigetnum("colors");
	const char *more = getenv("COLORTERM");
	t->has_rgb = t->is_ansi && colours >= 256 && more &&
	             (!strcmp(more, "truecolor") || !strcmp(more, "24bit"));
	t->colours = colours >= 256 ? 256 : colours >= 16 ? 16 : colours >= 8 ? 8 : 0;
	lifeline.length = 0;
	add_to_lifeline(t->caps[CAP_RESET]);
	add_to_lifeline(t->caps[CAP_SHOW]);
	if (t->is_ansi)
		add_to_lifeline("\033[?2004l\033[?1006l\033[?1000l");
	add_to_lifeline(tigetstr("rmkx"));
	add_to_lifeline(tigetstr("rmcup"));
	lifeline.ready = 1;
	raw();
	noecho();
	nonl();
	set_escdelay(sequence_ms());
	term_set_mouse(t, true);
	mouseinterval(0);
	keypad(t->input, TRUE);
	nodelay(t->input, TRUE);
	enter(t);
	*out = t;
	return EL_OK;
}

void term_close(struct terminal *t)
{
	if (!t)
		return;
	leave(t);
	delwin(t->input);
	delscreen(t->screen);
	canvas_free(&t->shown);
	free(t);
}

void term_size(const struct terminal *t, int *rows, int *cols)
{
	(void)t;
	getmaxyx(stdscr, *rows, *cols);
}

int term_fd(const struct terminal *t)
{
	(void)t;
	return STDIN_FILENO;
}

bool term_alive(const struct terminal *t)
{
	return t->alive;
}

bool term_has_colours(const struct terminal *t)
{
	return t->colours > 0 && *t->caps[CAP_FG];
}

bool term_is_console(void)
{
	const char *name = getenv("TERM");
	return name && !strncmp(name, "linux", 5);
}

/* What a terminal tells the programs in it, they tell those that they start: another terminal, which
   has a variable of its own, or a multiplexer, behind which any terminal may be. */
static bool draws_sextants(void)
{
	enum { VTE_SINCE = 6200 };
	static const char *const names[] = {"xterm-kitty", "xterm-ghostty", "foot", "contour",
	                                    "wezterm"};
	static const char *const programs[] = {"WezTerm", "ghostty"};
	const char *name = getenv("TERM"), *program = getenv("TERM_PROGRAM"),
		   *vte = getenv("VTE_VERSION");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (name && !strncmp(name, names[i], strlen(names[i])))
			return true;
	if (!name || strncmp(name, "xterm", 5) || getenv("XTERM_VERSION") || getenv("TMUX") ||
	    getenv("STY"))
		return false;
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		if (program && !strcmp(program, programs[i]))
			return true;
	return getenv("WT_SESSION") || (vte && strtol(vte, NULL, 10) >= VTE_SINCE);
}

enum blocks term_blocks(const struct terminal *t)
{
	return t->colours < 256 || term_is_console() ? BLOCKS_HALVES
	       : draws_sextants()                    ? BLOCKS_SEXTANTS
	                                             : BLOCKS_QUADRANTS;
}

void term_set_theme(struct terminal *t, const struct theme *theme)
{
	t->theme = theme;
	term_forget(t);
}

void term_set_mouse(struct terminal *t, bool on)
{
	(void)t;
	mousemask(on ? BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0,
	          NULL);
	fflush(stdout);
}

/* ---- the background ---- */

bool term_is_light(struct terminal *t)
{
	enum { WAIT_MS = 200 };
	char in[256] = "";
	size_t length = 0;
	const char *answer = NULL, *end = NULL;
	struct pollfd keys = {.fd = STDIN_FILENO, .events = POLLIN};
	if (t->is_ansi && !term_is_console()) {
		/* Every such terminal answers the second question; one that ignores the first costs
		   no time. */
		fputs("\033]11;?\033\\\033[c", stdout);
		fflush(stdout);
		while (!end && length + 1 < sizeof in && poll(&keys, 1, WAIT_MS) > 0) {
			const ssize_t got = read(STDIN_FILENO, in + length, sizeof in - 1 - length);
			if (got <= 0)
				break;
			length += (size_t)got;
			in[length] = '\0';
			answer = strstr(in, "\033[?");
			end = answer ? strchr(answer, 'c') : NULL;
		}
	}
	/* What is not an answer was typed, and is still to be read: the last byte first. */
	const char *colour = strstr(in, "\033]11;");
	const char *colour_end = colour ? colour + strcspn(colour, "\007\\") : NULL;
	for (const char *c = in + length; c-- > in;)
		if (!(end && c >= answer && c <= end) &&
		    !(colour && c >= colour && c <= colour_end))
			ungetch((unsigned char)*c);
	unsigned red, green, blue;
	const char *rgb = colour ? strstr(colour, "rgb") : NULL;
	const char *from = rgb ? strchr(rgb, ':') : NULL;
	if (from && sscanf(from, ":%4x/%4x/%4x", &red, &green, &blue) == 3) {
		/* Of one to four digits each: as a part of the greatest number of so many. */
		const double most = (double)((1u << 4 * strcspn(from + 1, "/")) - 1);
		return 0.299 * red + 0.587 * green + 0.114 * blue > most / 2;
	}
	const char *said = getenv("COLORFGBG"), *ground = said ? strrchr(said, ';') : NULL;
	const int number = ground ? atoi(ground + 1) : 0;
	return ground && (number == 7 || number > 8);
}

/* ---- input ---- */

static const struct {
	wint_t curses;
	int key;
} key_map[] = {
	{KEY_UP, K_UP},         {KEY_DOWN, K_DOWN},           {KEY_LEFT, K_LEFT},
	{KEY_RIGHT, K_RIGHT},   {KEY_HOME, K_HOME},           {KEY_END, K_END},
	{KEY_PPAGE, K_PAGE_UP}, {KEY_NPAGE, K_PAGE_DOWN},     {KEY_IC, K_INSERT},
	{KEY_DC, K_DELETE},     {KEY_BACKSPACE, K_BACKSPACE}, {KEY_ENTER, K_ENTER},
	{KEY_BTAB, K_BACKTAB},
};

static struct event key_event(int key)
{
	return (struct event){.kind = EVENT_KEY, .key = key};
}

static struct event function_key_event(struct terminal *t, wint_t c)
{
	if (c == KEY_RESIZE) {
		struct event e = {.kind = EVENT_RESIZE};
		term_size(t, &e.rows, &e.cols);
		refresh(); /* makes curses believe that it has redrawn its blank screen */
		term_forget(t);
		return e;
	}
	if (c == KEY_MOUSE) {
		MEVENT mouse;
		if (getmouse(&mouse) != OK)
			return (struct event){.kind = EVENT_NONE};
		struct event e = {.kind = EVENT_CLICK, .rows = mouse.y, .cols = mouse.x};
		if (mouse.bstate & (BUTTON4_PRESSED | BUTTON5_PRESSED)) {
			e.kind = EVENT_WHEEL;
			e.value = mouse.bstate & BUTTON4_PRESSED ? -1 : 1;
		} else if (!(mouse.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED))) {
			e.kind = EVENT_NONE;
		}
		return e;
	}
	for (size_t i = 0; i < sizeof key_map / sizeof *key_map; i++)
		if (key_map[i].curses == c)
			return key_event(key_map[i].key);
	return (struct event){.kind = EVENT_NONE};
}

/* A key missing from the terminal's description arrives as bytes, which would be taken for Esc and
   other keys. The start of a paste is one of these sequences. */
static bool skip_sequence(struct terminal *t)
{
	enum { LATE_MS = 500 };
	char text[8] = "";
	size_t length = 0;
	wint_t c = 0;
	const int got = wget_wch(t->input, &c);
	if (got == KEY_CODE_YES)
		ungetch((int)c);
	if (got != OK)
		return false;
	/* An answer that came late: nobody types what begins like this. */
	if (c == ']') {
		wtimeout(t->input, LATE_MS);
		while (wget_wch(t->input, &c) == OK && c != '\a' && c != '\\')
			;
		nodelay(t->input, TRUE);
		return true;
	}
	if (c != '[' && c != 'O') {
		unget_wch((wchar_t)c);
		return false;
	}
	bool more = true, is_long = c == '[';
	wtimeout(t->input, sequence_ms());
	while (more && wget_wch(t->input, &c) == OK) {
		if (length + 1 < sizeof text)
			text[length++] = (char)c;
		more = is_long && (c < 0x40 || c > 0x7E);
	}
	nodelay(t->input, TRUE);
	if (!strcmp(text, "200~")) {
		t->pasting = true;
		paste_begin(&t->paste);
	}
	return true;
}

bool term_pasting(const struct terminal *t)
{
	return t->pasting;
}

struct event term_read(struct terminal *t)
{
	for (;;) {
		wint_t c = 0;
		if (t->pasting) {
			/* Past curses, which does not read ahead: in a paste nothing is a key. */
			t->pasting = !paste_read(&t->paste, STDIN_FILENO);
			if (t->pasting)
				return (struct event){.kind = EVENT_NONE};
			return (struct event){
				.kind = EVENT_PASTE,
				.text = t->paste.text,
				.cut = t->paste.cut,
			};
		}
		int got = wget_wch(t->input, &c);
		if (got == ERR)
			return (struct event){.kind = EVENT_NONE};
		if (got == OK && c == K_ESCAPE && skip_sequence(t))
			continue;
		c = got == OK && c == '\r' ? K_ENTER : got == OK && c == '\b' ? K_BACKSPACE : c;
		struct event e = got == KEY_CODE_YES ? function_key_event(t, c) : key_event((int)c);
		if (e.kind != EVENT_NONE)
			return e;
	}
}

/* ---- output ---- */

static int colour_of(const struct terminal *t, enum role role)
{
	const struct paint *p = &t->theme->paint[role];
	return t->colours == 256  ? p->c256
	       : t->colours == 16 ? p->c16
	       : t->colours == 8  ? p->c8
	                          : -1;
}

static void put_parameter(const char *capability, int a, int b)
{
	if (*capability)
		putp(tparm(capability, a, b, 0, 0, 0, 0, 0, 0, 0));
}

static void set_pen(struct terminal *t, int fg, int bg)
{
	if (fg == t->fg && bg == t->bg)
		return;
	int look = t->theme->paint[fg].look | t->theme->paint[bg].look;
	putp(t->caps[CAP_RESET]);
	for (int bit = 0; bit < 4; bit++)
		if (look & 1 << bit)
			putp(t->caps[CAP_BOLD + bit]);
	int ink = colour_of(t, (enum role)fg), paper = colour_of(t, (enum role)bg);
	const uint32_t rgb = t->has_rgb ? t->theme->paint[bg].rgb : 0;
	const uint32_t rgb_ink = t->has_rgb ? t->theme->paint[fg].rgb : 0;
	if (rgb_ink)
		printf("\033[38;2;%u;%u;%um", rgb_ink >> 16, rgb_ink >> 8 & 255, rgb_ink & 255);
	else if (ink >= 0)
		put_parameter(t->caps[CAP_FG], ink, 0);
	if (rgb)
		printf("\033[48;2;%u;%u;%um", rgb >> 16, rgb >> 8 & 255, rgb & 255);
	else if (paper >= 0)
		put_parameter(t->caps[CAP_BG], paper, 0);
	t->fg = fg;
	t->bg = bg;
}

/* Leaves out the last cell of the screen: writing it would scroll some terminals. */
void term_show(struct terminal *t, const struct canvas *canvas)
{
	bool resized = t->shown.rows != canvas->rows || t->shown.cols != canvas->cols;
	bool all = !t->known || resized;
	if (all) {
		t->y = t->x = t->fg = t->bg = -1;
		putp(t->caps[CAP_RESET]);
		putp(t->caps[CAP_CLEAR]);
		t->known = canvas_resize(&t->shown, canvas->rows, canvas->cols);
	}
	if (!t->known)
		return;
	size_t count = (size_t)canvas->rows * (size_t)canvas->cols;
	for (size_t i = 0; i + 1 < count; i++) {
		const struct cell to = canvas->cells[i], from = t->shown.cells[i];
		if (!all && to.glyph == from.glyph && to.fg == from.fg && to.bg == from.bg)
			continue;
		const int y = (int)i / canvas->cols;
		const int x = (int)i % canvas->cols;
		if (t->y != y || t->x != x)
			put_parameter(t->caps[CAP_MOVE], y, x);
		set_pen(t, to.fg, to.bg);
		char bytes[4];
		fwrite(bytes, 1, utf8_encode(to.glyph, bytes), stdout);
		bool sure = to.glyph < 0x7F && x + 1 < t->shown.cols;
		t->y = sure ? y : -1;
		t->x = x + 1;
		t->shown.cells[i] = to;
	}
	const bool has_cursor = canvas->cursor_y >= 0;
	if (has_cursor) {
		put_parameter(t->caps[CAP_MOVE], canvas->cursor_y, canvas->cursor_x);
		t->y = t->x = -1;
	}
	putp(t->caps[has_cursor ? CAP_SHOW : CAP_HIDE]);
	if (fflush(stdout))
		t->alive = false;
}

void term_forget(struct terminal *t)
{
	t->known = false;
}

void term_copy(struct terminal *t, const char *text)
{
	char bytes[COPY_SEQUENCE_MAX];
	size_t length = t->is_ansi ? copy_sequence(text, bytes) : 0;
	fwrite(bytes, 1, length, stdout);
	fflush(stdout);
}

/* ---- suspending ---- */

void term_suspend(struct terminal *t)
{
	struct sigaction stop = {.sa_handler = SIG_DFL}, before;
	leave(t);
	sigemptyset(&stop.sa_mask);
	sigaction(SIGTSTP, NULL, &before);
	if (before.sa_handler == SIG_IGN) /* nobody could continue the program */
		return;
	sigaction(SIGTSTP, &stop, NULL);
	raise(SIGTSTP);
	sigaction(SIGTSTP, &before, NULL);
}

void term_resume(struct terminal *t)
{
	reset_prog_mode();
	enter(t);
}
