/* SPDX-License-Identifier: MIT */
/* Sends the results of all ranks to rank 0, which makes the planes: its ledger then has those of all
   units, and its undecided positions are those that all ranks left. */
#include "part.h"

enum { SHARE_DRAWN, SHARE_FOUND };

static void put_result(void *context, size_t item)
{
	struct part *p = context;
	struct shares *s = &p->initial.shares;
	struct workspace *space = p->initial.workspaces;
	const unsigned side = (unsigned)(item % p->sets->sides);
	const size_t unit = s->first + item / p->sets->sides;
	const size_t stored = el_sets_stored(p->sets, unit);
	const struct el_meanings meanings = recorder_meanings(p->recorder);
	const struct ledger_list *list = &p->found.list[part_list(p, side, unit)];
	struct paged *undecided = &p->fixpoint.half[side].undecided;
	struct share share = {.unit = (uint32_t)unit, .side = (uint8_t)side};
	if (side >= p->problem->slice.planes)
		return;
	const uint64_t *drawn = page_read(undecided, unit);
	if (drawn) {
		encoder_set(&space->encoder, drawn, NULL, stored);
		page_release(undecided, unit);
		share.kind = SHARE_DRAWN;
		encoder_end(&space->encoder);
		shares_send(s, 0, space->encoder.bytes, space->encoder.size, &share);
	}
	share.kind = SHARE_FOUND;
	for (const struct ledger_entry *e = list->entry; e < list->entry + list->count; e++) {
		struct ledger_cursor cursor;
		size_t word, count = 0;
		uint64_t bits;
		share.tag = (struct ledger_tag){.ply = e->ply,
		                                .value = meanings.values[side][e->symbol]};
		if (!ledger_read(&p->found, &space->encoder, e, &cursor))
			return;
		while (ledger_next(&cursor, &word, &bits) && word < stored) {
			share.tag.stored += (uint32_t)__builtin_popcountll(bits);
			space->list[count++] = (struct el_word){bits, (uint32_t)word};
		}
		encoder_begin(&space->encoder);
		for (size_t i = 0; i < count; i++)
			encoder_word(&space->encoder, space->list[i].word, space->list[i].bits);
		encoder_end(&space->encoder);
		if (count)
			shares_send(s, 0, space->encoder.bytes, space->encoder.size, &share);
	}
}

static void take_result(void *context, const struct share *share, const uint8_t *bytes)
{
	struct ledger_cursor cursor = {.at = bytes, .end = bytes + share->size};
	struct part *p = context;
	struct encoder *e = &p->initial.workspaces->encoder;
	struct paged *undecided = &p->fixpoint.half[share->side].undecided;
	struct ledger_tag tag = share->tag;
	size_t word;
	uint64_t bits;
	if (share->kind == SHARE_DRAWN) {
		uint64_t *page = page_write(undecided, share->unit);
		while (page && ledger_next(&cursor, &word, &bits))
			page[word] = bits;
		if (page)
			page_release(undecided, share->unit);
		return;
	}
	tag.symbol = recorder_symbol(p->recorder, share->side, tag.value, true);
	part_count(p, share->side, tag.value.outcome, tag.stored);
	p->passes = tag.ply > p->passes ? tag.ply : p->passes;
	encoder_begin(e);
	while (ledger_next(&cursor, &word, &bits))
		encoder_word(e, word, bits);
	ledger_add(&p->found, e, part_list(p, share->side, share->unit), &tag);
}

void part_collect(struct part *p)
{
	struct shares *s = &p->initial.shares;
	if (!s->ranks)
		return;
	const bool first = s->ranks->rank == 0;
	uint64_t decided[EL_STAGES_MAX];
	for (unsigned i = 0; i < EL_STAGES_MAX; i++)
		decided[i] = p->initial.stage[i].decided;
	if (ranks_agree(s->ranks, EL_OK, decided, EL_STAGES_MAX, NULL))
		return; /* part_agree says so */
	for (unsigned i = 0; i < EL_STAGES_MAX && first; i++)
		p->initial.stage[i].decided = decided[i];
	shares_exchange(s, first ? 0 : (s->end - s->first) * p->sets->sides, NULL, p, put_result,
	                take_result);
	if (first) {
		s->first = 0;
		s->end = p->sets->units;
	}
}
