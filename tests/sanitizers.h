/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sanitizers in this build: gcc defines a macro, clang answers __has_feature. */
#ifndef TESTS_SANITIZERS_H
#define TESTS_SANITIZERS_H

#ifndef __has_feature
#define __has_feature(x) 0
#endif

#if defined __SANITIZE_THREAD__ || __has_feature(thread_sanitizer)
enum { UNDER_TSAN = 1 };
#else
enum { UNDER_TSAN = 0 };
#endif

#if defined __SANITIZE_ADDRESS__ || __has_feature(address_sanitizer)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = UNDER_TSAN };
#endif

#endif
