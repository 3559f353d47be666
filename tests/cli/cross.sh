#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Other processors and C libraries: the library with musl, everything for aarch64, tables byte for byte the same.
# `make deps-cross` gets what this takes.
. "$(dirname "$0")/common"
if [ -n "${SANITIZE:-}" ]; then # which belongs to this machine's compiler
	skip 'other processors and C libraries: not under a sanitizer'
	exit 0
fi
root=$(cd "$(dirname "$0")/../.." && pwd)

# made FOLDER WHAT... : runs make with a build folder beside this build's
made() {
	folder=$BUILD/$1
	shift
	run nice env -u MAKEFLAGS -u MAKELEVEL -u BUILD make -C "$root" BUILD="$folder" "$@"
	[ "$status" -eq 0 ] && ! grep -q warning "$T/err"
}

# ---- musl: a static program of the library ----

# What Debian's libraries, made for glibc, want of it.
cat >"$T/glue.c" <<'END'
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>
int __fprintf_chk(FILE *out, int flag, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	(void)flag;
	flag = vfprintf(out, format, list);
	va_end(list);
	return flag;
}
long __sysconf(int name)
{
	return sysconf(name);
}
int pthread_attr_setaffinity_np(void)
{
	return 0;
}
END
if [ -z "${TRUTH:-}" ]; then
	skip 'musl: it takes a minute to compile (make truth)'
elif command -v musl-gcc >/dev/null; then
	libraries=/usr/lib/$(gcc -print-multiarch)
	made musl CC=musl-gcc CFLAGS="-O0 -idirafter /usr/include -idirafter $libraries/../../include/$(gcc -print-multiarch) \
		-idirafter $(gcc -print-file-name=include)" "$BUILD/musl/libendlab.a"
	verdict 'musl: the library is compiled without a warning'
	run musl-gcc -static -o "$T/musl" -I"$root/include" "$root/samples/engine/probe.c" "$T/glue.c" \
		"$BUILD/musl/libendlab.a" "$libraries/libzstd.a" "$libraries/liblzma.a" "$libraries/libz.a" \
		"$(gcc -print-file-name=libgomp.a)" && endlab build KQvKR --metric dtz50 >/dev/null 2>&1
	verdict 'musl: an engine is linked with it, statically'
	answers 'musl: and probes' 0 '^under the 50-move rule: win' "$T/musl" "$ENDLAB_DIR"
else
	skip 'musl: musl-gcc is not here (make deps-cross)'
fi

# ---- aarch64 ----

arm=$BUILD/arm64
if ! command -v aarch64-linux-gnu-gcc >/dev/null || ! command -v qemu-aarch64 >/dev/null || [ ! -d "$arm" ]; then
	skip 'aarch64: compiler, qemu or libraries are not here (make deps-cross)'
	exit 0
fi
made aarch64 CROSS=aarch64-linux-gnu- CFLAGS="-O0 --sysroot=$arm" DESTDIR="$T/to" PREFIX=/usr \
	PKG_CONFIG="env PKG_CONFIG_LIBDIR=$arm/usr/lib/aarch64-linux-gnu/pkgconfig PKG_CONFIG_SYSROOT_DIR=$arm pkg-config" install
verdict 'aarch64: everything is compiled without a warning, and installed'
for file in bin/endlab lib/libendlab.so; do
	[ "$(od -An -tu2 -j18 -N2 "$T/to/usr/$file" | tr -d ' ')" = 183 ] || echo "$file"
done >"$T/out"
[ ! -s "$T/out" ]
verdict 'aarch64: for that processor'
endlab --man | cmp - "$T/to/usr/share/man/man1/endlab.1" >"$T/out" 2>&1 &&
	endlab --completion bash | cmp - "$T/to/usr/share/bash-completion/completions/endlab" >"$T/out" 2>&1
verdict 'aarch64: with manual page and completions'

# Training, orders weighed and grammars: all that is computed about a table.
for codec in 'net:8 --order best' rans pairs; do
	for at in here there; do
		[ $at = here ] && on= || on="qemu-aarch64 -L $arm $T/to/usr/bin/"
		# shellcheck disable=SC2086
		run ${on}endlab --dir "$T/$at/$codec" build KRvK checkers:2 --codec $codec
	done
	[ "$status" -eq 0 ] && diff -r -x ".journal*" -x ".verified*" "$T/here/$codec" "$T/there/$codec" >"$T/out" && [ -s "$T/here/$codec/KRvK.dtm.egt" ]
	verdict "aarch64: the same files with $codec"
done
answers 'aarch64: it proves what x86-64 wrote' 0 '' qemu-aarch64 -L "$arm" "$T/to/usr/bin/endlab" --dir "$T/here/rans" verify KRvK
