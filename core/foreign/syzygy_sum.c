/* SPDX-License-Identifier: MIT */
/*
 * The checksum of Syzygy files: hashes of the CityHash family, version 1.0 (Geoff Pike and Jyrki
 * Alakuijala, 2011). Each chunk of 16 MiB is hashed to 32 bytes with the help of CRC-32C, and these
 * are hashed again to 16 bytes, in another way if there are few. The constants and the order of the
 * steps are the family's and mean nothing.
 */
#include "syzygy.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>

/* Each step is compiled in place, with the instructions that its caller may use. */
#define INLINE static inline __attribute__((always_inline))

/* Odd numbers to multiply with. */
#define K0    UINT64_C(0xc3a5c85c97cb3127)
#define K1    UINT64_C(0xb492b66fbe98f273)
#define K3    UINT64_C(0xc949d7c7509e6557)
#define BLEND UINT64_C(0x9ddfea08eb382d69)

static inline uint64_t word(const uint8_t *at)
{
	uint64_t bytes;
	memcpy(&bytes, at, sizeof bytes);
	return le64toh(bytes);
}

/* To the right, by 1 .. 63. */
static inline uint64_t turn(uint64_t x, unsigned by)
{
	return x >> by | x << (64 - by);
}

static inline uint64_t fold(uint64_t x)
{
	return x ^ x >> 47;
}

static inline uint64_t blend(uint64_t x, uint64_t y)
{
	return fold((y ^ fold((x ^ y) * BLEND)) * BLEND) * BLEND;
}

/* ---- chunks ---- */

enum { LANES = 5, UNIT = 8 * LANES, ROUND = 6 * UNIT };

/* Each unit of 40 bytes shifts all lanes by one and gives a word to each but the last; each lane's
   content then goes into a CRC of its own. */
struct lanes {
	uint64_t at[LANES + 1];
	uint32_t crc[LANES];
};

/* The effect of each hexadecimal digit of a word on its CRC-32C, by place and value. */
struct crc_table {
	uint32_t of[16][16];
};

typedef uint32_t crc_step(const struct crc_table *, uint32_t crc, uint64_t word);

static uint32_t crc_by_table(const struct crc_table *t, uint32_t crc, uint64_t word)
{
	const uint64_t digits = word ^ crc;
	uint32_t next = 0;
	for (unsigned place = 0; place < 16; place++)
		next ^= t->of[place][digits >> 4 * place & 15];
	return next;
}

INLINE void absorb_unit(struct lanes *l, const uint8_t *unit, bool plain,
                        const struct crc_table *table, crc_step *step)
{
	static const unsigned turns[LANES] = {41, 27, 41, 33, 25};
	const uint64_t first = l->at[0];
	for (unsigned i = 0; i < LANES; i++) {
		const uint64_t next = plain ? turn(l->at[i + 1], turns[i] ^ 1)
		                            : turn(l->at[i + 1], turns[i]) * K0;
		l->at[i] = next + word(unit + 8 * i);
		l->crc[i] = step(table, l->crc[i], l->at[i]);
	}
	l->at[LANES] = first;
}

/* Absorbs rounds of six units, plain ones and others in turn, then the rest; the last unit ends
   with the chunk. */
INLINE void absorb(struct lanes *out, const uint8_t *bytes, size_t size,
                   const struct crc_table *table, crc_step *step)
{
	struct lanes l = *out;
	for (; size >= ROUND; size -= ROUND)
		for (unsigned i = 0; i < ROUND / UNIT; i++, bytes += UNIT)
			absorb_unit(&l, bytes, i % 2 == 0, table, step);
	for (; size >= UNIT; size -= UNIT, bytes += UNIT)
		absorb_unit(&l, bytes, false, table, step);
	if (size)
		absorb_unit(&l, bytes + size - UNIT, false, table, step);
	*out = l;
}

static void absorb_by_table(struct lanes *l, const uint8_t *bytes, size_t size)
{
	static const uint32_t polynomial = 0x82f63b78; /* of Castagnoli, its bits in reverse */
	struct crc_table table;
	for (uint32_t digit = 0; digit < 16; digit++) {
		uint32_t crc = digit;
		for (unsigned place = 16; place-- > 0; table.of[place][digit] = crc)
			for (unsigned bit = 0; bit < 4; bit++)
				crc = crc >> 1 ^ (crc & 1 ? polynomial : 0);
	}
	absorb(l, bytes, size, &table, crc_by_table);
}

#if defined __x86_64__
static inline __attribute__((target("sse4.2"))) uint32_t
crc_by_machine(const struct crc_table *table, uint32_t crc, uint64_t word)
{
	(void)table;
	return (uint32_t)__builtin_ia32_crc32di(crc, word);
}

static __attribute__((target("sse4.2"))) void absorb_by_machine(struct lanes *l,
                                                                const uint8_t *bytes, size_t size)
{
	absorb(l, bytes, size, NULL, crc_by_machine);
}

static bool has_machine(void)
{
	return __builtin_cpu_supports("sse4.2");
}
#else
#define absorb_by_machine absorb_by_table
static bool has_machine(void)
{
	return false;
}
#endif

/* Mixes the lanes and their CRCs; `head` are the two words that the chunk began with. */
static void finish(const struct lanes *l, const uint64_t head[2], uint64_t out[4])
{
	const uint64_t *at = l->at;
	const uint64_t crc4 = l->crc[4] + ((uint64_t)l->crc[3] << 32);
	const uint64_t crc2 = l->crc[2] + ((uint64_t)l->crc[1] << 32);
	const uint64_t a = blend(at[0], crc4), b = at[1] + crc2;
	const uint64_t c = blend(at[2], l->crc[0]) + l->crc[3], d = blend(at[3], at[4] + head[0]);
	const uint64_t j = crc4 + at[4], i = l->crc[3] + blend(crc2, at[5]);
	const uint64_t e = blend(a, d) + j, f = blend(b, c) + a, g = blend(j, i) + c;
	uint64_t x = fold((a + g) * K0) * K0 + b;
	out[0] = e + f + g + crc2;
	out[1] = head[1] + x + out[0];
	x = fold(x * K0) * K0 + c;
	out[2] = x + out[1];
	out[3] = fold((x + e) * K0) * K0 + out[2];
}

static void hash_chunk(const uint8_t *bytes, size_t size, bool by_table, uint64_t out[4])
{
	/* A chunk shorter than a round is padded with zeros. */
	uint8_t filled[ROUND] = {0};
	uint32_t seed = 0;
	if (size < ROUND) {
		memcpy(filled, bytes, size);
		seed = ~(uint32_t)size;
		bytes = filled;
		size = ROUND;
	}
	struct lanes l = {
		.at = {word(bytes + 56) + K0, word(bytes + 96) + K0, 0, 0,
	               word(bytes + 184) + seed},
		.crc = {seed},
	};
	const uint64_t head[2] = {blend(l.at[1], size), word(bytes + 120) * K0 + size};
	l.at[2] = head[0];
	l.at[3] = head[1];
	l.at[5] = head[0] + head[1];
	if (has_machine() && !by_table)
		absorb_by_machine(&l, bytes, size);
	else
		absorb_by_table(&l, bytes, size);
	finish(&l, head, out);
}

void sum_chunk(const uint8_t *bytes, size_t size, bool by_table, uint8_t out[SUM_OF_CHUNK])
{
	uint64_t hash[4];
	hash_chunk(bytes, size, by_table, hash);
	for (unsigned i = 0; i < 4; i++)
		memcpy(out + 8 * i, &(uint64_t){htole64(hash[i])}, 8);
}

/* ---- the chunks' hashes ---- */

struct two {
	uint64_t first, second;
};

/* Up to four chunks. `bytes` is a multiple of 16, at least that. */
static struct two hash_few(const uint8_t *bytes, size_t size, struct two seed)
{
	uint64_t a = seed.first, b = seed.second, c, d;
	if (size == 16) {
		const uint64_t high = word(bytes + 8);
		a = fold(a * K1) * K1;
		c = b * K1 + (blend(word(bytes), turn(high + size, (unsigned)size)) ^ high);
		d = fold(a + word(bytes));
	} else {
		c = blend(word(bytes + size - 8) + K1, a);
		d = blend(b + size, c + word(bytes + size - 16));
		a += d;
		for (; size > 16; size -= 16, bytes += 16) {
			a = (a ^ fold(word(bytes) * K1) * K1) * K1;
			b ^= a;
			c = (c ^ fold(word(bytes + 8) * K1) * K1) * K1;
			d ^= c;
		}
	}
	a = blend(a, c);
	b = blend(d, b);
	return (struct two){a ^ b, blend(b, a)};
}

/* 32 bytes into two words. */
static struct two soak(const uint8_t *bytes, uint64_t a, uint64_t b)
{
	a += word(bytes);
	b = turn(b + a + word(bytes + 24), 21);
	const uint64_t sum = a + word(bytes + 8) + word(bytes + 16);
	return (struct two){sum + word(bytes + 24), b + turn(sum, 44) + a};
}

/* Seven words that absorb blocks of 64 bytes. */
struct pool {
	uint64_t x, y, z;
	struct two v, w;
};

static void pool_block(struct pool *p, const uint8_t *bytes)
{
	const uint64_t x = p->x, y = p->y;
	p->x = turn(x + y + p->v.first + word(bytes + 8), 37) * K1 ^ p->w.second;
	p->y = turn(y + p->v.second + word(bytes + 48), 42) * K1 + p->v.first + word(bytes + 40);
	p->z = turn(p->z + p->w.first, 33) * K1;
	p->v = soak(bytes, p->v.second * K1, p->x + p->w.first);
	p->w = soak(bytes + 32, p->z + p->w.second, p->y + word(bytes + 16));
	const uint64_t swapped = p->z;
	p->z = p->x;
	p->x = swapped;
}

/* From five chunks on: two blocks at a time, then pieces of 32 bytes from the end, the last of
   which may overlap bytes already hashed. */
static struct two hash_some(const uint8_t *bytes, size_t size, struct two seed)
{
	struct pool p = {.x = seed.first, .y = seed.second, .z = size * K1};
	p.v.first = turn(p.y ^ K1, 49) * K1 + word(bytes);
	p.v.second = turn(p.v.first, 42) * K1 + word(bytes + 8);
	p.w.first = turn(p.y + p.z, 35) * K1 + p.x;
	p.w.second = turn(p.x + word(bytes + 88), 53) * K1;
	for (; size >= 128; size -= 128, bytes += 128) {
		pool_block(&p, bytes);
		pool_block(&p, bytes + 64);
	}
	p.x += turn(p.v.first + p.z, 49) * K0;
	p.z += turn(p.w.first, 37) * K0;
	const uint8_t *end = bytes + size;
	for (size_t done = 0; done < size;) {
		done += 32;
		p.y = turn(p.x + p.y, 42) * K0 + p.v.second;
		p.w.first += word(end - done + 16);
		p.x = p.x * K0 + p.w.first;
		p.z += p.w.second + word(end - done);
		p.w.second += p.v.first;
		p.v = soak(end - done, p.v.first + p.z, p.v.second);
	}
	p.x = blend(p.x, p.v.first);
	p.y = blend(p.y + p.z, p.w.first);
	return (struct two){blend(p.x + p.v.second, p.w.second) + p.y,
	                    blend(p.x + p.w.second, p.y + p.v.second)};
}

void sum_join(const uint8_t *chunks, size_t count, uint8_t out[SUM_OF_FILE])
{
	enum { SEED = 16, FEW_MAX = 128, SOME_MAX = 900 };
	const size_t size = count * SUM_OF_CHUNK, rest = size - SEED;
	const struct two seed = {word(chunks) ^ K3, word(chunks + 8)};
	uint64_t hash[4];
	if (size > SOME_MAX) {
		hash_chunk(chunks, size, false, hash);
	} else {
		struct two two = rest < FEW_MAX ? hash_few(chunks + SEED, rest, seed)
		                                : hash_some(chunks + SEED, rest, seed);
		hash[2] = two.first;
		hash[3] = two.second;
	}
	for (unsigned i = 0; i < 2; i++)
		memcpy(out + 8 * i, &(uint64_t){htole64(hash[2 + i])}, 8);
}

/* ---- is a file as its generator made it? ---- */

enum { READ_BYTES = 1 << 20 }; /* of a chunk at a time: a check is stopped between two */

enum el_status syzygy_check(struct el_source *source, const struct el_watch *watch,
                            struct el_error *error)
{
	const struct foreign *f = (const struct foreign *)source;
	const uint64_t bytes = source->bytes - SUM_OF_FILE;
	const size_t count = (size_t)((bytes + SUM_CHUNK - 1) / SUM_CHUNK);
	uint8_t *chunk = malloc(bytes < SUM_CHUNK ? (size_t)bytes : SUM_CHUNK);
	uint8_t *sums = malloc(count * SUM_OF_CHUNK);
	uint8_t sum[2][SUM_OF_FILE]; /* expected, found */
	char text[2][2 * SUM_OF_FILE + 1];
	enum el_status status = chunk && sums ? EL_OK : foreign_no_memory(source->path, error);
	for (size_t i = 0; i < count && !status; i++) {
		const uint64_t at = (uint64_t)i * SUM_CHUNK, rest = bytes - at;
		const size_t size = rest < SUM_CHUNK ? (size_t)rest : SUM_CHUNK;
		for (size_t done = 0, part; done < size && !status; done += part) {
			part = size - done < READ_BYTES ? size - done : READ_BYTES;
			status = foreign_tick(source, watch, at + done, source->bytes, "bytes",
			                      error);
			if (!status)
				status = input_read(&f->input, "checksum", chunk + done, part,
				                    at + done, error);
		}
		if (!status)
			sum_chunk(chunk, size, false, sums + i * SUM_OF_CHUNK);
	}
	if (!status)
		status = input_read(&f->input, "checksum", sum[0], SUM_OF_FILE, bytes, error);
	if (!status)
		sum_join(sums, count, sum[1]);
	if (!status && memcmp(sum[0], sum[1], SUM_OF_FILE)) {
		for (unsigned i = 0; i < 2 * SUM_OF_FILE; i++)
			snprintf(text[i / SUM_OF_FILE] + 2 * (i % SUM_OF_FILE), 3, "%02x",
			         sum[i / SUM_OF_FILE][i % SUM_OF_FILE]);
		status = el_fail(error, EL_DAMAGED, "%s: expected checksum %s, found %s",
		                 source->path, text[0], text[1]);
	}
	free(chunk);
	free(sums);
	return status;
}
