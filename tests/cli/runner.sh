#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The test runner must not count as passed a test that crashed, said nothing or does not exist.
. "$(dirname "$0")/common"
mkdir -p "$T/tests/unit/core" "$T/tests/cli" "$T/tests/screens" "$T/build/tests/unit/core"
cp "$(dirname "$0")/../run" "$T/tests/run"
export BUILD=build WRAP='' LIMIT=1 TESTS=''

program() { # program NAME: a unit test that runs the code on standard input
	: >"$T/tests/unit/core/test_$1.c"
	(echo '#!/bin/sh' && cat) >"$T/build/tests/unit/core/test_$1"
	chmod +x "$T/build/tests/unit/core/test_$1"
}
# told NAME STATUS TALLY: runs the tests made so far, and removes them
told() {
	run sh "$T/tests/run"
	[ "$status" -eq "$2" ] && [ "$(tail -1 "$T/out")" = "$3" ]
	verdict "$1"
	rm -f "$T"/tests/unit/core/* "$T"/tests/cli/* "$T"/tests/screens/* "$T"/build/tests/unit/core/*
	begin
}
begin() {
	echo 'echo ok fine' | tee "$T/tests/cli/fine.sh" >"$T/tests/screens/fine.sh"
}
begin
CLOSING="echo '[  PASSED  ] 3 test(s).'"

echo "$CLOSING" | program good
told 'what passes is counted' 0 '5 passed, 0 failed'
(echo "$CLOSING" && echo "$CLOSING") | program groups
told 'every group of a program is counted' 0 '8 passed, 0 failed'
printf '%s\n' "$CLOSING" "echo '[  FAILED  ] 2 test(s), listed below:'" | program bad
told 'failures count, whatever the exit status' 1 '5 passed, 2 failed'
(echo "$CLOSING" && echo 'kill -SEGV $$') | program crash
told 'a crash is a failure' 1 '5 passed, 1 failed'
echo 'exit 0' | program silent
told 'silence is a failure' 1 '2 passed, 1 failed'
echo 'exec sleep 60' | program hang
told 'so is taking too long' 1 '2 passed, 1 failed'
: >"$T/tests/unit/core/test_missing.c"
told 'so is not being there' 1 '2 passed, 1 failed'
echo "$CLOSING" | program good
: >"$T/tests/cli/silent.sh"
echo 'echo ok one; exit 3' >"$T/tests/cli/dies.sh"
echo 'echo ok one; echo not ok two' >"$T/tests/cli/bad.sh"
echo 'echo skip one: not here' >"$T/tests/cli/skips.sh"
told 'scripts too' 1 '7 passed, 3 failed, 1 skipped'
TESTS='tests/cli/fine.sh'
told 'one that is named runs alone' 0 '1 passed, 0 failed'
