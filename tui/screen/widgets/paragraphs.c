/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paragraphs.h"

/* The end of the row that begins at `text`, and its cells. */
static const char *row_end(const char *text, int cols, int *cells)
{
	const char *end = text, *word = text;
	for (*cells = 0; *word && *word != '\n'; word += *word == ' ') {
		const char *behind = word;
		int length = word > text; /* with the blank before it */
		for (; *behind && *behind != ' ' && *behind != '\n'; length++)
			utf8_decode(&behind);
		if (*cells + length > cols)
			break;
		*cells += length;
		word = end = behind;
	}
	if (end == text && *text != '\n') /* the first word is too long */
		for (; *cells < cols; ++*cells)
			utf8_decode(&end);
	return end;
}

/* Skips the blank or newline that ended a row. */
static const char *next_row(const char *end)
{
	return *end == ' ' || *end == '\n' ? end + 1 : end;
}

int paragraphs_rows(const char *text, int cols)
{
	int rows = 0, cells;
	for (; *text && cols > 0; rows++) /* with no columns this would not end */
		text = next_row(row_end(text, cols, &cells));
	return rows;
}

int paragraphs_draw(struct pane p, enum role role, const char *text)
{
	int x = 0, cells;
	for (int y = 0; *text && y < p.rows && p.cols > 3; y++) {
		const char *end = row_end(text, p.cols, &cells), *next = next_row(end);
		bool is_cut = y + 1 == p.rows && *next;
		if (is_cut)
			end = row_end(text, p.cols - 3, &cells);
		for (x = 0; text < end; x++)
			pane_put(p, y, x, role, utf8_decode(&text));
		if (is_cut)
			x = pane_text(p, y, x, role, "...");
		text = next;
	}
	return x;
}
