/* SPDX-License-Identifier: MIT */
/*
 * The courses of a table's positions (core/base/course.h): the section after the directory of a file
 * whose metric asks for the clock. Its planes hold the values with the clock at 0.
 *
 *     head         COURSES_HEAD bytes: positions in a block, 4; then, 1 byte each, the sizes of the numbers
 *                  of the four lists below
 *     directory    for each block of plane 0, then of plane 1: its bytes, 4, and a CRC-32, 4
 *     blocks       each a zstd frame
 *
 * A block has the courses of the positions of a plane from one index on, in the order of the index,
 * as four lists: how many steps each position has; of each position that has any, how much longer the
 * first step lasts than it must; and of each further step, its `until` less that of the step before,
 * and half of its plies less those of the step before. A mate in D plies lasts at least until the clock
 * 2K - D, for it is over before the limit.
 */
#ifndef CORE_TABLE_COURSES_H
#define CORE_TABLE_COURSES_H

#include "core/base/course.h"
#include "format.h"

struct el_planes;

enum { COURSES_HEAD = 8, COURSES_BLOCK = 4096 };

struct courses; /* the section of an open file */

/* EL_DAMAGED, EL_IO, EL_MEMORY. The input and the header must outlive it. */
enum el_status courses_open(const struct input *, const struct table_header *, struct courses **,
                            struct el_error *);
void courses_close(struct courses *);
/* The block of a plane that has an index; blocks are numbered through both planes. */
uint64_t courses_block_of(const struct courses *, unsigned plane, uint64_t index);
/* Reads a block: malloc'ed. EL_DAMAGED, EL_IO, EL_MEMORY. */
enum el_status courses_load(const struct courses *, uint64_t block, uint8_t **bytes, size_t *size,
                            struct el_error *);
/* Loads each block once. Errors as above. */
enum el_status courses_check(const struct courses *, struct el_error *);
/* The plies to mate of an index of a loaded block at a clock, if they are `plies` at 0; 0: the rule has
   taken the win away. EL_DAMAGED. */
enum el_status courses_plies(const struct courses *, uint64_t block, const uint8_t *bytes,
                             uint64_t index, unsigned plies, unsigned clock, uint16_t *out,
                             struct el_error *);
/* Reads all courses into planes whose values are there. Errors as above. */
enum el_status courses_read(const struct courses *, struct el_planes *, struct el_error *);

#endif
