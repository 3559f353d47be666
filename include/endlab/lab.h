/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The compression lab: the same values in files of many kinds, and what a probe of each costs.
 *
 *     el_lab_run(setup) -> for each candidate: write -> read back and compare all -> setup.result
 *                       -> in each of many rounds: each candidate in turn, for a moment
 *                       -> for each candidate: setup.result with times
 *
 * Every candidate is a real file, probed through a library as any user's is, with the same probes in
 * the same order. What disturbs the machine for a while disturbs all of them. Nothing is measured of a candidate that does not hold exactly the right values.
 * Other programs' files are measured as they are: of those, the values that are probed are compared.
 */
#ifndef ENDLAB_LAB_H
#define ENDLAB_LAB_H

#include "endlab/library.h"
#include "endlab/table.h"

/* Which positions are probed, in which order. */
enum el_workload {
	EL_WORKLOAD_RANDOM, /* uniform over the legal positions of the slice */
	EL_WORKLOAD_LINE,   /* walks of optimal and near-optimal play, as an engine meets them */
	EL_WORKLOAD_SCAN,   /* legal positions in the order of the index, from a random one */
	EL_WORKLOADS,
};

/* Null-terminated, by enum el_workload: "random", "line", "scan". */
extern const char *const el_workload_names[];
enum el_status el_workload_parse(const char *text, enum el_workload *out, struct el_error *);

/* Where a position's block is when it is probed, and so are blocks of other tables that the probe
   needs for captures. */
enum el_regime {
	EL_COLD, /* only on disk: the file has been dropped from the system's page cache */
	EL_WARM, /* only in the page cache: read, checked and decoded by the probe */
	EL_HOT,  /* in the library's block cache */
	EL_REGIMES,
};

extern const char *const el_regime_names[]; /* "cold", "warm", "hot" */

enum {
	EL_LAB_ROUNDS = 20, /* in each of which every candidate has its turn, in an order of its own */
	EL_LAB_P50_LEAST = 6, EL_LAB_P99_LEAST = 368, /* samples without which there is no interval: so
	                     many that one above and one below the quantile are 95 % likely */
};

/* Where a quantile lies with 95 % confidence, by 200 bootstraps over rounds: as many rounds are drawn
   as there are, with repetition, and the quantile taken of all their samples. Both 0: not known. */
struct el_interval {
	double low, high;
};

/* Nanoseconds a probe, the timer's own cost subtracted. */
struct el_latency {
	uint64_t n;     /* probes; 0: not measured */
	uint64_t preempted; /* samples, left out of all but CPU times: the thread lost its processor
	                       while they were taken (ru_nivcsw), or, of hot ones, one of the 64 around */
	struct el_interval p50_in, p99_in;
	/* CPU time of the thread, of all samples; of hot probes not known, for they are shorter than that
	   clock takes to be read: 0. */
	double cpu_p50, cpu_p99;
	struct el_interval cpu_p99_in;
	unsigned batch; /* this many probes were timed together, where one is too short for the
	                   timer: the figures are then of means of this many */
	double min, p50, p90, p99, max;
};

enum { EL_LAB_BUDGETS = 5, EL_LAB_HISTOGRAM = 24 };

/* How often a block that a probe wanted was in a block cache of that many bytes, empty at first. */
struct el_hit_rate {
	uint64_t budget;
	uint64_t probes; /* of the list, from its first on: as many as `seconds` allowed */
	double rate;     /* 0 .. 1, of the blocks wanted */
};

/* What is measured: a table of ours, written for the run, or a foreign file of the slice. */
struct el_lab_candidate {
	struct el_table_options options;     /* of ours; of a foreign one no more than `derive` */
	const struct el_source_ops *foreign; /* which kind of file; null: a table of ours */
};

/* "zstd:9 16K best order KkQr captures", "syzygy rtbw captures": all of it in a line. */
void el_lab_candidate_format(const struct el_slice *, const struct el_lab_candidate *, char *out,
                             size_t size);
/* The kind of a foreign file that can be compared with tables of the slice under the metric: whole,
   with values that tell it, and with depths exactly where it has them. Null: it is no such file. */
const struct el_source_ops *el_lab_foreign(const struct el_entry *, const struct el_slice *,
                                           const struct el_metric *);

/* One candidate, measured. */
struct el_lab_result {
	/* As asked, the orders as they were found; of a foreign file with what its prober derives. */
	struct el_lab_candidate candidate;
	enum el_status status;           /* EL_OK, or why there are no figures: `error` */
	bool timed;                      /* told for the second time: all figures are there */
	struct el_error error;
	char file[256];                  /* the name of a foreign one, without its folder; else empty */
	uint64_t bytes;                  /* of the whole file */
	/* Of other foreign files of the slice that probes of this one may read: a table of depths may
	   leave the outcome to another. */
	uint64_t bytes_beside;
	double bits_per_position;        /* 8 (bytes + bytes_beside) / (positions of our index * planes) */
	/* 10^6 symbols a second, all threads. The first takes in the fill, the preparation and handing
	   the bytes to the system, not the search for an order nor the sync; the second is the best of
	   several passes over the file in the page cache, reading and checking included. Of a
	   foreign file neither is known: 0. */
	double encode_mb_s, decode_mb_s;
	uint64_t coder_bytes;            /* memory that a coder holds for decoding; of ours */
	/* Blocks read from files, those of other tables for captures included: by a probe that finds
	   nothing in memory (the warm regime); and a probe on average over the list, with nothing in
	   memory at first and all that is read kept. */
	double blocks_alone, blocks_per_probe;
	/* Budgets grow geometrically from one kept block to the decoded slice. */
	struct el_hit_rate hits[EL_LAB_BUDGETS];
	struct el_latency latency[EL_REGIMES];
	/* Probes by latency, for each regime: bucket b counts those from 10 ns * 2^b to twice that; the
	   first and the last one take what is below and above. */
	uint64_t histogram[EL_REGIMES][EL_LAB_HISTOGRAM];
	bool pareto; /* set by el_lab_pareto */
};

/*
 * References: what the values of a plane take in a coder that knows the context of each and nothing
 * else. A context is what stands at neighbours, each with one piece as many places back in its digit
 * (el_digits) as is said, broken positions and the edge being values of their own. Positions count that
 * are not broken; as a neighbour, one that does not count is like a broken one.
 */
enum el_lab_context {
	EL_LAB_ORDER_0,    /* none */
	EL_LAB_ORDER_1,    /* one place back, along the piece that tells the most that way */
	EL_LAB_ORDER_2,    /* one and two places back along that piece */
	EL_LAB_NEIGHBOURS, /* one place back along each of the pieces */
	EL_LAB_CONTEXTS,
};

extern const char *const el_lab_context_names[]; /* "order 0", ..., "neighbours" */

struct el_lab_reference {
	double bytes;          /* the empirical conditional entropy: the code is known, at no cost */
	double adaptive_bytes; /* the code is learned on the way: each context begins with one value
	                          seen, divided evenly among those that the plane has */
	uint64_t contexts;     /* different ones that occurred */
};

struct el_lab_references {
	bool known;
	bool sampled;        /* a plane is large: stretches of it stand for it */
	uint64_t counted[2]; /* positions, by plane */
	char piece[2];       /* the letter of orders 1 and 2; 0 in games whose index has no digits */
	struct el_lab_reference line[2][EL_LAB_CONTEXTS];
};

/* The bits a position of the index, all planes, that a line comes to. */
double el_lab_reference_bits(const struct el_lab_references *, enum el_lab_context,
                             uint64_t positions);

/* What holds for a whole run. */
struct el_lab_ground {
	uint64_t positions;    /* of the index, all planes */
	uint64_t legal;        /* those whose index is not broken */
	uint64_t derivable;    /* legal ones whose value a capture has; when any candidate asks */
	double timer_ns;       /* what reading the clock twice adds; subtracted from every sample */
	double cpu_timer_ns;   /* the same of CPU times */
	double memcpy_ns;      /* the floor: the least for a copy of EL_BLOCK_DEFAULT 16-bit
	                          symbols, in the processor's caches */
	double memcpy_mb_s;
	double place_ns;       /* the index function alone */
	bool cold_checked;     /* the page cache can be dropped here, and was seen to be empty before
	                          each cold probe that counts */
	const char *cold_note; /* why not, or null; static storage */
	size_t probes;         /* in the list */
	/* The kind of foreign file that has the values, where no table of ours has them; else null. Such
	   a file is compared with itself then. */
	const struct el_source_ops *foreign;
	bool rounded;          /* its depths may be a ply too few or too many */
	struct el_lab_references references, derived; /* of all; of those that no capture tells, when any
	                                                 candidate asks */
};

enum { EL_LAB_COLD = 1000 };

struct el_lab_setup {
	struct el_library *library; /* has the slice, and the tables that probes of it need */
	struct el_slice slice;
	const struct el_metric *metric;
	const struct el_lab_candidate *candidates;
	size_t count;
	enum el_workload workload;
	uint64_t seed;
	size_t probes;         /* in the list: hot and warm probes; cold ones: EL_LAB_COLD at most */
	double seconds;        /* the most that one regime of one candidate may take, all rounds
	                          together; it has one sample a round in any case */
	const char *directory; /* for the candidates' files, on the disk to be measured; null: the
	                          library's own. They are removed again. */
	void *context;
	/* Once, before the first result; may be null. */
	void (*ground)(void *context, const struct el_lab_ground *);
	/* For each candidate, in order, once its file is written and proved, or has failed; then, in the
	   same order, with times for those that have not. */
	void (*result)(void *context, size_t candidate, const struct el_lab_result *);
};

/*
 * A candidate that fails (a codec that refuses, wrong values, a damaged file, no memory) is a result
 * with its error, and the others go on. EL_NEGATIVE when the slice is not built (a metric without
 * depths is derived from one with them); EL_USAGE without candidates or probes; EL_STOPPED, with the results so far
 * delivered and no file left. The watch is told seconds of the whole run: those that have passed, of
 * all that it is expected to take by then; `what` is the candidate's place and options.
 */
enum el_status el_lab_run(const struct el_lab_setup *, const struct el_watch *, struct el_error *);

/* By which time of a regime candidates are compared: "p99", "p50", "cpu" (the p99 of CPU time). */
enum el_lab_time { EL_LAB_P99, EL_LAB_P50, EL_LAB_CPU, EL_LAB_TIMES };
extern const char *const el_lab_time_names[];
enum el_status el_lab_time_parse(const char *text, enum el_lab_time *out, struct el_error *);
double el_lab_time_of(const struct el_latency *, enum el_lab_time);
struct el_interval el_lab_time_in(const struct el_latency *, enum el_lab_time);

/*
 * Marks the Pareto front of size and time: the smallest result, and each larger one that is faster than
 * those before it for sure, which is by a fifth at least and with its interval below theirs; a time
 * whose interval is not known stands for one. Otherwise noise would choose between results that cost the
 * same.
 * Results without figures are left out; of the same size and no faster, the first one stands.
 */
void el_lab_pareto(struct el_lab_result *results, size_t count, enum el_regime, enum el_lab_time);

/*
 * One candidate over several slices, zero at first but for result.candidate. Bytes, probes, budgets and
 * coders' memory are summed, bits and speeds are those of all positions; latencies, hit rates and
 * numbers of blocks are means over the slices, each of which counts the same.
 */
struct el_lab_total {
	struct el_lab_result result; /* the first failure, where there is one, names its slice */
	size_t slices;
	double positions;            /* of their indexes, all planes */
	double encode_us, decode_us; /* at the speeds of the results */
};
/* Adds what was measured of the candidate in one more slice. */
void el_lab_total_add(struct el_lab_total *, const struct el_lab_result *, const struct el_slice *);

/* ---- one block under a magnifying glass ---- */

/* What guesses came to in a block: values of which something was asked, and that had a guess. */
struct el_lab_forecast {
	size_t right, wrong;
	double right_bits, wrong_bits; /* that they cost */
};

struct el_lab_block {
	struct el_slice slice;
	const struct el_metric *metric;
	struct el_table_options options;
	uint64_t block, block_count;
	unsigned plane;
	uint64_t first;             /* the number of its first position in its plane of the file */
	size_t count;               /* positions */
	struct el_value *before;    /* as solved; EL_BROKEN where no position is; owned */
	uint8_t *care;              /* enum el_care: at most, where captures tell it; owned */
	struct el_value *after;     /* as the codec saw them; owned */
	uint8_t *bytes;             /* as the codec wrote them; owned */
	size_t size;
	struct el_codec_token *tokens; /* owned; null when the codec does not tell */
	size_t token_count;
	struct el_codec_question *questions; /* of all tokens, one behind the other; owned */
	struct el_value *values;    /* by symbol, `value_count` of them; owned */
	struct el_lab_forecast forecast; /* zero where the codec does not predict */
	uint64_t runs_before, runs_after; /* runs of equal values in the block */
	uint64_t learned;           /* bytes that the codec learned for the whole plane */
	double entropy_after;       /* bits a position, of the values one by one (order 0) */
	size_t raw_bytes;           /* what `raw` would take */
	uint32_t value_count;       /* different values that the codec has a symbol for */
};

/* A table's values on their way through the fill and the codec; from a table under a name, or from
   one that is written for the purpose and removed. */
struct el_lab_inspector;
enum el_status el_lab_inspect_open(struct el_library *, const struct el_slice *,
                                   const struct el_metric *, const struct el_table_options *,
                                   const struct el_watch *, struct el_lab_inspector **out,
                                   struct el_error *);
void el_lab_inspect_close(struct el_lab_inspector *);
uint64_t el_lab_inspect_blocks(const struct el_lab_inspector *);
/* The block; el_lab_block_free. */
enum el_status el_lab_inspect(struct el_lab_inspector *, uint64_t block, struct el_lab_block *out,
                              struct el_error *);
void el_lab_block_free(struct el_lab_block *);
enum { EL_LAB_PIECES_MAX = 64 };
/* "Kb1 Rd4 kc6": the pieces of position `at`, broken or not; empty where its number does not come
   apart. Returns `out`. */
const char *el_lab_block_pieces(const struct el_lab_block *, size_t at, char out[EL_LAB_PIECES_MAX]);
/* What its questions cost. */
double el_lab_token_bits(const struct el_codec_token *);

/* The machine and the libraries, for reports: "Intel Xeon ..., 2 cores, Linux 6.1", "endlab 0.1.0,
   zstd 1.5.4, liblzma 5.4.1, gcc 12.2.0". */
void el_lab_machine(char *out, size_t size);
void el_lab_libraries(char *out, size_t size);

#endif
