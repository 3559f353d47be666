/* SPDX-License-Identifier: MIT */
/*
 * The checksum of chesstb's files: XXH64 (Yann Collet, "xxHash fast digest algorithm", version 0.1.1,
 * whose constants and steps these are), with a seed of chesstb's own.
 */
#include "chesstb.h"

#include <inttypes.h>

#define SEED UINT64_C(0x0000f0f0f0f0f0f0)
#define P1   UINT64_C(0x9e3779b185ebca87)
#define P2   UINT64_C(0xc2b2ae3d27d4eb4f)
#define P3   UINT64_C(0x165667b19e3779f9)
#define P4   UINT64_C(0x85ebca77c2b2ae63)
#define P5   UINT64_C(0x27d4eb2f165667c5)

enum { LANES = 4, READ_BYTES = 1 << 20 };

static inline uint64_t turn(uint64_t x, unsigned by)
{
	return x << by | x >> (64 - by);
}

static inline uint64_t absorb(uint64_t lane, uint64_t word)
{
	return turn(lane + word * P2, 31) * P1;
}

void chesstb_sum_begin(struct chesstb_sum *s)
{
	*s = (struct chesstb_sum){.lane = {SEED + P1 + P2, SEED + P2, SEED, SEED - P1}};
}

void chesstb_sum_add(struct chesstb_sum *s, const uint8_t *bytes, size_t size)
{
	for (size_t at = 0; at + CHESSTB_SUM_UNIT <= size; at += CHESSTB_SUM_UNIT)
		for (unsigned i = 0; i < LANES; i++)
			s->lane[i] = absorb(s->lane[i], foreign_u64(bytes + at + 8 * (size_t)i));
	s->bytes += size / CHESSTB_SUM_UNIT * CHESSTB_SUM_UNIT;
}

uint64_t chesstb_sum_end(const struct chesstb_sum *s, const uint8_t *rest, size_t size)
{
	static const unsigned turns[LANES] = {1, 7, 12, 18};
	uint64_t sum = s->bytes ? 0 : SEED + P5;
	for (unsigned i = 0; i < LANES && s->bytes; i++)
		sum += turn(s->lane[i], turns[i]);
	for (unsigned i = 0; i < LANES && s->bytes; i++)
		sum = (sum ^ absorb(0, s->lane[i])) * P1 + P4;
	sum += s->bytes + size;
	for (; size >= 8; size -= 8, rest += 8)
		sum = turn(sum ^ absorb(0, foreign_u64(rest)), 27) * P1 + P4;
	for (; size >= 4; size -= 4, rest += 4)
		sum = turn(sum ^ foreign_u32(rest) * P1, 23) * P2 + P3;
	for (; size; size--, rest++)
		sum = turn(sum ^ *rest * P5, 11) * P1;
	sum = (sum ^ sum >> 33) * P2;
	sum = (sum ^ sum >> 29) * P3;
	return sum ^ sum >> 32;
}

enum el_status chesstb_check(struct el_source *source, const struct el_watch *watch,
                             struct el_error *error)
{
	const struct foreign *f = (const struct foreign *)source;
	const uint64_t bytes = source->bytes - CHESSTB_SUM;
	struct chesstb_sum sum;
	uint64_t found = 0;
	uint8_t *part = malloc(READ_BYTES), stored[CHESSTB_SUM] = {0};
	enum el_status status = part ? EL_OK : foreign_no_memory(source->path, error);
	chesstb_sum_begin(&sum);
	for (uint64_t at = 0; at < bytes && !status; at += READ_BYTES) {
		const size_t size = bytes - at < READ_BYTES ? (size_t)(bytes - at) : READ_BYTES;
		const size_t whole = size / CHESSTB_SUM_UNIT * CHESSTB_SUM_UNIT;
		status = foreign_tick(source, watch, at, source->bytes, "bytes", error);
		if (!status)
			status = input_read(&f->input, "checksum", part, size, at, error);
		if (status)
			break;
		chesstb_sum_add(&sum, part, whole);
		found = chesstb_sum_end(&sum, part + whole, size - whole);
	}
	free(part);
	if (!status)
		status = input_read(&f->input, "checksum", stored, sizeof stored, bytes, error);
	if (!status && found != foreign_u64(stored))
		status = el_fail(error, EL_DAMAGED,
		                 "%s: expected checksum %016" PRIx64 ", found %016" PRIx64,
		                 source->path, foreign_u64(stored), found);
	return status;
}
