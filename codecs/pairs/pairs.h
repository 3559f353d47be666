/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pairs: a grammar of the whole plane, and a code for its phrases.
 *
 * A *symbol* is either a value, as the plane has it, or a *rule*, which stands for two other
 * symbols one after the other. Written out, a symbol is a run of values: its *phrase*. A block is
 * stored as the codes of symbols whose phrases, put together, are its values. Symbols are numbered
 * values first, then rules.
 *
 *     fill      learn.c    runs -> [ rules -> the cheapest phrases that care allows ] ...
 *     prepare   learn.c    rules (repair.c) -> code lengths -> learned bytes
 *     open      pairs.c    learned bytes -> grammar (grammar.c) -> codes
 *     fill_block encode.c  runs -> the cheapest phrases that care allows
 *     encode    encode.c   symbols -> the cheapest phrases (parse.c) -> codes in lines
 *     decode    decode.c   line -> codes -> phrases -> symbols
 *
 * Rules are found by recursive pairing (Larsson and Moffat, "Off-line dictionary-based
 * compression", Proc. IEEE 88(11), 2000, section II): the pair of symbols that occurs most often
 * becomes a new symbol, again and again. Phrases are coded by a canonical Huffman code (Schwartz
 * and Kallick, CACM 7(3), 1964). Blocks are not parsed as the pairing left them but by dynamic
 * programming over all phrases that match, so that positions whose symbol is free to be chosen take
 * whatever is cheapest; that is where most of the size comes from.
 */
#ifndef CODECS_PAIRS_PAIRS_H
#define CODECS_PAIRS_PAIRS_H

#include "codecs/grammars.h"

enum {
	PAIRS_RULES_MAX = 8192,
	PAIRS_BITS_MAX = 20,      /* length of a code, at most */
	PAIRS_PHRASE_MAX = 65536, /* values in a phrase, at most */
	/* In planes with more values than that the fill weighs nothing: free positions make the
	   fewest runs. */
	PAIRS_FILL_VALUES = 256,
	PAIRS_NO_VALUE = 0xffffffff, /* no symbol, no value */
};

/* How many symbols there are: values and rules. */
static inline uint32_t pairs_symbols(const struct el_pairs *g)
{
	return g->value_count + g->rule_count;
}

/* ---- grammar.c ---- */

/* Makes room for `rule_count` rules and sets all lengths of values to 1. EL_MEMORY. */
enum el_status pairs_grammar_make(struct el_pairs *, uint32_t value_count, uint32_t rule_count,
                                  struct el_error *);
/* Sets `bits` to the code lengths of symbols with these frequencies: every value gets a code, rules
   that occur do. EL_MEMORY. */
enum el_status pairs_grammar_weigh(struct el_pairs *, const uint64_t *frequency, struct el_error *);
/* Drops the rules that neither occur nor are parts of others, with their frequencies, and weighs
   those that are left. Each rule must be numbered after its parts, as pairs_repair leaves them.
   EL_MEMORY. */
enum el_status pairs_grammar_prune(struct el_pairs *, uint64_t *frequency, struct el_error *);
/* As bytes, malloc'ed, and back. EL_DAMAGED for bytes that are no grammar. No bytes at all are a
   grammar without rules and with codes of equal length. */
enum el_status pairs_grammar_write(const struct el_pairs *, uint8_t **bytes, size_t *size,
                                   struct el_error *);
enum el_status pairs_grammar_read(struct el_pairs *, uint32_t value_count, const uint8_t *bytes,
                                  size_t size, struct el_error *);

/* The codes: of symbols in ascending order of bits, then of number, consecutive numbers with the
   highest bit first. `codes` by symbol. */
void pairs_grammar_codes(const struct el_pairs *, uint32_t *codes);

/* ---- repair.c ---- */

struct pairs_repair_limits {
	uint32_t rules;       /* that are made, at most */
	uint32_t occurrences; /* of a pair that becomes a rule, at least */
	uint32_t length;      /* values in a phrase, at most */
	uint32_t block;       /* no phrase reaches over a multiple of it */
};

/* Learns rules from symbols. Lengths are set, bits are 0, and `frequency` (malloc'ed, by symbol)
   says how often each stands in what is left of the sequence. EL_MEMORY. */
enum el_status pairs_repair(const uint16_t *symbols, uint64_t count, uint32_t value_count,
                            const struct pairs_repair_limits *, struct el_pairs *out,
                            uint64_t **frequency, struct el_error *);

/* ---- parse.c ---- */

/* Finds cheapest phrases under one grammar; for one thread at a time. */
struct pairs_parser;
enum el_status pairs_parser_open(const struct el_pairs *, size_t block, struct pairs_parser **,
                                 struct el_error *);
void pairs_parser_close(struct pairs_parser *);
/* Values of a plane that are to be parsed into phrases, some of which may be free to be chosen. */
struct pairs_plane {
	const uint16_t *symbols;
	const uint8_t *care; /* enum el_care of each; null: all are exact */
	/* Where care is given: */
	/* the values chosen in the round before: good candidates for this one */
	const uint16_t *last;
	/* el_codec_plane.row: what stands a row before or behind is likely, too */
	size_t row;
	bool quick; /* fewer choices are tried */
};

/*
 * The cheapest sequence of phrases for a block of `count` values. Where one of its phrases begins
 * at value i, choice[i] is the symbol of that phrase; other places mean nothing. Returns the bits
 * of all codes.
 */
uint64_t pairs_parse(struct pairs_parser *, const struct pairs_plane *, size_t count,
                     uint32_t *choice);

/* Writes the values that a symbol stands for; at most `room` of them. Returns how many. */
size_t pairs_expand(const struct el_pairs *, uint32_t symbol, uint16_t *values, size_t room);

/* ---- learn.c: members of the codec ---- */

enum el_status pairs_fill(const struct el_codec_params *, const struct el_codec_plane *,
                          const struct el_watch *, struct el_error *);
enum el_status pairs_prepare(const struct el_codec_params *, const struct el_codec_plane *,
                             const struct el_watch *, uint8_t **learned, size_t *size,
                             struct el_error *);

/* The places of the options in el_codec_params. */
enum { PAIRS_EFFORT, PAIRS_LINE, PAIRS_RULES };

#endif
