/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "online.h"
#include "core/base/clock.h"
#include "core/foreign/answers.h"
#include "core/games/game.h"
#include "tui/text/files.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#if __has_include(<curl/curl.h>)
#include <curl/curl.h>
#include <dlfcn.h>
#endif

enum {
	PIECES_MAX = 8,         /* nobody has tables of more */
	ASKED_MAX = 1024,       /* positions that are not asked for again */
	SECONDS_MAX = 10,       /* for an answer */
	BYTES_MAX = 1 << 20,    /* of an answer */
	MS_BETWEEN = 1000,      /* two requests */
	MS_AFTER_FAULT = 60000, /* as lichess asks after too many requests */
	MS_TICK = 20,
};

struct online {
	struct el_elsewhere elsewhere;
	char url[512], name[64], folder[PATH_MAX], stamp[PATH_MAX];
	pthread_mutex_t lock; /* one request at a time; guards the rest */
	struct el_position asked[ASKED_MAX];
	size_t count;
	int64_t rest; /* until then, on clock_ms, nothing is asked because of `fault` */
	struct el_error fault;
};

/* Says that it asks; false: it should stop. */
static bool go_on(const struct online *o, const struct el_watch *watch)
{
	const struct el_progress asking = {.stage = "asking", .what = o->name};
	return el_watch_tick(watch, &asking);
}

/* ---- a request ---- */

struct reply {
	char *text;
	size_t size;
	const struct online *online;
	const struct el_watch *watch;
};

#if __has_include(<curl/curl.h>)

static struct {
	__typeof__(curl_easy_init) *init;
	__typeof__(curl_easy_setopt) *set;
	__typeof__(curl_easy_perform) *perform;
	__typeof__(curl_easy_getinfo) *get;
	__typeof__(curl_easy_cleanup) *cleanup;
} api;

static bool load_api(void)
{
	static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
	const struct {
		const char *name;
		void *at;
	} functions[] = {
		{"curl_easy_init", &api.init},       {"curl_easy_setopt", &api.set},
		{"curl_easy_perform", &api.perform}, {"curl_easy_getinfo", &api.get},
		{"curl_easy_cleanup", &api.cleanup},
	};
	void *library = NULL;
	for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
		library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	bool found = library;
	for (size_t i = 0; i < sizeof functions / sizeof *functions && found; i++) {
		void *function = dlsym(library, functions[i].name);
		memcpy(functions[i].at, &function, sizeof function);
		found = function;
	}
	return found;
}

static size_t receive(char *data, size_t one, size_t size, void *context)
{
	struct reply *reply = context;
	(void)one;
	char *text = reply->size + size > BYTES_MAX ? NULL
	                                            : realloc(reply->text, reply->size + size + 1);
	if (!text)
		return 0;
	memcpy(text + reply->size, data, size);
	reply->text = text;
	reply->size += size;
	text[reply->size] = '\0';
	return size;
}

static int follow(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
	const struct reply *reply = context;
	(void)a, (void)b, (void)c, (void)d;
	return !go_on(reply->online, reply->watch);
}

/* The status of HTTP; EL_STOPPED; EL_IO if there is none. */
static enum el_status get(const char *url, struct reply *reply, long *http, struct el_error *error)
{
	char why[CURL_ERROR_SIZE] = "";
	CURL *curl = api.init();
	if (!curl)
		return el_fail(error, EL_MEMORY, "libcurl: out of memory");
	api.set(curl, CURLOPT_URL, url);
	api.set(curl, CURLOPT_PROTOCOLS_STR, "http,https");
	api.set(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
	api.set(curl, CURLOPT_FOLLOWLOCATION, 1L);
	api.set(curl, CURLOPT_MAXREDIRS, 3L);
	api.set(curl, CURLOPT_TIMEOUT, (long)SECONDS_MAX);
	api.set(curl, CURLOPT_NOSIGNAL, 1L);
	api.set(curl, CURLOPT_USERAGENT, "endlab/" EL_VERSION);
	api.set(curl, CURLOPT_ACCEPT_ENCODING, "");
	api.set(curl, CURLOPT_WRITEFUNCTION, receive);
	api.set(curl, CURLOPT_WRITEDATA, reply);
	api.set(curl, CURLOPT_NOPROGRESS, 0L);
	api.set(curl, CURLOPT_XFERINFOFUNCTION, follow);
	api.set(curl, CURLOPT_XFERINFODATA, reply);
	api.set(curl, CURLOPT_ERRORBUFFER, why);
	const CURLcode code = api.perform(curl);
	api.get(curl, CURLINFO_RESPONSE_CODE, http);
	api.cleanup(curl);
	if (code == CURLE_ABORTED_BY_CALLBACK)
		return el_fail(error, EL_STOPPED, "stopped");
	if (code == CURLE_WRITE_ERROR) /* receive() has refused */
		return el_fail(error, EL_IO, "expected an answer of at most %d bytes, found more",
		               BYTES_MAX);
	if (code)
		return el_fail(error, EL_IO, "%s", *why ? why : "no answer");
	return EL_OK;
}

#else

static bool load_api(void)
{
	return false;
}

static enum el_status get(const char *url, struct reply *reply, long *http, struct el_error *error)
{
	(void)url, (void)reply, (void)http;
	return el_fail(error, EL_IO, "this build has no libcurl");
}

#endif

/* ---- an answer ---- */

static bool read_plies(const cJSON *number, int *out)
{
	*out = cJSON_IsNumber(number) ? number->valueint : 0;
	return cJSON_IsNumber(number) && *out >= -EL_PLIES_MAX && *out <= EL_PLIES_MAX;
}

/* Each reads a value from an object of the API, for the position that it describes with the clock at 0.
   False: it does not tell. */
static bool read_dtz(const cJSON *object, const char *category, struct el_value *out)
{
	const cJSON *rough = cJSON_GetObjectItemCaseSensitive(object, "dtz");
	const bool precise =
		cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(object, "precise_dtz"));
	const int limit = 2 * EL_RULE_USUAL;
	int dtz;
	if (!read_plies(rough, &dtz))
		return false;
	const int plies = abs(dtz);
	*out = (struct el_value){.outcome = EL_DRAW};
	if (!dtz)
		return !strcmp(category, "draw");
	/* At the limit, a ply more decides. The category counts a ply on the clock after a quiet move. */
	if (plies == limit && !precise && strcmp(category, "win") && strcmp(category, "loss"))
		return false;
	*out = (struct el_value){
		.outcome = plies > limit ? (dtz > 0 ? EL_CURSED_WIN : EL_BLESSED_LOSS)
	                                 : (dtz > 0 ? EL_WIN : EL_LOSS),
		.plies = (uint16_t)plies,
		.rounded = !precise,
	};
	return true;
}

static bool read_dtm(const cJSON *object, const char *category, struct el_value *out)
{
	int dtm;
	if (!read_plies(cJSON_GetObjectItemCaseSensitive(object, "dtm"), &dtm) ||
	    (!dtm && strcmp(category, "draw")))
		return false;
	*out = (struct el_value){
		.outcome = !dtm      ? EL_DRAW
	                   : dtm > 0 ? EL_WIN
	                             : EL_LOSS,
		.plies = (uint16_t)abs(dtm),
	};
	return true;
}

/* Of these three, a ply more or less on the clock makes no other. */
static bool read_outcome(const cJSON *object, const char *category, struct el_value *out)
{
	static const enum el_outcome sure[] = {EL_WIN, EL_DRAW, EL_LOSS};
	(void)object;
	for (size_t i = 0; i < sizeof sure / sizeof *sure; i++)
		if (!strcmp(category, el_outcome_name(sure[i]))) {
			*out = (struct el_value){.outcome = (uint8_t)sure[i]};
			return true;
		}
	return false;
}

static const struct {
	const char *metric;
	bool (*read)(const cJSON *, const char *category, struct el_value *);
} readers[] = {{"dtz50", read_dtz}, {"dtm", read_dtm}, {"wdl50", read_outcome}};

enum { READERS = sizeof readers / sizeof *readers };

/* What an answer tells, by reader: of the position first, then of those after its moves. */
struct told {
	struct el_given list[READERS][EL_MOVES_MAX + 1];
	size_t count[READERS];
};

static void note(const cJSON *object, const struct el_position *p, struct told *told)
{
	const cJSON *category = cJSON_GetObjectItemCaseSensitive(object, "category");
	const char *word = cJSON_IsString(category) ? category->valuestring : "";
	/* The rules tell the end of a game. A depth tells the outcome as well. */
	if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "checkmate")) ||
	    cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "stalemate")))
		return;
	bool known = false;
	for (size_t r = 0; r < READERS; r++) {
		struct el_given *given = &told->list[r][told->count[r]];
		if ((known && readers[r].read == read_outcome) ||
		    !readers[r].read(object, word, &given->value))
			continue;
		known |= readers[r].read == read_dtz;
		given->position = *p;
		told->count[r]++;
	}
}

static void note_all(const cJSON *answer, const struct el_position *p, struct told *told)
{
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = el_chess.moves(p, moves);
	const cJSON *object;
	note(answer, p, told);
	cJSON_ArrayForEach(object, cJSON_GetObjectItemCaseSensitive(answer, "moves"))
	{
		const cJSON *uci = cJSON_GetObjectItemCaseSensitive(object, "uci");
		for (size_t i = 0; i < count && cJSON_IsString(uci); i++) {
			char text[EL_MOVE_MAX];
			struct el_position after;
			el_chess.write_move(p, &moves[i], EL_UCI, text);
			if (strcmp(text, uci->valuestring))
				continue;
			el_chess.play(p, &moves[i], &after);
			note(object, &after, told);
			break;
		}
	}
}

/* ---- asking ---- */

/* Waits until a second has passed since any program of the user asked this server, and notes that one asks
   now. EL_STOPPED. */
static enum el_status take_turn(const struct online *o, const struct el_watch *watch,
                                struct el_error *error)
{
	const struct timespec tick = {.tv_nsec = MS_TICK * 1000000L};
	for (;; nanosleep(&tick, NULL)) {
		struct stat is;
		struct timespec now;
		if (!go_on(o, watch))
			return el_fail(error, EL_STOPPED, "stopped");
		const int fd = open(o->stamp, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
		if (fd < 0 || flock(fd, LOCK_EX) || fstat(fd, &is)) {
			el_fail(error, EL_IO, "%s: %s", o->stamp, strerror(errno));
			if (fd >= 0)
				close(fd);
			return EL_IO;
		}
		clock_gettime(CLOCK_REALTIME, &now);
		const int64_t ms = (now.tv_sec - is.st_mtim.tv_sec) * INT64_C(1000) +
		                   (now.tv_nsec - is.st_mtim.tv_nsec) / 1000000;
		/* A stamp of the future is of a clock that was set back; an empty file was never asked for. */
		const bool mine = !is.st_size || ms >= MS_BETWEEN || ms < 0;
		const bool noted = !mine || (pwrite(fd, "\n", 1, 0) == 1 && !futimens(fd, NULL));
		close(fd);
		if (!noted)
			return el_fail(error, EL_IO, "%s: %s", o->stamp, strerror(errno));
		if (mine)
			return EL_OK;
	}
}

static enum el_status request(const struct online *o, const struct el_position *p,
                              const struct el_watch *watch, struct el_error *error)
{
	char fen[EL_FEN_MAX], url[sizeof o->url + EL_FEN_MAX + 8];
	struct reply reply = {.online = o, .watch = watch};
	struct told *told = calloc(1, sizeof *told);
	long http = 0;
	el_chess.format(p, fen);
	for (char *c = fen; (c = strchr(c, ' '));)
		*c = '_';
	snprintf(url, sizeof url, "%s?fen=%s", o->url, fen);
	enum el_status status =
		told ? get(url, &reply, &http, error) : el_fail(error, EL_MEMORY, "out of memory");
	cJSON *answer = NULL;
	if (!status && http != 200)
		status = http == 400 || http == 404
		                 ? el_fail(error, EL_NEGATIVE, "the server does not know")
		                 : el_fail(error, EL_IO, "HTTP status %ld", http);
	if (!status && !(answer = cJSON_ParseWithLength(reply.text ? reply.text : "", reply.size)))
		status = el_fail(error, EL_IO, "expected an answer in JSON, found '%.40s'",
		                 reply.text ? reply.text : "");
	if (!status) {
		bool any = false;
		note_all(answer, p, told);
		for (size_t r = 0; r < READERS && !status; r++) {
			if (!told->count[r])
				continue;
			any = true;
			status = el_answers_add(o->folder, o->name,
			                        el_metric_find(readers[r].metric), told->list[r],
			                        told->count[r], error);
		}
		if (!any)
			status = el_fail(error, EL_NEGATIVE, "the server does not know");
	}
	cJSON_Delete(answer);
	free(reply.text);
	free(told);
	return status;
}

static enum el_status ask(void *context, const struct el_game *game,
                          const struct el_position *position, const struct el_watch *watch,
                          struct el_error *error)
{
	struct online *o = context;
	struct el_position p = *position;
	struct el_error why = {.text = ""};
	enum el_status status = EL_OK;
	p.halfmove = 0;
	p.fullmove = 1;
	(void)game;
	pthread_mutex_lock(&o->lock);
	for (size_t i = 0; i < o->count && i < ASKED_MAX && !status; i++)
		if (el_position_equal(&o->asked[i], &p))
			status = el_fail(error, EL_NEGATIVE, "%s: the server knows no more",
			                 o->name);
	if (!status && clock_ms() < o->rest)
		status = el_fail(error, o->fault.status, "%s", o->fault.text);
	else if (!status) {
		status = take_turn(o, watch, &why);
		if (!status)
			status = request(o, &p, watch, &why);
		if (status <= EL_NEGATIVE)
			o->asked[o->count++ % ASKED_MAX] = p;
		else if (status && status != EL_STOPPED) {
			o->rest = clock_ms() + MS_AFTER_FAULT;
			el_fail(&o->fault, status, "%s: %s", o->name, why.text);
		}
		if (status)
			el_fail(error, status, "%s: %s", o->name, why.text);
	}
	pthread_mutex_unlock(&o->lock);
	return status;
}

/* ---- an address ---- */

/* "https://tablebase.lichess.ovh" -> its name, with '_' for what may not be in that of a folder. */
static bool take_address(const char *url, struct online *o)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789-._~:/[]@%+";
	const char *host = !strncmp(url, "https://", 8)  ? url + 8
	                   : !strncmp(url, "http://", 7) ? url + 7
	                                                 : "";
	const size_t length = strcspn(host, "/");
	size_t all = strlen(url);
	while (all && url[all - 1] == '/')
		all--;
	if (!length || *host == '.' || length >= sizeof o->name || url[strspn(url, letters)])
		return false;
	const bool bare = host + length >= url + all;
	memcpy(o->name, host, length);
	return snprintf(o->url, sizeof o->url, "%.*s%s", (int)all, url, bare ? "/standard" : "") <
	       (int)sizeof o->url;
}

enum el_status online_open(const char *url, struct online **out, struct el_error *error)
{
	char inside[sizeof((struct online *)0)->name + 16];
	struct online *o = calloc(1, sizeof *o);
	if (!o)
		return el_fail(error, EL_MEMORY, "--online: out of memory");
	pthread_mutex_init(&o->lock, NULL);
	o->elsewhere = (struct el_elsewhere){o->name, o->folder, &el_chess, PIECES_MAX, ask, o};
	enum el_status status = EL_OK;
	if (!take_address(url, o))
		status = el_fail(error, EL_USAGE,
		                 "--online: expected an address such as "
		                 "https://tablebase.lichess.ovh, found '%s'",
		                 url);
	else if (!load_api())
		status = el_fail(error, EL_NEGATIVE, "--online: libcurl is not installed");
	snprintf(inside, sizeof inside, "online/%s/asked", o->name);
	for (char *c = inside; (c = strchr(c, ':'));)
		*c = '_'; /* it would end the folder's name in a list of folders */
	if (!status && !place_of_cache(inside, o->stamp))
		status = el_fail(error, EL_IO, "--online: no folder for answers: set HOME");
	if (!status) {
		memcpy(o->folder, o->stamp, sizeof o->folder);
		*strrchr(o->folder, '/') = '\0';
		place_make_folders(o->stamp);
		if (access(o->folder, W_OK))
			status = el_fail(error, EL_IO, "%s: %s", o->folder, strerror(errno));
	}
	if (status)
		online_close(o);
	else
		*out = o;
	return status;
}

void online_close(struct online *o)
{
	if (!o)
		return;
	pthread_mutex_destroy(&o->lock);
	free(o);
}

const struct el_elsewhere *online_elsewhere(const struct online *o)
{
	return &o->elsewhere;
}
