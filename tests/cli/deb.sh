#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Debian packages: they agree with the Makefile; with DEB=all the test builds them, installs them in a bare
# Debian, uses them there and removes them again.
. "$(dirname "$0")/common"
here=$(cd "$(dirname "$0")/../.." && pwd)
: "${BUILD:?where the packages are built}"
unset MAKEFLAGS MFLAGS MAKELEVEL
set_to() { sed -n "s/^$1 *:= *//p" "$here/Makefile"; } # set_to NAME: its value in the Makefile
version=$(set_to VERSION) library=libendlab$(set_to SOVERSION)
ours="endlab $library libendlab-dev python3-endlab"

# ---- agreement with the Makefile ----

[ "$(sed -n '1s/^endlab (\(.*\)-[0-9]*).*/\1/p' "$here/.debian/changelog")" = "$version" ]
verdict 'the packages have the version of the Makefile'
[ "$(sed -n 's/^Package: //p' "$here/.debian/control" | sort)" = "$(printf '%s\n' $ours | sort)" ] &&
	[ -e "$here/.debian/$library.install" ]
verdict 'the package of the library is called after its soname'
for page in $(cd "$here/tui/man" && echo *.[1-9]); do
	case $page in
	endlab-codec.7 | libendlab.3) owner=libendlab-dev ;;
	*) owner=endlab ;;
	esac
	folder=usr/share/man/man${page##*.}
	[ "$(cd "$here/.debian" && grep -lxE "$folder(/$page)?" *.install)" = $owner.install ] || echo "$page"
done >"$T/out"
[ ! -s "$T/out" ]
verdict 'each manual page is in one package: of the library, or of the program for all who use it'
if command -v dpkg >/dev/null; then
	for name in $(set_to LIBS | sed 's/\$.*//') $(set_to LIBS_CORE); do
		package=$(dpkg -S "$(pkg-config --variable=pcfiledir "$name")/$name.pc" | sed 's/:.*//')
		sed -n '/^Build-Depends/,/^[^ B]/p' "$here/.debian/control" | grep -q "[ ,]$package\(,\|\$\)" || echo "$package"
	done >"$T/out" 2>"$T/err" && [ ! -s "$T/out" ]
	verdict 'each library that is linked is a build dependency'
else
	skip 'dpkg is not there, so the build dependencies are not checked'
fi

# ---- building them ----

if [ -z "${DEB:-}" ]; then
	skip 'packages are not built and installed, which takes minutes: make check-deb does it'
	exit 0
fi
run make -C "$here" --no-print-directory BUILD="$BUILD" deb
missing=$(sed -n 's/^make deb: //p' "$T/err")
if [ -n "$missing" ]; then
	skip "$missing"
	exit 0
fi
[ "$status" -eq 0 ] && [ "$(find "$BUILD/deb" -name '*.deb' | wc -l)" -eq 4 ]
verdict 'the packages are built' | tee "$T/verdict"
grep -q '^ok' "$T/verdict" || exit 1
if command -v lintian >/dev/null; then
	# They are not meant for Debian's archive, so they close no bug there.
	run lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$BUILD"/deb/*.deb
	[ "$status" -eq 0 ]
	verdict 'lintian has no error and no warning'
else
	skip 'lintian is not there'
fi

# ---- a bare Debian, from this machine's package sources ----

suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
mirror=$(apt-get indextargets --format '$(CODENAME)/$(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
	sed -n "s,^$suite/main ,,p" | head -1)
why=
[ "$(id -u)" -eq 0 ] || why='only root can install packages in a root of its own'
command -v debootstrap >/dev/null || why='debootstrap is not there'
[ -n "$mirror" ] || why="no apt source has $suite main: apt-get update"
if [ -n "$why" ]; then
	skip "$why"
	exit 0
fi
root=$T/root
run debootstrap --variant=minbase "$suite" "$root" "$mirror"
[ "$status" -eq 0 ]
verdict "debootstrap makes a bare $suite" | tee "$T/verdict"
grep -q '^ok' "$T/verdict" || exit 1
mkdir "$root/packages"
cp "$BUILD"/deb/*.deb "$root/packages/"

inside() { # inside COMMAND...: in the bare Debian, with nothing of this environment but the proxies
	chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive \
		ENDLAB_DIR=/tables ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} "$@"
}
shell() { inside sh -ec "$1"; }
installed() { inside dpkg-query -Wf '${db:Status-Abbrev} ${Package}\n' '*endlab*' 2>/dev/null | sed -n 's/^ii *//p'; }
apt() { inside apt-get -qy --no-install-recommends "$@"; }
FEN='7k/8/8/8/8/8/8/KQ6 w - - 0 1'

answers 'the program installs' 0 . shell 'apt-get -qy --no-install-recommends install /packages/endlab_*.deb'
[ "$(installed)" = endlab ]
verdict 'and needs none of the others'
answers 'it tells its version' 0 "^endlab $version\$" inside endlab --version
answers 'it builds' 0 '^3 tables in ' inside endlab build KQvKR --metric dtm
answers 'and probes' 0 'White to move wins' inside endlab probe "$FEN"
answers 'the others install' 0 . shell 'apt-get -qy --no-install-recommends install /packages/*.deb gcc libc6-dev pkg-config'
for page in endlab.1 $(cd "$here/tui/man" && echo *.[1-9]); do
	[ -s "$root/usr/share/man/man${page##*.}/$page.gz" ] || echo "$page"
done >"$T/out"
[ ! -s "$T/out" ]
verdict 'manual pages are there'
answers 'bash completes' 0 '^complete .* endlab$' shell \
	'cd /usr/share/bash-completion/completions && bash -ec ". ./endlab; complete -p endlab"'
[ -s "$root/usr/share/zsh/vendor-completions/_endlab" ] && [ -s "$root/usr/share/fish/vendor_completions.d/endlab.fish" ]
verdict 'zsh and fish have their files'
answers 'lessons are there to copy' 0 'SPDX' shell 'cat /usr/share/doc/endlab/examples/lessons/kpk.lesson'
answers 'a service is there, and off' 0 '^\[Service\]' shell 'cat /lib/systemd/system/endlab.service &&
	[ -z "$(find /etc/systemd -name "endlab*")" ]'
answers 'Python probes' 0 '^win [0-9]' inside python3 -c "import endlab
with endlab.Tables('/tables') as tables:
	value = tables.probe('$FEN', 'dtm')
	print(value.outcome, value.plies)"
answers 'a C program probes' 0 '^b1(b2|c1)  win ' shell 'cd /usr/share/doc/libendlab-dev/examples/engine
	gcc -o /probe probe.c $(pkg-config --cflags --libs endlab) && /probe /tables'
answers 'another is linked with the static library' 0 '^b1(b2|c1)  win ' shell '
	cd /usr/share/doc/libendlab-dev/examples/engine
	gcc -static -o /probe probe.c $(pkg-config --static --cflags --libs endlab) && /probe /tables'
answers 'a plug-in is compiled, and found' 0 '/pages\.so' shell '
	folder=/usr/lib/$(gcc -print-multiarch)/endlab/plugins
	mkdir -p $folder
	gcc -shared -fPIC -o $folder/pages.so /usr/share/doc/libendlab-dev/examples/codec/pages.c
	endlab list
	rm -r ${folder%/*}'

# ---- and away again ----

for package in $ours; do
	inside dpkg -L "$package"
done | sort -u >"$T/had"
answers 'they are removed' 0 . apt purge $ours
while read -r path; do # folders that other packages have too may stay
	[ "$path" = /. ] || [ ! -e "$root$path" ] || inside dpkg -S "$path" >/dev/null 2>&1 || echo "$path"
done <"$T/had" >"$T/out"
inside find / -xdev -name '*endlab*' ! -path '/packages/*' >>"$T/out" 2>&1
installed >>"$T/out"
[ ! -s "$T/out" ] && [ -s "$T/had" ]
verdict 'nothing is left behind'
