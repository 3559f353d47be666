/* SPDX-License-Identifier: MIT */
/* The list of codecs, and how a user names one with its options. codec.h says what a codec is. */
#ifndef CODECS_CODECS_H
#define CODECS_CODECS_H

#include "endlab/codec.h"
#include "exact.h"

/* Codec i of the list: built-in ones first, then plug-ins in the order of loading; null past the
   last. */
const struct el_codec *el_codec_at(size_t i);
/* Null when no codec has that name. */
const struct el_codec *el_codec_find(const char *name);

/*
 * For readers of a file that names an unknown codec (el_codec_find). Returns EL_UNREADABLE and says
 * which plug-in the file needs and where to put it, or why the plug-in of that name was refused:
 * "written by codec lz4, which is not loaded: put lz4.so into ~/.local/share/endlab/plugins or set
 * $ENDLAB_PLUGINS".
 */
enum el_status el_codec_missing(const char *name, struct el_error *);

enum { EL_CODEC_FOLDER = 1024 };

/* The user's folder for plug-ins: $XDG_DATA_HOME/endlab/plugins, else
   ~/.local/share/endlab/plugins. Empty if neither that variable nor $HOME is set, or if the name is
   too long. Returns `out`. */
const char *el_codec_folder(char out[EL_CODEC_FOLDER]);

/* A codec and its options, written "raw", "zstd:19" (the first option) or "zstd:19:dict=64" (others
   by name). */
struct el_codec_choice {
	const struct el_codec *codec;
	int option[EL_CODEC_OPTIONS_MAX];
};

enum { EL_CODEC_TEXT = 128 };

/* EL_USAGE names what is wrong, and what is possible: the known codecs, their options, an option's
   range, or the contradiction. */
enum el_status el_codec_parse(const char *text, struct el_codec_choice *out, struct el_error *);
/* EL_USAGE if the options contradict each other. */
enum el_status el_codec_agree(const struct el_codec_choice *, struct el_error *);
/* The inverse of el_codec_parse: always names the first option, and others unless they have their
   default. */
void el_codec_format(const struct el_codec_choice *choice, char out[EL_CODEC_TEXT]);

/* The cost of the answer in bits: -log2 of the probability that the codec gave it. */
static inline double el_codec_question_bits(const struct el_codec_question *q)
{
	return q->ask == EL_ASK_NUMBER ? q->about : -exact_log2(q->answer ? q->yes : 1 - q->yes);
}

#endif
