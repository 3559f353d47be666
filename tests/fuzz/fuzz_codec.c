/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a block of any codec, and as what it learned: they are damaged or all symbols are in
 * the alphabet, decoded at once or one by one. The first bytes choose the codec and its parameters:
 *
 *     codec, options (8 bytes), alphabet, count (2), size of what was learned (2), learned, block
 */
#include "codecs/codecs.h"
#include "try.h"

#include <string.h>

enum {
	AT_OPTIONS = 1,
	AT_ALPHABET = AT_OPTIONS + EL_CODEC_OPTIONS_MAX,
	AT_COUNT = AT_ALPHABET + 1,
	AT_LEARNED = AT_COUNT + 2,
	HEAD = AT_LEARNED + 2,
};
enum { BLOCK = 4096 };

static const struct el_codec *choose_codec(unsigned number)
{
	size_t count = 0;
	while (el_codec_at(count))
		count++;
	return el_codec_at(number % count);
}

static struct el_codec_params choose_params(const struct el_codec *codec, const uint8_t *data)
{
	static const uint32_t alphabets[] = {1, 2, 3, 4, 5, 16, 17, 200, 256, 257, 5000, 65536};
	struct el_codec_params out = {
		.value_count =
			alphabets[data[AT_ALPHABET] % (sizeof alphabets / sizeof *alphabets)],
		.block_positions = BLOCK,
	};
	for (unsigned i = 0; i < codec->option_count; i++) {
		const struct el_codec_option *o = &codec->options[i];
		const int chosen = o->least + data[AT_OPTIONS + i];
		out.option[i] = chosen > o->most ? o->most : chosen;
	}
	return out;
}

/* A separate copy, so that sanitizers see a read past the end; free it. */
static uint8_t *copy(const uint8_t *bytes, size_t size)
{
	uint8_t *out = malloc(size);
	if (size)
		memcpy(out, bytes, size);
	return out;
}

static void ignore(void *context, const struct el_codec_token *token)
{
	(void)context, (void)token;
}

static void decode(const struct el_codec *codec, const struct el_codec_params *params, void *coder,
                   const uint8_t *bytes, size_t size, size_t count)
{
	uint16_t *symbols = malloc(count * sizeof *symbols), symbol;
	struct el_error error;
	const enum el_status all = codec->decode(coder, bytes, size, symbols, count, &error);
	must(!all || all == EL_DAMAGED || all == EL_MEMORY);
	for (size_t i = 0; !all && i < count; i++)
		must(symbols[i] < params->value_count);
	for (size_t at = 0; codec->decode_one && at < count; at += 1 + count / 16) {
		enum el_status one =
			codec->decode_one(coder, bytes, size, count, at, &symbol, &error);
		must(one ? one == EL_DAMAGED : symbol < params->value_count);
		must(all || (!one && symbol == symbols[at]));
	}
	if (codec->tokens)
		codec->tokens(coder, bytes, size, count, ignore, NULL, &error);
	free(symbols);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct el_error error;
	void *coder;
	if (size < HEAD)
		return 0;
	const struct el_codec *codec = choose_codec(data[0]);
	const struct el_codec_params params = choose_params(codec, data);
	const size_t count = 1 + (size_t)(data[AT_COUNT] | data[AT_COUNT + 1] << 8) % BLOCK;
	const size_t most = size - HEAD;
	const size_t asked = (size_t)(data[AT_LEARNED] | data[AT_LEARNED + 1] << 8);
	const size_t learned_size = asked < most ? asked : most, block_size = most - learned_size;
	uint8_t *learned = copy(data + HEAD, learned_size);
	uint8_t *block = copy(data + HEAD + learned_size, block_size);
	enum el_status status = codec->open(&params, learned, learned_size, &coder, &error);
	must(!status || status == EL_DAMAGED || status == EL_MEMORY ||
	     (status == EL_USAGE && codec->agree));
	if (!status) {
		decode(codec, &params, coder, block, block_size, count);
		codec->close(coder);
	}
	free(block);
	free(learned);
	return 0;
}
