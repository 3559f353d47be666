/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "opinions.h"
#include "values.h"

#include <stdio.h>

const char *opinion_text(const struct el_opinion *o, bool in_moves, char out[OPINION_MAX])
{
	char sentence[SENTENCE_MAX];
	if (o->status)
		snprintf(out, OPINION_MAX, "unknown: %s", o->error);
	else
		snprintf(out, OPINION_MAX, "%s",
		         value_plain_sentence(o->metric, o->value, in_moves, sentence));
	return out;
}

bool opinion_tells(const struct el_opinions *o, size_t i)
{
	const size_t other = o->list[i].against;
	return other != i && (other < i || o->list[other].against != i);
}

const char *contradiction_text(const struct el_opinions *o, size_t i, char out[CONTRADICTION_MAX])
{
	const struct el_opinion *one = &o->list[o->list[i].against], *other = &o->list[i];
	char said[2][OPINION_MAX];
	snprintf(out, CONTRADICTION_MAX, "%s says %s (%s), %s says %s (%s)", one->path,
	         opinion_text(one, false, said[0]), one->metric->name, other->path,
	         opinion_text(other, false, said[1]), other->metric->name);
	return out;
}

const char *basis_text(const struct el_answer *a, bool folders, char out[OPINION_MAX])
{
	const int bare = a->why_bare && !folders ? (int)a->why_bare : EL_WHY_MAX;
	if (!a->from_moves || *a->why_unknown)
		snprintf(out, OPINION_MAX, "%s%.*s", a->from_moves ? "from its moves: " : "", bare,
		         a->why_unknown);
	else if (a->position.castling && !a->has_slice)
		snprintf(out, OPINION_MAX, "from its moves: tables do not cover such castling");
	else
		snprintf(out, OPINION_MAX, "from its moves: %s is not built",
		         a->has_slice ? a->slice.name : "this material");
	return out;
}
