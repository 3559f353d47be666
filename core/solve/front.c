/* SPDX-License-Identifier: MIT */
#include "front.h"

#include <stdlib.h>
#include <string.h>

enum el_status front_open(struct front *front, struct scratch *s, const struct el_sets *sets)
{
	const size_t units = sets->units;
	enum el_status status = paged_open_set(&front->pages, s, sets);
	front->words = calloc(units, sizeof *front->words);
	front->few = calloc(units, sizeof *front->few);
	return status ? status : front->words && front->few ? EL_OK : EL_MEMORY;
}

void front_close(struct front *front)
{
	for (size_t unit = 0; front->few && unit < front->pages.count; unit++)
		free(front->few[unit]);
	paged_close(&front->pages);
	free(front->few);
	free(front->words);
	*front = (struct front){.words = NULL};
}

void front_empty(struct front *front, size_t unit)
{
	free(front->few[unit]);
	front->few[unit] = NULL;
	front->words[unit] = 0;
	page_empty(&front->pages, unit);
}

void front_move(struct front *from, struct front *to, size_t unit)
{
	front_empty(to, unit);
	page_move(&from->pages, &to->pages, unit);
	to->words[unit] = from->words[unit];
	to->few[unit] = from->few[unit];
	from->words[unit] = 0;
	from->few[unit] = NULL;
}

/* Notes so many words, and gets room for them as a list. */
static struct el_word *keep_few(struct front *front, size_t unit, size_t count, size_t most)
{
	front->words[unit] = (uint32_t)count;
	front->few[unit] = count && count <= most ? malloc(count * sizeof **front->few) : NULL;
	return front->few[unit];
}

void front_keep_words(struct front *front, size_t unit, const struct el_word *list, size_t count,
                      size_t most)
{
	struct el_word *few = keep_few(front, unit, count, most);
	uint64_t *page = count && !few ? page_new(&front->pages, unit) : NULL;
	if (few)
		memcpy(few, list, count * sizeof *few);
	if (!page)
		return;
	memset(page, 0, front->pages.page[unit].size);
	for (size_t i = 0; i < count; i++)
		page[list[i].word] = list[i].bits;
	page_release(&front->pages, unit);
}

void front_keep(struct front *front, size_t unit, const uint64_t *set, size_t most)
{
	const size_t words = front->pages.page[unit].size / sizeof *set;
	size_t count = 0;
	for (size_t w = 0; w < words; w++)
		count += set[w] != 0;
	struct el_word *few = keep_few(front, unit, count, most);
	if (count && !few)
		page_put(&front->pages, unit, set);
	for (size_t w = 0; few && count; w++) {
		*few = (struct el_word){set[w], (uint32_t)w};
		few += set[w] != 0;
		count -= set[w] != 0;
	}
}
