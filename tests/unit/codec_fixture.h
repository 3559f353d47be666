/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Codecs as tests use them: each with some of its options, on planes of made-up symbols. */
#ifndef TESTS_CODEC_FIXTURE_H
#define TESTS_CODEC_FIXTURE_H

#include "endlab/codecs.h"

/* A file of the folder that the program was built in; lasts until the next call. */
const char *fixture_built(const char *name);

/* A group's setup: the samples join the list. */
int fixture_load_samples(void **state);

/* `count` symbols below value_count. */
typedef void pattern(uint16_t *symbols, size_t count, uint32_t value_count, uint64_t *state);

/* Null-terminated: constant, noise, runs, ... */
extern pattern *const patterns[];
extern pattern pattern_noise, pattern_runs, pattern_ramp;

/* Calls `test` for each codec in the list with its usual options, and with each option in turn at
   the ends of its range and one above the least. */
void for_each_choice(void (*test)(const struct el_codec_choice *));

/* A plane to be made for a codec. */
struct case_of_codec {
	const struct el_codec_choice *choice;
	uint32_t value_count;
	pattern *make;
	uint64_t seed;
};

/* Calls `test` for each choice, alphabet and pattern: with usual options for each `usual`th of
   them, with others for each `other`th, which are not always the same; on slow runs for a third of these. */
void for_each_case(unsigned usual, unsigned other, void (*test)(const struct case_of_codec *));

struct el_codec_params choice_params(const struct el_codec_choice *, uint32_t value_count,
                                     uint32_t block_positions);

/* A codec that has seen a plane, as a table has it: what it learned, and a coder. */
struct fixture_coder {
	const struct el_codec *codec;
	struct el_codec_params params;
	uint8_t *learned;
	size_t learned_size;
	void *coder;
};

struct fixture_coder fixture_coder(const struct el_codec_choice *, uint32_t value_count,
                                   uint32_t block_positions, const uint16_t *symbols,
                                   uint64_t positions);
void fixture_coder_close(struct fixture_coder *);

/* Malloc'ed; asserts that it is no more than the bound. */
uint8_t *fixture_encode(const struct fixture_coder *, const uint16_t *symbols, size_t count,
                        size_t *size);
/* Encodes one block of at most FIXTURE_BLOCK symbols with a codec as the command line calls it;
   returns how many bytes. */
enum { FIXTURE_BLOCK = 1024 };
size_t fixture_encode_as(const char *text, uint32_t value_count, const uint16_t *symbols,
                         size_t count, uint8_t *out);
/* The bytes of a whole plane, what was learned from it included. */
size_t fixture_plane_bytes(const struct el_codec_choice *, uint32_t value_count,
                           uint32_t block_positions, const uint16_t *symbols, uint64_t positions);

/* A copy of the bytes right before a page that cannot be read, until the next call. */
const uint8_t *fixture_at_the_edge(const uint8_t *bytes, size_t size);

#endif
