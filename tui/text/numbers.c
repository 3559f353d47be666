/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "numbers.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

const char *grouped(uint64_t number, char out[GROUPED_MAX])
{
	char digits[24];
	int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
	char *to = out;
	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return out;
}

const char *plural(uint64_t number, const char *one, const char *many)
{
	return number == 1 ? one : many;
}

const char *bytes_text(uint64_t bytes, char out[AMOUNT_MAX])
{
	return el_bytes((double)bytes, out);
}

const char *rate_text(double number, char out[AMOUNT_MAX])
{
	static const char *const units[] = {"", "K", "M", "G", "T"};
	if (number >= 999.5)
		return el_amount(number, units, 4, out);
	snprintf(out, AMOUNT_MAX, "%.0f", number);
	return out;
}

const char *block_text(uint32_t positions, char out[AMOUNT_MAX])
{
	unsigned shift = positions >= 1u << 20 ? 20 : positions >= 1u << 10 ? 10 : 0;
	snprintf(out, AMOUNT_MAX, "%" PRIu32 "%s", positions >> shift,
	         shift == 20   ? "M"
	         : shift == 10 ? "K"
	                       : "");
	return out;
}

const char *latency_text(double ns, char out[AMOUNT_MAX])
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	return el_amount(ns, units, 3, out);
}

const char *seconds_text(double seconds, char out[TIME_MAX])
{
	const unsigned long whole = seconds < 0 ? 0 : (unsigned long)(seconds + 0.5);
	if (seconds < 0.0995)
		snprintf(out, TIME_MAX, seconds < 0.00995 ? "%.1f ms" : "%.0f ms", seconds * 1000);
	else if (seconds < 9.995)
		snprintf(out, TIME_MAX, "%.2f s", seconds);
	else if (seconds < 59.95)
		snprintf(out, TIME_MAX, "%.1f s", seconds);
	else if (whole < 3600)
		snprintf(out, TIME_MAX, "%lu min %lu s", whole / 60, whole % 60);
	else
		snprintf(out, TIME_MAX, "%lu h %lu min", whole / 3600, whole / 60 % 60);
	return out;
}

/* Rounds to a multiple of `step`: 137 by tens is 140. */
static unsigned long by(unsigned long step, double number)
{
	return (unsigned long)(number / (double)step + 0.5) * step;
}

const char *about_text(double seconds, char out[TIME_MAX])
{
	const unsigned long minutes = by(10, seconds / 60);
	if (seconds < 1)
		snprintf(out, TIME_MAX, "under 1 s");
	else if (seconds < 10)
		snprintf(out, TIME_MAX, "about %lu s", by(1, seconds));
	else if (seconds < 57.5)
		snprintf(out, TIME_MAX, "about %lu s", by(5, seconds));
	else if (seconds < 20 * 60 - 30)
		snprintf(out, TIME_MAX, "about %lu min", by(1, seconds / 60));
	else if (minutes < 60)
		snprintf(out, TIME_MAX, "about %lu min", minutes);
	else if (minutes < 600 && minutes % 60)
		snprintf(out, TIME_MAX, "about %lu h %lu min", minutes / 60, minutes % 60);
	else if (seconds < 36 * 3600)
		snprintf(out, TIME_MAX, "about %lu h", by(1, seconds / 3600));
	else
		snprintf(out, TIME_MAX, "about %lu days", by(1, seconds / 86400));
	return out;
}

const char *clock_text(double seconds, char out[TIME_MAX])
{
	const unsigned long left = seconds < 0 ? 0 : (unsigned long)(seconds + 0.5);
	if (left < 3600)
		snprintf(out, TIME_MAX, "%lu:%02lu", left / 60, left % 60);
	else
		snprintf(out, TIME_MAX, "%lu:%02lu:%02lu", left / 3600, left / 60 % 60, left % 60);
	return out;
}

const char *day_text(int64_t date, char out[DAY_MAX])
{
	const time_t seconds = (time_t)date;
	struct tm day;
	if (!localtime_r(&seconds, &day) || !strftime(out, DAY_MAX, "%Y-%m-%d", &day))
		snprintf(out, DAY_MAX, "an unknown day");
	return out;
}
