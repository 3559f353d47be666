/* SPDX-License-Identifier: MIT */
/*
 * pairs: a grammar of the whole plane, and a code for its phrases.
 *
 * A *symbol* is either a value of the plane or a *rule*, which stands for two other symbols in a
 * row. Expanded, a symbol is a sequence of values: its *phrase*. A block is stored as the codes of
 * symbols whose phrases, concatenated, are its values. Values are numbered first, then rules.
 *
 *     fill      learn.c    runs -> [ rules -> the cheapest phrases that care allows ] ...
 *     prepare   learn.c    rules (repair.c) -> code lengths -> learned bytes
 *     open      pairs.c    learned bytes -> grammar (grammar.c) -> codes
 *     fill_block pairs.c   runs -> the cheapest phrases that care allows
 *     encode    pairs.c    symbols -> the cheapest phrases (parse.c) -> codes in lines
 *     decode    decode.c   line -> codes -> phrases -> symbols
 *
 * Rules are found by recursive pairing (Larsson and Moffat, "Off-line dictionary-based
 * compression", Proc. IEEE 88(11), 2000, section II): the pair of symbols that occurs most often
 * becomes a new symbol, again and again. Phrases are coded by a canonical Huffman code (Schwartz
 * and Kallick, CACM 7(3), 1964). Blocks do not keep the parse that pairing left: dynamic
 * programming over all matching phrases finds the cheapest one, so that free positions take
 * whatever is cheapest. Most of the compression comes from this.
 */
#ifndef CODECS_PAIRS_PAIRS_H
#define CODECS_PAIRS_PAIRS_H

#include "codecs/grammars.h"

enum {
	PAIRS_RULES_MAX = 8192,
	PAIRS_BITS_MAX = 20,      /* longest code, in bits */
	PAIRS_PHRASE_MAX = 65536, /* most values in a phrase */
	/* In planes with more values than this, the fill compares no costs: free positions make the
	   fewest runs. */
	PAIRS_FILL_VALUES = 256,
	PAIRS_NO_VALUE = 0xffffffff, /* no symbol, no value */
};

static inline uint32_t pairs_symbols(const struct el_pairs *g)
{
	return g->value_count + g->rule_count;
}

/* ---- grammar.c ---- */

/* Makes room for `rule_count` rules and sets the lengths of all values to 1. EL_MEMORY. */
enum el_status pairs_grammar_make(struct el_pairs *, uint32_t value_count, uint32_t rule_count,
                                  struct el_error *);
/* Sets `bits` to the code lengths of symbols with these frequencies. Every value gets a code; a
   rule gets one only if it occurs. EL_MEMORY. */
enum el_status pairs_grammar_weigh(struct el_pairs *, const uint64_t *frequency, struct el_error *);
/* Drops the rules that neither occur nor are parts of others, with their frequencies, and weighs
   the rest. Each rule must be numbered after its parts, as pairs_repair leaves them. EL_MEMORY. */
enum el_status pairs_grammar_prune(struct el_pairs *, uint64_t *frequency, struct el_error *);
/* Converts a grammar to bytes (malloc'ed) and back. EL_DAMAGED for bytes that are no grammar. No
   bytes mean a grammar without rules and with codes of equal length. */
enum el_status pairs_grammar_write(const struct el_pairs *, uint8_t **bytes, size_t *size,
                                   struct el_error *);
enum el_status pairs_grammar_read(struct el_pairs *, uint32_t value_count, const uint8_t *bytes,
                                  size_t size, struct el_error *);

/* ---- repair.c ---- */

struct pairs_repair_limits {
	uint32_t rules;       /* most rules to make */
	uint32_t occurrences; /* fewest of a pair that becomes a rule */
	uint32_t length;      /* most values in a phrase */
	uint32_t block;       /* no phrase crosses a multiple of it */
};

/* Learns rules from symbols. Lengths are set, bits are 0, and `frequency` (malloc'ed, by symbol)
   says how often each occurs in what remains of the sequence; free it even after EL_MEMORY. */
enum el_status pairs_repair(const uint16_t *symbols, uint64_t count, uint32_t value_count,
                            const struct pairs_repair_limits *, struct el_pairs *out,
                            uint64_t **frequency, struct el_error *);

/* ---- parse.c ---- */

/* Finds the cheapest phrases under one grammar; for one thread at a time. */
struct pairs_parser;
enum el_status pairs_parser_open(const struct el_pairs *, size_t block, struct pairs_parser **,
                                 struct el_error *);
void pairs_parser_close(struct pairs_parser *);
/* Values of a plane to parse into phrases; some may be free. */
struct pairs_plane {
	const uint16_t *symbols;
	const uint8_t *care; /* enum el_care of each; null: all are exact */
	/* Only if `care` is given: */
	/* the values chosen in the round before: good candidates for this one */
	const uint16_t *last;
	/* el_codec_plane.row: the values one row before and after are likely, too */
	size_t row;
	bool quick; /* fewer choices are tried */
};

/*
 * Finds the cheapest sequence of phrases for a block of `count` values. If one of them begins at
 * value i, choice[i] is its symbol; other elements mean nothing. Returns the bits of all codes.
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

/* Indexes into el_codec_params.option. */
enum { PAIRS_EFFORT, PAIRS_LINE, PAIRS_RULES };

#endif
