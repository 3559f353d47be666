/* SPDX-License-Identifier: MIT */
/*
 * Arrays that grow by a few elements at a time. An array that grows through array_grow alone has
 * room for its count rounded up to a power of two, so its capacity need not be stored.
 */
#ifndef CORE_BASE_ARRAY_H
#define CORE_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes room for `more` elements of `size` bytes behind the first `count`. `array` is the address
 * of the pointer to the first one, null if there are none yet; release it with free(). False if out
 * of memory: the array is unchanged.
 */
bool array_grow(void *array, size_t count, size_t more, size_t size);

#endif
