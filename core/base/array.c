/* SPDX-License-Identifier: MIT */
#include "array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* At least 8. 0: too many elements. */
static size_t room_for(size_t count)
{
	const unsigned bits = count <= 8 ? 3 : 64 - (unsigned)__builtin_clzll(count - 1);
	return bits < 64 ? (size_t)1 << bits : 0;
}

bool array_grow(void *array, size_t count, size_t more, size_t size)
{
	const size_t room = room_for(count + more);
	if (!more || (count && room == room_for(count)))
		return true;
	if (count + more < count || !room || room > SIZE_MAX / size)
		return false;
	void *grown; /* the pointer may have any type, so it is copied as bytes */
	memcpy(&grown, array, sizeof grown);
	grown = realloc(grown, room * size);
	if (grown)
		memcpy(array, &grown, sizeof grown);
	return grown != NULL;
}
