#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Exit statuses after refusals and interruptions.
. "$(dirname "$0")/common"
endlab build KQvKR >/dev/null 2>&1
FOREVER=$(yes KQvKR | head -2000)
# `timeout` signals the program and then its group: a second signal can keep a leak check from ever ending.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
mkfifo "$T/silence"
exec 3<>"$T/silence"

# stopped NAME STATUS PATTERN SIGNAL COMMAND...: one line on stderr says so, after half a second. (`timeout`
# sends the signal and then SIGCONT; background jobs of a shell ignore ^C.)
stopped() {
	name=$1 wanted=$2 pattern=$3 signal=$4
	shift 4
	timeout --preserve-status -k 20 -s "$signal" 0.5 "$@" >"$T/out" 2>"$T/err" <&3
	status=$?
	[ "$status" -eq "$wanted" ] && [ "$(grep -c '^endlab: ' "$T/err")" -eq 1 ] &&
		grep -qE "^endlab: $pattern" "$T/err"
	verdict "$name"
	[ "$status" -eq "$wanted" ] || echo "  exit status $status, expected $wanted"
}
for signal in HUP:129 INT:130 QUIT:131 TERM:143; do
	which=SIG${signal%:*} number=${signal#*:}
	stopped "$which: verify is told from a failed proof" "$number" 'verify: KQvKR([+]castling)? dtm: stopped$' \
		"${signal%:*}" "$ENDLAB" verify $FOREVER
	stopped "$which: a probe that waits for lines" "$number" 'probe: stopped after 0 positions$' \
		"${signal%:*}" "$ENDLAB" probe --stdin
	stopped "$which: a shell that waits for lines" "$number" 'shell: stopped$' \
		"${signal%:*}" "$ENDLAB" shell
done
stopped 'verify of files' 130 'verify: KQvKR([+]castling)? dtm: stopped$' INT \
	"$ENDLAB" verify $(echo "$FOREVER" | sed "s|.*|$ENDLAB_DIR/&.dtm.egt|")
stopped 'a lab' 130 'lab: (KQvKR dtm: )?stopped' INT "$ENDLAB" lab KQvKR
for slice in $FOREVER; do echo "verify $slice"; done >"$T/script"
timeout --preserve-status -s INT 0.5 "$ENDLAB" shell <"$T/script" >"$T/out" 2>"$T/err"
[ $? -eq 130 ] && [ "$(grep -c '^endlab: ' "$T/err")" -eq 1 ]
verdict 'a script whose command is stopped'

# Whatever stops a program often signals twice.
"$ENDLAB" verify $FOREVER >"$T/out" 2>"$T/err" &
pid=$!
sleep 0.5
kill -STOP $pid
kill -HUP $pid
kill -TERM $pid
kill -CONT $pid
wait $pid
status=$?
{ [ $status -eq 129 ] || [ $status -eq 143 ]; } && grep -q 'verify: .*stopped$' "$T/err"
verdict 'two signals at once are one wish'

# A reader that stops reading does not delay the end.
mkfifo "$T/pipe"
sleep 60 <"$T/pipe" &
reader=$!
yes '8/8/8/8/8/2k5/8/K6Q w - - 0 1' | timeout --preserve-status -k 20 -s TERM 1 \
	"$ENDLAB" probe --stdin >"$T/pipe" 2>"$T/err" &
pid=$!
wait $pid
status=$?
kill $reader
wait $reader 2>/dev/null
: >"$T/out"
[ $status -eq 143 ] && [ "$(wc -l <"$T/err")" -eq 1 ] && grep -q 'probe: stopped after' "$T/err"
verdict 'what nobody reads is given up, in one line'
[ $status -eq 143 ] || echo "  exit status $status, expected 143"

# ---- refusals ----
refuses 'more memory than it may take, whatever goes to the disk' 1 \
	'build: KQRBvKN needs at least .* MB of memory, even with its sets on the disk; found 67 MB$' \
	endlab --dir "$T/large" build KQRBvKN --memory 64M
refuses 'film takes a slice' 2 "film: 'checkers:2-3' is a group of slices; .* such as checkers:KMMvKM$" \
	endlab film checkers:2-3
run endlab --man
grep -q '130 for ^C, 143 for SIGTERM' "$T/out"
verdict 'the manual page tells the statuses'
