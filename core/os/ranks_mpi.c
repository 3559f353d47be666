/* SPDX-License-Identifier: MIT */
/* Carries the messages of ranks.h with MPI (the standard's version 3.1, chapters 3 and 5). */
#include "ranks.h"

#include "core/base/clock.h"

#include <fcntl.h>
#include <lzma.h>
#include <mpi.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	WITH_HEAD = 120,    /* bytes of a short message, which comes with its size */
	PORTION = 64 << 20, /* bytes: MPI counts in int */
	SPINS = 2000,       /* before a waiting thread sleeps a little */
};

/* Seconds that a rank which was told to stop waits for the others: mpirun kills what is left one second
   after it has told all to stop. */
static const double GRACE = 0.5;

struct head {
	uint64_t size;
	uint8_t bytes[WITH_HEAD];
};

struct travel {
	int (*stopping)(void);
	struct head *out, *in; /* one for each rank; owned */
};

static enum el_status fail_mpi(int code, struct el_error *error)
{
	char why[MPI_MAX_ERROR_STRING];
	int length = 0;
	if (MPI_Error_string(code, why, &length) || !length)
		strcpy(why, "unknown error");
	return el_fail(error, EL_IO, "another rank cannot be reached: MPI: %s", why);
}

/* Waits for all requests. The processor's time belongs to the ranks that still work. */
static enum el_status wait_for(const struct travel *t, MPI_Request *requests, int count,
                               struct el_error *error)
{
	double since = 0;
	for (unsigned spins = 0;; spins++) {
		int done;
		const int code = MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE);
		if (code)
			return fail_mpi(code, error);
		if (done)
			return EL_OK;
		if (t->stopping() && since == 0)
			since = clock_seconds();
		if (since > 0 && clock_seconds() - since > GRACE)
			return el_fail(error, EL_STOPPED,
			               "stopped; another rank is gone, or still at work");
		if (spins < SPINS)
			sched_yield();
		else
			nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
	}
}

static enum el_status carry(struct ranks *r, struct el_error *error)
{
	struct travel *t = r->context;
	MPI_Request request = MPI_REQUEST_NULL;
	for (unsigned i = 0; i < r->count; i++) {
		const struct message *m = &r->out[i];
		t->out[i].size = m->size;
		if (m->size && m->size <= WITH_HEAD)
			memcpy(t->out[i].bytes, m->bytes, m->size);
	}
	int code = MPI_Ialltoall(t->out, sizeof *t->out, MPI_BYTE, t->in, sizeof *t->in, MPI_BYTE,
	                         MPI_COMM_WORLD, &request);
	enum el_status status = code ? fail_mpi(code, error) : wait_for(t, &request, 1, error);
	/* Long messages travel in portions, of which each pair of ranks has one on its way. */
	uint64_t longest = 0;
	for (unsigned i = 0; i < r->count && !status; i++) {
		const uint64_t sizes[] = {t->in[i].size, t->out[i].size};
		if (!message_take(&r->in[i], t->in[i].size))
			status = el_fail(error, EL_MEMORY, "out of memory for a message");
		else if (sizes[0] && sizes[0] <= WITH_HEAD)
			memcpy(r->in[i].bytes, t->in[i].bytes, sizes[0]);
		for (unsigned k = 0; k < 2; k++)
			longest = sizes[k] > longest ? sizes[k] : longest;
	}
	MPI_Request *requests = malloc(2 * r->count * sizeof *requests);
	if (!requests && !status)
		status = el_fail(error, EL_MEMORY, "out of memory for a message");
	for (uint64_t at = 0; at < longest && longest > WITH_HEAD && !status; at += PORTION) {
		int count = 0;
		for (unsigned i = 0; i < 2 * r->count && !status; i++) {
			struct message *m = i % 2 ? &r->out[i / 2] : &r->in[i / 2];
			if (m->size <= WITH_HEAD || m->size <= at)
				continue;
			const int size = (int)(m->size - at < PORTION ? m->size - at : PORTION);
			const int other = (int)(i / 2);
			code = i % 2 ? MPI_Isend(m->bytes + at, size, MPI_BYTE, other, 0,
			                         MPI_COMM_WORLD, &requests[count++])
			             : MPI_Irecv(m->bytes + at, size, MPI_BYTE, other, 0,
			                         MPI_COMM_WORLD, &requests[count++]);
			if (code)
				status = fail_mpi(code, error);
		}
		if (!status)
			status = wait_for(t, requests, count, error);
	}
	free(requests);
	return status;
}

/* What tells one program from another. */
static uint64_t checksum_of_program(void)
{
	static uint8_t bytes[1 << 16];
	uint64_t sum = 0;
	const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	for (ssize_t n; fd >= 0 && (n = read(fd, bytes, sizeof bytes)) > 0;)
		sum = lzma_crc64(bytes, (size_t)n, sum);
	if (fd >= 0)
		close(fd);
	return sum;
}

struct greeting {
	char host[64], version[32];
	uint64_t program;
};

/* Learns where the others are, and that they are the same program. */
static enum el_status greet(struct ranks *r, struct el_error *error)
{
	struct greeting mine = {.program = checksum_of_program()};
	gethostname(mine.host, sizeof mine.host - 1);
	snprintf(mine.version, sizeof mine.version, "%s", EL_VERSION);
	bool good = true;
	for (unsigned i = 0; i < r->count; i++)
		good &= message_add(&r->out[i], &mine, sizeof mine);
	enum el_status status = ranks_swap(r, error);
	for (unsigned i = 0; i < r->count && !status && good; i++) {
		struct greeting theirs;
		const struct greeting *first = (const struct greeting *)r->in[0].bytes;
		good = r->in[i].size == sizeof theirs;
		if (!good)
			break;
		memcpy(&theirs, r->in[i].bytes, sizeof theirs);
		memcpy(r->host[i], theirs.host, sizeof theirs.host);
		if (theirs.program != first->program)
			status = el_fail(error, EL_USAGE,
			                 "rank %u on %s runs another endlab (%s) than rank 0 on %s "
			                 "(%s): expected the same program",
			                 i, theirs.host, theirs.version, first->host,
			                 first->version);
	}
	return status || good ? status : el_fail(error, EL_MEMORY, "out of memory for a message");
}

/* A rank that shares its machine with others has its part of the processors, unless they are bound. */
static void share_machine(struct ranks *r)
{
	MPI_Comm here;
	int count = 1;
	if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here))
		return;
	MPI_Comm_size(here, &count);
	MPI_Comm_free(&here);
	MPI_Allreduce(&count, &r->here, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	const long all = sysconf(_SC_NPROCESSORS_ONLN), mine = omp_get_num_procs();
	const long part = mine * count <= all ? mine : all / count;
	if (part < omp_get_max_threads())
		omp_set_num_threads(part > 1 ? (int)part : 1);
}

static void free_ranks(struct ranks *r)
{
	struct travel *t = r->context;
	for (unsigned i = 0; i < r->count; i++) {
		if (r->out)
			free(r->out[i].bytes);
		if (r->in)
			free(r->in[i].bytes);
	}
	free(r->out);
	free(r->in);
	free(r->host);
	if (t) {
		free(t->out);
		free(t->in);
	}
	free(t);
	free(r);
}

enum el_status ranks_open(int (*stopping)(void), struct ranks **out, struct el_error *error)
{
	*out = NULL;
	/* Set by Open MPI and by srun, and by MPICH. */
	if (!getenv("PMIX_RANK") && !getenv("PMI_RANK"))
		return EL_OK;
	int got, rank, count;
	const int code = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &got);
	if (code)
		return fail_mpi(code, error);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &count);
	struct ranks *r = calloc(1, sizeof *r);
	struct travel *t = calloc(1, sizeof *t);
	if (!r || !t) {
		free(r);
		free(t);
		return el_fail(error, EL_MEMORY, "out of memory for ranks");
	}
	*r = (struct ranks){.rank = (unsigned)rank,
	                    .count = (unsigned)count,
	                    .here = (unsigned)count,
	                    .out = calloc((size_t)count, sizeof *r->out),
	                    .in = calloc((size_t)count, sizeof *r->in),
	                    .host = calloc((size_t)count, sizeof *r->host),
	                    .carry = carry,
	                    .context = t};
	t->stopping = stopping;
	t->out = calloc((size_t)count, sizeof *t->out);
	t->in = calloc((size_t)count, sizeof *t->in);
	enum el_status status = EL_OK;
	if (!r->out || !r->in || !r->host || !t->out || !t->in)
		status = el_fail(error, EL_MEMORY, "out of memory for ranks");
	if (!status)
		status = greet(r, error);
	share_machine(r);
	if (status)
		r->failed = *error;
	*out = r;
	return status;
}

void ranks_close(struct ranks *r)
{
	if (!r)
		return;
	if (!r->rank && !r->failed.status)
		ranks_tell(r, NULL); /* the others are in order_take */
	/* Finalizing would wait for ever for a rank that is gone. */
	if (!r->failed.status || r->failed.status == EL_USAGE)
		MPI_Finalize();
	free_ranks(r);
}
