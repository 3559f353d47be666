/* SPDX-License-Identifier: MIT */
#include "ranks.h"

#include <stdlib.h>
#include <string.h>

/* ---- messages ---- */

static bool make_room(struct message *m, size_t size)
{
	size_t room = m->room ? m->room : 256;
	while (room < size)
		room *= 2;
	uint8_t *bytes = room > m->room ? realloc(m->bytes, room) : m->bytes;
	if (!bytes)
		return false;
	m->bytes = bytes;
	m->room = room;
	return true;
}

bool message_add(struct message *m, const void *bytes, size_t size)
{
	if (!make_room(m, m->size + size))
		return false;
	if (size)
		memcpy(m->bytes + m->size, bytes, size);
	m->size += size;
	return true;
}

bool message_take(struct message *m, size_t size)
{
	if (!make_room(m, size))
		return false;
	m->size = size;
	return true;
}

/* ---- all ranks ---- */

enum el_status ranks_swap(struct ranks *r, struct el_error *error)
{
	for (unsigned i = 0; i < r->count; i++)
		r->sent += i == r->rank ? 0 : r->out[i].size;
	if (!r->failed.status)
		r->carry(r, &r->failed);
	for (unsigned i = 0; i < r->count; i++)
		r->out[i].size = 0;
	return r->failed.status ? el_fail(error, r->failed.status, "%s", r->failed.text) : EL_OK;
}

enum el_status ranks_tell(struct ranks *r, struct el_error *error)
{
	bool good = true;
	for (unsigned i = 1; i < r->count && !r->rank; i++)
		good &= message_add(&r->out[i], r->out[0].bytes, r->out[0].size);
	/* The others wait: they must be told something. */
	const enum el_status status = ranks_swap(r, error);
	return status || good ? status : el_fail(error, EL_MEMORY, "out of memory for a message");
}

enum el_status ranks_agree(struct ranks *r, enum el_status status, uint64_t *sum, size_t sums,
                           struct el_error *error)
{
	struct el_error own = {.status = status};
	if (status)
		strcpy(own.text, error->text);
	bool good = true;
	for (unsigned i = 0; i < r->count; i++)
		good &= message_add(&r->out[i], sum, sums * sizeof *sum) &&
		        message_add(&r->out[i], &own, status ? sizeof own : sizeof own.status);
	const enum el_status swapped = ranks_swap(r, error);
	if (swapped)
		return swapped;
	if (!good)
		return el_fail(error, EL_MEMORY, "out of memory for a message");
	unsigned who = r->count;
	enum el_status worst = EL_OK;
	for (unsigned i = 0; i < r->count; i++) {
		const uint8_t *at = r->in[i].bytes;
		enum el_status one = EL_MEMORY;
		uint64_t part;
		for (size_t k = 0; k < sums && r->in[i].size >= sums * sizeof *sum; k++) {
			memcpy(&part, at + k * sizeof part, sizeof part);
			sum[k] = i ? sum[k] + part : part;
		}
		if (r->in[i].size >= sums * sizeof *sum + sizeof one)
			memcpy(&one, at + sums * sizeof *sum, sizeof one);
		if (one && (!worst || (worst == EL_STOPPED && one != EL_STOPPED))) {
			worst = one;
			who = i;
		}
	}
	if (!worst)
		return EL_OK;
	struct el_error why = {.text = "out of memory for a message"};
	if (r->in[who].size == sums * sizeof *sum + sizeof why)
		memcpy(&why, r->in[who].bytes + sums * sizeof *sum, sizeof why);
	why.text[sizeof why.text - 1] = '\0';
	return who ? el_fail(error, worst, "rank %u on %s: %s", who, r->host[who], why.text)
	           : el_fail(error, worst, "%s", why.text);
}
