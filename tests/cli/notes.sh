#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --notes without a terminal: text as it comes, until a signal.
. "$(dirname "$0")/common"
export XDG_STATE_HOME="$T/state"
mkdir -p "$T/state/endlab"
told="$T/state/endlab/presenter"

# follows NAME PATTERN: what is printed has such a line within 10 s
follows() {
	for _ in $(seq 100); do
		grep -qE -- "$2" "$T/out" && break
		sleep 0.1
	done
	grep -qE -- "$2" "$T/out"
	verdict "$1"
}
tells() { # tells PROCESS LINE...: as an explorer does
	printf 'endlab presenter 1 %s\n' "$1" >"$T/new"
	shift
	printf '%s\n' "$@" >>"$T/new"
	mv "$T/new" "$told"
}

refuses 'nothing else goes with it' 2 "--notes: expected nothing else, found 'KQvK'" endlab --notes KQvK
refuses 'without a place for state' 2 'set XDG_STATE_HOME or HOME' env -u XDG_STATE_HOME -u HOME "$ENDLAB" --notes

timeout --preserve-status -s TERM 60 "$ENDLAB" --notes >"$T/out" 2>"$T/err" </dev/null &
notes=$!
follows 'it waits' '^ Waiting for an explorer'
long='This paragraph is longer than the seventy-six columns that a row of the notes takes at most.'
tells $$ 'title A lesson' 'step 2 14' "text $long" 'text Second.' 'note Say this.' 'answer Qd6' 'next Third.'
follows 'a step' '^ A lesson  step 2 of 14$'
follows 'a paragraph is broken between words' '^ notes takes at most\.$'
follows 'another one' '^ Second\.$'
grep -A1 '^ Note$' "$T/out" | grep -qx ' Say this.' && grep -A1 '^ Answer$' "$T/out" | grep -qx ' Qd6' &&
	grep -A1 '^ Next$' "$T/out" | grep -qx ' Third.' && ! grep -q Hint "$T/out"
verdict 'what belongs to it, and nothing that does not'
tells $$ 'title A lesson' 'step 3 14' "text $(printf 'A \033[2J sign')"
follows 'signs that would steer a terminal are shown as text' '^ A \\'
! grep -q "$(printf '\033')" "$T/out"
verdict 'and no others come'
tells $$
follows 'the end of a lesson' '^ No lesson is playing\.'
sh -c 'exit 0' & # the number of a process that has ended
wait $!
tells $! 'title A lesson' 'step 1 1' 'text Lost.'
follows 'an explorer that is gone' '^ The explorer has ended\.'
! grep -q Lost "$T/out" && [ ! -e "$told" ]
verdict 'is not believed, and leaves nothing'
kill -TERM $notes
wait $notes 2>/dev/null
[ $? -eq 143 ] && [ ! -s "$T/err" ]
verdict 'a signal ends it'
