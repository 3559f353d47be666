/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tells `endlab --notes`, in another terminal, of the step on screen: a text file in the folder of
 * shell_options.state, which each explorer with a lesson replaces, so that the latest one is told
 * of, and removes at its end. After the heading and the number of the process come lines of a word
 * and its value:
 *
 *     title TEXT, step N COUNT, text PARAGRAPH..., note TEXT, hint TEXT, answer TEXT, next TEXT
 *
 * No title: no lesson is playing any more.
 */
#include "lesson.h"

#include "core/os/temporary.h"
#include "tui/text/files.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool find_place(const struct model *m, char path[PATH_MAX])
{
	const char *folder = shell_options(m)->state;
	return folder && snprintf(path, PATH_MAX, "%s/" PRESENTER_NAME, folder) < PATH_MAX;
}

static void write_lines(FILE *out, const char *word, const char *text)
{
	for (const char *end; text && *text; text = end + (*end == '\n')) {
		end = text + strcspn(text, "\n");
		fprintf(out, "%s %.*s\n", word, (int)(end - text), text);
	}
}

/* Nothing waits for the disk, and nothing depends on it: a file that cannot be written is no news
   for the reader of the lesson. */
void lesson_present(struct model *m)
{
	struct lesson *l = lesson_of(m);
	const char *text = lesson_plays(m) ? l->script.steps[l->step].text : NULL;
	char path[PATH_MAX];
	struct el_temporary file;
	if ((text == l->presented && (int)l->quiz.state == l->presented_state) ||
	    !find_place(m, path))
		return;
	l->presented = text;
	l->presented_state = (int)l->quiz.state;
	place_make_folders(path);
	if (el_temporary_file(path, &file, NULL))
		return;
	const int fd = dup(file.fd);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	if (out) {
		fprintf(out, PRESENTER_HEADING " %ld\n", (long)getpid());
		if (text) {
			const struct lesson_step *step = &l->script.steps[l->step];
			const bool has_answer =
				l->quiz.state != QUIZ_NONE && l->quiz.state != QUIZ_FAILED;
			char answer[512] = "";
			if (has_answer)
				ask_words(&step->ask, &l->quiz, answer, sizeof answer);
			fprintf(out, "title %s\nstep %zu %zu\n", l->script.title, l->step + 1,
			        l->script.step_count);
			write_lines(out, "text", step->text);
			write_lines(out, "note", step->note);
			write_lines(out, "hint", step->ask.hint);
			write_lines(out, "answer", answer);
			if (l->step + 1 < l->script.step_count)
				write_lines(out, "next", step[1].text);
		}
	} else if (fd >= 0) {
		close(fd);
	}
	if (!out || fclose(out) || el_temporary_rename(&file, path, NULL))
		el_temporary_remove(&file);
}

void lesson_present_end(struct model *m)
{
	char path[PATH_MAX];
	long process = 0;
	FILE *in = find_place(m, path) ? fopen(path, "r") : NULL;
	if (!in)
		return;
	if (fscanf(in, PRESENTER_HEADING " %ld", &process) == 1 && process == (long)getpid())
		unlink(path);
	fclose(in);
}
