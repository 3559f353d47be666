/* SPDX-License-Identifier: MIT */
#include "orders.h"

#include <string.h>

enum el_status order_give(struct ranks *ranks, const struct order *order, struct el_error *error)
{
	const bool good = message_add(&ranks->out[0], order, sizeof *order);
	const enum el_status status = ranks_tell(ranks, error);
	return status || good ? status : el_fail(error, EL_MEMORY, "out of memory for an order");
}

bool order_take(struct ranks *ranks, struct order *out, struct el_error *error)
{
	error->status = ranks_tell(ranks, error);
	if (error->status || ranks->in[0].size != sizeof *out)
		return false;
	memcpy(out, ranks->in[0].bytes, sizeof *out);
	return true;
}
