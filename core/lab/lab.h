/* SPDX-License-Identifier: MIT */
/*
 * The compression lab stores the same values in files of many kinds and measures what a probe of
 * each costs.
 *
 *     el_lab_run(setup) -> for each candidate: write -> read back and compare all -> setup.result
 *                       -> in each of many rounds: each candidate in turn, for a moment
 *                       -> for each candidate: setup.result with times
 *
 * Every candidate is a real file, probed through a library like any user's, with the same probes in
 * the same order. Candidates take turns, so that whatever disturbs the machine for a while disturbs
 * them all. A candidate that does not hold exactly the right values is not measured. Other
 * programs' files are measured as they are, and compared only at the probed values.
 */
#ifndef CORE_LAB_LAB_H
#define CORE_LAB_LAB_H

#include "core/library/library.h"
#include "core/table/table.h"

/* Which positions are probed, in which order. */
enum el_workload {
	EL_WORKLOAD_RANDOM, /* uniform over the legal positions of the slice */
	EL_WORKLOAD_LINE,   /* walks of optimal and near-optimal play, as an engine meets them */
	/* legal positions in the order of the index, starting at a random one */
	EL_WORKLOAD_SCAN,
	EL_WORKLOAD_TRACE, /* those of a file, as a search asked for them */
	EL_WORKLOADS,
};

/* Null-terminated, by enum el_workload: "random", "line", "scan", "trace". */
extern const char *const el_workload_names[];
/* A name but "trace"; any other text is the file of a trace. */
enum el_workload el_workload_parse(const char *text);

/*
 * Where the candidate's block is when a position is probed. A probe may need values of other slices
 * too, where captures or promotions lead to: blocks of these sub-tables are in memory, except where
 * it is said.
 */
enum el_regime {
	EL_COLD, /* only on disk: the file has been dropped from the system's page cache */
	EL_WARM, /* in the page cache: the probe reads, checks and decodes it */
	EL_HOT,  /* in the library's block cache */
	/* in the page cache, as are the sub-tables' blocks; only if a probe may need some */
	EL_WHOLE,
	EL_REGIMES,
};

extern const char *const el_regime_names[]; /* "cold", "warm", "hot", "whole" */

enum {
	/* each gives every candidate a turn, in an order drawn for the round */
	EL_LAB_ROUNDS = 20,
	/* The fewest samples for an interval of p50 and of p99: with so many, samples lie above and
	   below the quantile with a probability of 95 %. */
	EL_LAB_P50_LEAST = 6,
	EL_LAB_P99_LEAST = 368,
};

/* The 95 % confidence interval of a quantile, by 200 bootstraps over rounds: each draws as many
   rounds as there are, with repetition, and takes the quantile of all their samples. Both 0: not
   known. */
struct el_interval {
	double low, high;
};

/* Nanoseconds a probe, without the cost of the timer itself. */
struct el_latency {
	uint64_t n; /* probes; 0: not measured */
	/* samples during which the thread lost its processor (ru_nivcsw); if hot, all samples of a
	   group of 64 in which it did. Only CPU times include them. */
	uint64_t preempted;
	struct el_interval p50_in, p99_in;
	/* CPU time of the thread, over all samples. 0 for hot probes, which take less time than
	   reading that clock. */
	double cpu_p50, cpu_p99;
	struct el_interval cpu_p99_in;
	/* probes timed together if one is too short for the timer: the figures are then of means
	   over so many */
	unsigned batch;
	double min, p50, p90, p99, max;
};

enum { EL_LAB_BUDGETS = 5, EL_LAB_HISTOGRAM = 24 };

/* How often a probe finds the block it needs in a block cache of so many bytes, initially empty. */
struct el_hit_rate {
	uint64_t budget;
	uint64_t probes; /* from the start of the list, as many as `seconds` allowed */
	double rate;     /* of the blocks needed: 0 .. 1 */
};

/* So many hot probes a second are made by so many threads at once. */
struct el_lab_rate {
	unsigned threads; /* 0: not measured */
	double per_second;
};
/* 1, 2, half of the threads that the process may use, and all of them, each once */
enum { EL_LAB_RATES = 4 };

/* What a cold probe causes on average; all 0: the system does not tell, or there were none. */
struct el_lab_cold {
	double bytes;        /* from the disk, with what the system reads ahead */
	double major, minor; /* page faults: those that waited for the disk, and the others */
};

/* The bytes of the blocks of several tables and of what the codec learned, if it learned that for each
   plane by itself, and if it learned once for all of a side to move. */
struct el_lab_shared {
	uint64_t apart, together; /* 0: not measured */
};

/* What is measured: a table of ours, written for the run, or a foreign file of the slice. */
struct el_lab_candidate {
	struct el_table_options options;     /* of our table; a foreign file uses only `derive` */
	const struct el_source_ops *foreign; /* the kind of a foreign file; null: a table of ours */
};

/* "zstd:9 16K best order KkQr captures", "syzygy rtbw captures": all of it on one line. */
void el_lab_candidate_format(const struct el_slice *, const struct el_lab_candidate *, char *out,
                             size_t size);
/* The kind of a foreign file if the file can be compared with tables of the slice under the metric:
   it must be whole, imply the metric's values, and have exact depths if it has any. Else null. */
const struct el_source_ops *el_lab_foreign(const struct el_entry *, const struct el_slice *,
                                           const struct el_metric *);

/* One candidate, measured. */
struct el_lab_result {
	/* As asked, with the orders found; for a foreign file, with what its prober derives. */
	struct el_lab_candidate candidate;
	/* EL_OK, or why there are no figures, which `error` says in words */
	enum el_status status;
	bool timed; /* this is the second telling, with all figures */
	struct el_error error;
	/* the name of a foreign file, without its folder; else empty */
	char file[256];
	uint64_t bytes; /* of the whole file */
	/* Bytes of other files of the slice that probes of this one read: a table of depths may
	   leave the outcome to another. */
	uint64_t bytes_beside;
	/* 8 (bytes + bytes_beside) / (positions of our index * planes) */
	double bits_per_position;
	/* 10^6 symbols a second, with all threads. Encoding includes the fill, the preparation and
	   the write to the system, but neither the search for an order nor the sync. Decoding is
	   the best of several passes over the file in the page cache, including reading and
	   checking. Both are 0 for a foreign file. */
	double encode_mb_s, decode_mb_s;
	/* memory of a decoding coder; 0 for a foreign file */
	uint64_t coder_bytes;
	/* Blocks that a probe reads from files when nothing is in memory, on average over at most
	   EL_LAB_ALONE positions spread over the list: of all tables, and of the candidate. */
	double blocks_alone, blocks_own;
	/* The list in its order, as a search meets the table: memory is empty at first and keeps
	   every block that is read; all files are in the page cache. Includes sub-tables. */
	struct el_lab_pass {
		uint64_t probes; /* of the list, as many as time and memory allow */
		uint64_t blocks; /* read */
		uint64_t bytes;  /* in memory at the end */
		double ns;       /* a probe, on average; the best of several passes */
	} pass;
	double blocks_per_probe; /* in that pass */
	/* The budgets grow geometrically from one block to the whole decoded slice. */
	struct el_hit_rate hits[EL_LAB_BUDGETS];
	struct el_latency latency[EL_REGIMES];
	/* Probes by latency, for each regime: bucket b counts those from 10 ns * 2^b up to twice
	   that; the first and the last bucket include everything below and above. */
	uint64_t histogram[EL_REGIMES][EL_LAB_HISTOGRAM];
	struct el_lab_cold cold;
	struct el_lab_rate rates[EL_LAB_RATES];
	struct el_lab_shared shared; /* only of several slices, and if asked for */
	bool pareto;                 /* set by el_lab_pareto */
};

/*
 * References: how many bytes the values of a plane take in a coder that knows only the context of
 * each value. A context consists of the values of neighbours; a neighbour has one piece so many
 * places back in its digit (el_digits). In contexts, a broken position and the edge are values,
 * too. Only positions that are not broken are coded; a neighbour that is not coded counts as
 * broken.
 */
enum el_lab_context {
	EL_LAB_ORDER_0,    /* none */
	EL_LAB_ORDER_1,    /* one place back, for the piece for which this tells most */
	EL_LAB_ORDER_2,    /* one and two places back, for that piece */
	EL_LAB_NEIGHBOURS, /* one place back, for each of the pieces */
	/* Those that take long, only if they are asked for: no entropies, but what coders come to.
	   Recursive pairing with a canonical code, laid out as in Syzygy's files: */
	EL_LAB_PAIRED,
	/* A mixture of the predictions of some 25 contexts, learned on the way. It has to decode the
	   plane from its beginning, so it is no format but a bound on what codecs can come to. */
	EL_LAB_MIXED,
	EL_LAB_CONTEXTS,
};

extern const char *const el_lab_context_names[]; /* "order 0", ..., "mixing bound" */

struct el_lab_reference {
	/* the empirical conditional entropy: as if the code were known for free; of those that take
	   long, the same as adaptive_bytes. 0: not known (more than 4,095 values to pair) */
	double bytes;
	/* the coder learns on the way: each context begins as if it had seen one value, spread
	   evenly over the values of the plane */
	double adaptive_bytes;
	uint64_t contexts; /* that occurred */
};

struct el_lab_references {
	bool known;
	bool slow;           /* those from EL_LAB_PAIRED on are known as well */
	bool sampled;        /* of large planes, only stretches are counted */
	uint64_t counted[2]; /* positions, by plane */
	/* the piece of orders 1 and 2, by plane; 0 in games whose index has no digits */
	char piece[2];
	struct el_lab_reference line[2][EL_LAB_CONTEXTS];
};

/* How many of the lines are known, from EL_LAB_ORDER_0 on. */
unsigned el_lab_reference_count(const struct el_lab_references *);
/* A line of references in bits per position of the index, over all planes. */
double el_lab_reference_bits(const struct el_lab_references *, enum el_lab_context,
                             uint64_t positions);

/* Facts about a whole run. */
struct el_lab_ground {
	uint64_t positions; /* of the index, all planes */
	uint64_t legal;     /* positions whose index is not broken */
	/* legal positions whose value a capture gives; set if a candidate asks */
	uint64_t derivable;
	/* the time of reading the clock twice; subtracted from every sample */
	double timer_ns;
	double cpu_timer_ns; /* the same for CPU times */
	/* a lower bound: the least time for copying EL_BLOCK_DEFAULT 16-bit symbols within the
	   processor's caches */
	double memcpy_ns;
	double memcpy_mb_s;
	double place_ns; /* the index function alone */
	/* the page cache can be emptied here, and was empty before each cold probe that counts */
	bool cold_checked;
	const char *cold_note; /* why not, or null; static storage */
	size_t probes;         /* in the list */
	size_t distinct;       /* positions among them */
	size_t elsewhere;      /* positions of the trace that are in other slices, and left out */
	/* If none of our tables has the values: the kind of the foreign file that has, which is
	   then compared with itself. Else null. */
	const struct el_source_ops *foreign;
	bool rounded;                        /* its depths may be a ply more than they say */
	struct el_lab_references references; /* for all positions */
	/* for positions whose value no capture gives; set if a candidate asks */
	struct el_lab_references derived;
};

enum { EL_LAB_COLD = 1000, EL_LAB_ALONE = 100 }; /* probes, at most */

struct el_lab_setup {
	struct el_library *library; /* has the slice, and the tables that probes of it need */
	struct el_slice slice;
	const struct el_metric *metric;
	const struct el_lab_candidate *candidates;
	size_t count;
	enum el_workload workload;
	/*
	 * The file of EL_WORKLOAD_TRACE: a position of any game on each line, as `probe` reads it (a
	 * FEN, or EPD with its operations), in the order in which they were asked for, repeated as
	 * often as they were. Empty lines, and lines that begin with #, are skipped. Positions of other
	 * slices are counted and left out.
	 */
	const char *trace;
	uint64_t seed;
	/* in the list, for hot and warm probes; cold ones use at most EL_LAB_COLD. Of a trace, the
	   most that are taken. */
	size_t probes;
	/* the most that one regime of one candidate may take over all rounds, but it gets at least
	   one sample a round */
	double seconds;
	/* also finds the references that take long: a minute or so for ten million positions */
	bool slow_references;
	/* for the candidates' files, on the disk to measure; null: the library's own. The files are
	   removed again. */
	const char *directory;
	void *context;
	/* Called once, before the first result; may be null. */
	void (*ground)(void *context, const struct el_lab_ground *);
	/* Called for each candidate in order, when its file has been written and proved, or has
	   failed; then again, in the same order and with times, for each that has not failed. */
	void (*result)(void *context, size_t candidate, const struct el_lab_result *);
};

/*
 * A candidate that fails (a codec refuses, values are wrong, a file is damaged, memory is out) is a
 * result with its error, and the others go on. EL_NEGATIVE if the slice is not built (values
 * without depths may come from a metric with depths), if the trace has no position of it, and for a
 * line of the trace that is no position, which is named; EL_USAGE without candidates or probes;
 * EL_STOPPED, with the results so far delivered and no file left. Progress is in seconds of the
 * whole run, passed and expected; el_progress.what is the candidate's number and options.
 */
enum el_status el_lab_run(const struct el_lab_setup *, const struct el_watch *, struct el_error *);

/* The time of a regime that candidates are compared by: "p99", "p50", "cpu" (the p99 of CPU
   time). */
enum el_lab_time { EL_LAB_P99, EL_LAB_P50, EL_LAB_CPU, EL_LAB_TIMES };
extern const char *const el_lab_time_names[];
enum el_status el_lab_time_parse(const char *text, enum el_lab_time *out, struct el_error *);
double el_lab_time_of(const struct el_latency *, enum el_lab_time);
struct el_interval el_lab_time_in(const struct el_latency *, enum el_lab_time);

/*
 * Marks the Pareto front of size and time: the smallest result, and each larger one that is
 * certainly faster than all before it. Certainly faster means by at least a fifth, and with an
 * interval below theirs (a time without a known interval is its own interval); otherwise noise
 * would choose between results that cost the same. Leaves out results without figures. Among
 * results of the same size, a later one counts only if it is faster.
 */
void el_lab_pareto(struct el_lab_result *results, size_t count, enum el_regime, enum el_lab_time);

/*
 * One candidate over several slices; initialise with zeros except result.candidate. Bytes, probes,
 * budgets, passes and coders' memory are sums; bits and speeds are over all positions; the time of a
 * pass is over all its probes; latencies, hit rates and numbers of blocks are means over the slices,
 * with equal weights.
 */
struct el_lab_total {
	struct el_lab_result result; /* the first failure, if there is one, names its slice */
	size_t slices;
	double positions;            /* of their indexes, all planes */
	double encode_us, decode_us; /* total time of all slices, by the speeds of the results */
};
/* Adds the candidate's result for one more slice. */
void el_lab_total_add(struct el_lab_total *, const struct el_lab_result *, const struct el_slice *);

/*
 * Measures `shared`: each table with what is learned from it alone, and all of them with what is learned
 * from all at once, one side to move after the other, in memory. EL_USAGE for a codec that looks at the board, and for
 * more than 134 million positions; else errors as el_lab_run.
 */
enum el_status el_lab_share(struct el_library *, const struct el_slice *, size_t count,
                            const struct el_metric *, const struct el_table_options *,
                            const struct el_watch *, struct el_lab_shared *out, struct el_error *);

/* ---- inspecting one block ---- */

/* How good a codec's guesses were in a block: counts the values about which it asked something and
   had a guess. */
struct el_lab_forecast {
	size_t right, wrong;
	double right_bits, wrong_bits; /* what these values cost */
};

struct el_lab_block {
	struct el_slice slice;
	const struct el_metric *metric;
	struct el_table_options options;
	uint64_t block, block_count;
	unsigned plane;
	/* the number of the block's first position within its plane of the file */
	uint64_t first;
	size_t count;            /* positions */
	struct el_value *before; /* as solved; EL_BROKEN where there is no position; owned */
	uint8_t *care;           /* enum el_care; owned */
	struct el_value *after;  /* as the codec saw them, after the fill; owned */
	uint8_t *bytes;          /* as the codec wrote them; owned */
	size_t size;
	struct el_codec_token *tokens; /* owned; null if the codec does not tell them */
	size_t token_count;
	struct el_codec_question *questions; /* of all tokens, one after the other; owned */
	struct el_value *values;             /* by symbol, `value_count` of them; owned */
	struct el_lab_forecast forecast;     /* zeros if the codec does not predict */
	uint64_t runs_before, runs_after;    /* runs of equal values in the block */
	uint64_t learned;                    /* bytes that the codec learned for the whole plane */
	double entropy_after;                /* bits per position, each value by itself (order 0) */
	size_t raw_bytes;                    /* the size under the codec `raw` */
	uint32_t value_count;                /* different values for which the codec has a symbol */
};

/* Follows a table's values through the fill and the codec. The table is one of the library's, or is
   written for this and removed. */
struct el_lab_inspector;
enum el_status el_lab_inspect_open(struct el_library *, const struct el_slice *,
                                   const struct el_metric *, const struct el_table_options *,
                                   const struct el_watch *, struct el_lab_inspector **out,
                                   struct el_error *);
void el_lab_inspect_close(struct el_lab_inspector *);
uint64_t el_lab_inspect_blocks(const struct el_lab_inspector *);
/* Inspects one block; release it with el_lab_block_free. */
enum el_status el_lab_inspect(struct el_lab_inspector *, uint64_t block, struct el_lab_block *out,
                              struct el_error *);
void el_lab_block_free(struct el_lab_block *);
enum { EL_LAB_PIECES_MAX = 64 };
/* "Kb1 Rd4 kc6": the pieces of position `at`, broken or not; empty if its number has no digits.
   Returns `out`. */
const char *el_lab_block_pieces(const struct el_lab_block *, size_t at,
                                char out[EL_LAB_PIECES_MAX]);
/* The cost of a token's questions in bits. */
double el_lab_token_bits(const struct el_codec_token *);

/* ---- a search through a small cache ---- */

enum { EL_LAB_SEARCH = 20, EL_LAB_SEARCH_PLIES = 2, EL_LAB_KEEPS_MAX = 8 };

/* A probe of a search. */
struct el_lab_probe {
	struct el_move move[EL_LAB_SEARCH_PLIES]; /* from the root to the position */
	unsigned plies;                           /* of them */
	uint64_t block;                           /* of the table: it has the value */
	bool loaded;                              /* the cache did not have it */
	uint64_t kept[EL_LAB_KEEPS_MAX];          /* then in the cache, the latest use first */
	size_t kept_count;
};

/*
 * The first probes of a search, at most EL_LAB_SEARCH: it plays the moves of a position, depth
 * first, and probes each position that the table of a block has. The blocks go through a block cache
 * (cache.h), empty at first, that keeps so many (1 to EL_LAB_KEEPS_MAX). EL_NEGATIVE without a
 * probe; EL_MEMORY.
 */
enum el_status el_lab_search(const struct el_lab_block *, const struct el_position *from,
                             unsigned keeps, struct el_lab_probe out[EL_LAB_SEARCH], size_t *count,
                             struct el_error *);

/* The machine and the libraries, for reports: "Intel Xeon ..., 2 cores, Linux 6.1"; "endlab 0.1.0,
   zstd 1.5.4, liblzma 5.4.1, gcc 12.2.0". */
void el_lab_machine(char *out, size_t size);
void el_lab_libraries(char *out, size_t size);

#endif
