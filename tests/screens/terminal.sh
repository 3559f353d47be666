#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The program in a real terminal: tmux shows what arrives there. Prints 'ok ...' and 'not ok ...'.
set -u
ENDLAB=${ENDLAB:-build/endlab}
if ! command -v tmux >/dev/null; then
	echo 'skip terminal: tmux is not installed'
	exit 0
fi
dir=$(mktemp -d) || exit 2
S=endlab-test-$$ n=0
mux() { tmux -L "$S-$n" -f /dev/null "$@"; }
trap 'mux kill-server 2>/dev/null; rm -rf "$dir"' EXIT
failed=0

check() { # check NAME CONDITION...
	name=$1
	shift
	if "$@"; then echo "ok $name"; else
		echo "not ok $name"
		mux capture-pane -p 2>/dev/null | sed 's/^/  |/'
		failed=1
	fi
}
start() { # start COLS ROWS ENVIRONMENT ARGUMENTS
	# Each time a new server: one about to exit would take the session along.
	[ $n -eq 0 ] || mux kill-server
	n=$((n + 1))
	mux new-session -d -x "$1" -y "$2" \
		"ulimit -c 0; echo stood here before; env LC_ALL=C.UTF-8 ENDLAB_DIR=$dir/tables XDG_STATE_HOME=$dir/state $3 $ENDLAB $4; \
		 echo exit status \$?; stty -a | grep -c ' icanon'; sleep 60"
	mux set -g status off
}
keys() { for k in "$@"; do mux send-keys "$k"; done; }
hides() { # hides PATTERN: within 5 s
	for _ in $(seq 25); do
		mux capture-pane -p 2>/dev/null | grep -q -- "$1" || return 0
		sleep 0.2
	done
	return 1
}
type_line() { mux send-keys -l "$1"; }
shows() { # shows PATTERN: within 30 s
	for _ in $(seq 150); do
		mux capture-pane -p 2>/dev/null | grep -q -- "$1" && return 0
		sleep 0.2
	done
	return 1
}
shows_now() { mux capture-pane -p | grep -q -- "$1"; }
colours() { mux capture-pane -e -p | grep -q "$(printf '\033')\[[0-9;]*48;5;"; }
not() { ! "$@"; }
paste() { # paste TEXT: in brackets if the program has asked for them, else as if typed
	printf '%s' "$1" | mux load-buffer -
	mux paste-buffer -p
}
program() { # its process
	shell=$(mux display -p '#{pane_pid}')
	cat "/proc/$shell/task/$shell/children"
}
foreground() { # the process group that the terminal's keys go to
	shell=$(mux display -p '#{pane_pid}')
	cut -d ' ' -f 8 "/proc/$shell/stat"
}
halts_in_a_file() { # halts_in_a_file PROCESS FOLDER: while it writes a file there; within 60 s
	for _ in $(seq 3000); do
		if [ -n "$(find "$2" -name '.endlab-tmp-*' 2>/dev/null)" ]; then
			kill -STOP "$1"
			[ -n "$(find "$2" -name '.endlab-tmp-*')" ] && return 0
			kill -CONT "$1"
		fi
		sleep 0.02
	done
	return 1
}
modes() { # alternate screen, mouse, cursor: on or off
	mux display -p '#{alternate_on} #{mouse_any_flag} #{cursor_flag}'
}
modes_are() { # modes_are MODES: within 10 s
	for _ in $(seq 50); do
		[ "$(modes)" = "$1" ] && return 0
		sleep 0.2
	done
	echo "  |modes: $(modes)"
	return 1
}
gives_back() { # gives_back WHAT STATUS: the terminal is restored, the exit status is right
	check "$1: the exit status says so" shows "exit status $2\$"
	check "$1: no alternate screen, no mouse, a cursor" modes_are '0 0 1'
	check "$1: lines are lines again" shows '^1$'
	check "$1: what stood there stands there" shows '^stood here before'
	paste 'as typed'
	check "$1: pastes are not marked" shows '^as typed'
}

start 80 24 TERM=tmux-256color ''
check 'the first run builds five tables and says so' shows 'Built and verified 5 tables'
check 'values appear by themselves' shows 'to move mates'
check 'and a card says how to begin' shows 'Press any key to begin'
keys Escape
check 'the board is in colour' colours
check 'pieces are glyphs' shows '♚'
type_line ':8/8/8/8/8/2k5/8/K2Q4 w - - 0 1'
keys Enter
check 'a position typed at the prompt is shown' shows 'White to move mates'
keys Space Space
check 'space plays the best moves' shows 'move 1... of 1'
keys Left
check 'an arrow key steps back' shows 'move 1 of 1'
type_line ':explore-sl'
keys Tab
check 'Tab completes an action' shows '^:explore-slice'
keys Escape
check 'Escape closes the prompt' shows 'space best'
type_line ':'
keys Up
check 'Up brings an earlier line back' shows '^:8/8/8/8/8/2k5/8/K2Q4 w'
keys Escape m
check 'm shows the map' shows 'the white queen on every square'
type_line "$(printf 'q\033[99;5~\033OX')"
check 'a key that the terminal does not name is no Escape' shows 'Black to move is mated'
keys Escape
check 'Escape does not quit' shows 'Press q to quit'
keys s Q Escape
check 'Escape leaves set-up' shows 'space best'
mux resize-window -x 60 -y 20
check 'a smaller window is drawn anew' shows '  a b c d e f g h'
mux resize-window -x 40 -y 12
check 'the smallest still says the value and its unit' shows 'in [0-9]* pl'
mux resize-window -x 30 -y 10
check 'a window that is too small says what it needs' shows 'needs 36 x 12'
mux resize-window -x 160 -y 50
check 'a larger one shows more' shows 'a     b     c     d'
mux resize-window -x 80 -y 24
check 'and back' shows '   a   b   c   d   e   f   g   h'
type_line ':probe'
keys Enter
check 'a command runs and shows its output' shows 'mate in [0-9]* plies'
keys q Q
check 'Q quits' shows 'exit status 0'
check 'the terminal is as it was' shows '^1$'
check 'the history is kept' grep -q '^probe$' "$dir/state/endlab/history"

start 80 24 TERM=tmux-256color '8/8/8/8/8/2k5/8/K2Q4 w - - 0 1'
check 'a position given as an argument' shows 'to move mates'
keys 3
check 'Lab measures the slice that is explored' shows 'KQvK  DTM'
keys D D D D D D D Space
check 'a run says how far it is' shows ' of 2'
check 'and what it has found' shows 'Measured 2 candidates'
keys Enter
check 'a block is shown before and after its fill' shows 'after the fill'
keys q 5 A b
check 'a build says how far it is' shows 'building K'
keys j k X
check 'and is stopped' shows 'Stopped. Tables built and kept: [0-9]* of 30'
keys Q
check 'quitting is clean' shows 'exit status 0'
check 'and what stood on the terminal before stands there again' shows '^stood here before'

start 80 24 TERM=tmux-256color 'W:WK3,20:BK30'
check 'a position of draughts as an argument' shows 'checkers:KMvK is not built.'
check 'its pieces are glyphs' shows '○'
check 'its squares are numbered' shows '29      30      31      32'
keys b
check 'its tables are built' shows ' in [0-9]* plies'
keys Space s o
check 'o sets up the next game' shows 'or click a spare man, then a point'
keys o
check 'o sets up a board of pits' shows 'Type how many stones are in the pit'
keys o o
check 'and the first one again' shows 'Type a letter, a capital for White'
keys Escape
type_line ':checkers:KMv'
keys Tab
check 'slices of draughts are completed' shows '^:checkers:KMv'
keys Escape 5
check 'Build lists the slices of the game' shows 'checkers: [0-9]* of [0-9]* built'
keys Q
check 'and Q quits' shows 'exit status 0'

start 80 24 TERM=tmux-256color '8/8/8/8/8/2k5/8/K2Q4 w - - 0 1'
check 'a position for pastes' shows 'to move mates'
paste "$(printf '8/8/8/8/8/2k5/8/K2R4 b - -\n')"
check 'a pasted position is offered' shows 'Press Enter to set up this position'
check 'and stands in the prompt' shows '^:8/8/8/8/8/2k5/8/K2R4 b - -'
keys Enter
check 'Enter sets it up' shows '8/8/8/8/8/2k5/8/K2R4 b - -'
keys U
check 'one key goes back to what was there' shows '8/8/8/8/8/2k5/8/K2Q4 w - -'
paste "$(printf 'Q\nQ\nQ')"
check 'a pasted text is shown, not run' shows '^:Q'
keys Escape u
check 'and no key' shows 'Depths are shown in'
paste '8/8/8/8/8/2k5/8/K2R4 b - -'
check 'what is offered is said' shows 'Press Enter to set up'
keys Escape
check 'and no longer when it is left' hides 'Press Enter to set up'
type_line ':search'
keys Enter
mux send-keys -l 'none such'
check 'a typed line can open the prompt again' shows '^:search none such'
keys Escape
type_line ':'
paste "$(printf '8/8/8/8/8/2k5/8/K2Q4 b - - 0 1\nx')"
check 'at the prompt it is put in' shows '^:8/8/8/8/8/2k5/8/K2Q4 b - - 0 1 x'
keys BSpace Enter
check 'and runs with Enter' shows 'Black to move is mated'
mux send-keys -l "$(printf '\033[200~one')"
sleep 1
mux send-keys -l "$(printf 'Q\033[201~')"
check 'a paste that pauses is one' shows '^:oneQ'
keys Escape
mux send-keys -l "$(printf '\033[200~Q')"
check 'a paste without end is shown' shows '^:Q'
keys Escape Q
check 'a paste without end does not swallow keys for ever' shows 'exit status 0'

# Games: from the command line, pasted, copied, kept.
printf '[FEN "8/8/8/8/8/2k5/8/K2Q4 w - - 0 1"]\n\n1. Qd5 Kc2 (1... Kb4) 2. Qb3+ *\n' >"$dir/game.pgn"
start 80 24 '' "$dir/game.pgn"
mux set -s set-clipboard on
check 'a game from the command line' shows 'game.pgn .*KQvK'
check 'it is judged' shows '2. Qb3+.*threw away the win'
keys ']'
check 'a key finds the mistake' shows '> 2. Qb3+'
type_line Y
check 'the game is copied' shows 'Copied the game'
check 'and is in the clipboard' sh -c "tmux -L $S-$n show-buffer | grep -q '1. Qd5 Kc2 (1... Kb4) 2. Qb3+'"
paste "$(printf '[White "Ann"]\n[FEN "8/8/8/8/8/2k5/8/K2R4 b - - 0 1"]\n\n1... Kb3 {to the king} *\n')"
check 'a pasted game is opened' shows 'to the king'
type_line U
check 'the one before is kept' shows '> 2. Qb3+'
type_line :
type_line 'Kd4'
keys Enter
type_line Q
check 'a session with games ends' shows 'exit status 0'
start 80 24 '' ''
check 'and is resumed with its games' shows '2. Qb3+.*threw away the win'
type_line Q
check 'once more' shows 'exit status 0'
start 80 24 '' ''
check 'and once more' shows '2. Qb3+'
mv "$dir/state/endlab" "$dir/aside"
echo 'no folder' >"$dir/state/endlab"
type_line Q
check 'a session that cannot be kept ends all the same' shows 'exit status 4'
check 'and its loss is told where the screen was' shows 'endlab: The last session cannot be kept: '
rm "$dir/state/endlab"
mv "$dir/aside" "$dir/state/endlab"
start 80 24 '' ''
check 'a session that will not be readable' shows '2. Qb3+'
mv "$dir/state/endlab/session" "$dir/aside"
mkdir "$dir/state/endlab/session"
type_line Q
check 'its loss is told as well' shows 'endlab: The last session cannot be read, so nothing will be kept: '
check 'and ends in failure' shows 'exit status 4'
rmdir "$dir/state/endlab/session"
mv "$dir/aside" "$dir/state/endlab/session"
start 40 24 '' 'verify --again KRvK KQvK KPvK --metric dtm'
check 'a command with a bar' shows 'exit status 0'
check 'the bar is gone where lines are short, too' not shows_now 'verifying'
start 80 24 '' "$dir/nothing.pgn"
check 'a file that is not there is told' shows 'nothing.pgn: No such file'
check 'with its exit status' shows 'exit status 4'

start 80 24 TERM=tmux-256color '8/8/8/8/8/2k5/8/K2Q4 w - - 0 1'
check 'a position to search from' shows 'to move mates'
type_line ':teach KRvK'
keys Enter
check 'a line to be found' shows 'KRvK'
type_line ':'
keys C-r
type_line 'te'
check 'C-r finds it' shows '^:teach KRvK'
keys Escape
type_line ':list'
keys Enter
check 'after Escape in a search the next line is the one that runs' shows 'KPvK.dtm.egt'
keys q Q
check 'and that is all' shows 'exit status 0'

for signal in HUP:129 INT:130 QUIT:131 TERM:143; do
	which=SIG${signal%:*}
	start 80 24 TERM=tmux-256color '8/8/8/8/8/2k5/8/K2Q4 w - - 0 1'
	check "$which: the explorer runs" shows 'to move mates'
	check "$which: the screen, the mouse and the cursor are its own" modes_are '1 1 0'
	kill -"${signal%:*}" "$(program)"
	gives_back "$which" "${signal#*:}"
done

start 80 24 "TERM=tmux-256color ENDLAB_DIR=$dir/ended" '8/8/8/8/8/2k5/8/K2Q4 w - - 0 1'
check 'a build to be ended' shows 'to move mates'
type_line ':build all'
keys Enter
pid=$(program)
check 'it is halted in the middle of a file' halts_in_a_file "$pid" "$dir/ended"
kill -TERM "$pid"
kill -CONT "$pid"
gives_back 'SIGTERM in a build' 143
check 'no half a file is left' test -z "$(find "$dir/ended" -name '.endlab-tmp-*')"

# A shell with job control: otherwise nobody could continue a suspended program.
mux kill-server
n=$((n + 1))
mux new-session -d -x 80 -y 24 "env LC_ALL=C.UTF-8 ENDLAB_DIR=$dir/tables \
	XDG_STATE_HOME=$dir/state TERM=tmux-256color sh -mc '$ENDLAB; echo suspended; read line; fg; \
	echo suspended at the prompt; read line; fg; echo suspended again; read line; jobs; sleep 60'"
mux set -g status off
check 'a program to be suspended' shows 'to move mates'
keys C-z
check 'C-z: the shell says so' shows suspended
check "C-z: the terminal is the shell's" modes_are '0 0 1'
keys Enter
check "fg: it is the program's again" modes_are '1 1 0'
check 'fg: it shows what it showed' shows 'to move mates'
paste "$(printf 'x\nQ\nQ')"
check 'fg: pastes are marked again' shows '^:x'
keys C-z
check 'C-z at the prompt' shows 'suspended at the prompt'
check "C-z at the prompt: the terminal is the shell's" modes_are '0 0 1'
keys Enter
check 'fg: the line is there' shows '^:x'
type_line 'y'
check 'fg: and goes on' shows '^:x.*y$'
keys Escape
pid=$(foreground)
kill -TSTP "$pid"
check 'SIGTSTP does the same' shows 'suspended again'
kill -TERM "$pid"
kill -CONT "$pid"
sleep 1
keys Enter
check 'SIGTERM while suspended: it ends at once' shows 'Terminated'
check "SIGTERM while suspended: the terminal stays the shell's" modes_are '0 0 1'

# The same with the shell's prompt, which keeps its line.
mux kill-server
n=$((n + 1))
mux new-session -d -x 80 -y 24 "env LC_ALL=C.UTF-8 ENDLAB_DIR=$dir/tables \
	XDG_STATE_HOME=$dir/state TERM=tmux-256color sh -mc '$ENDLAB shell; echo suspended; stty -a | grep -c \" icanon\"; \
	read line; fg; sleep 60'"
mux set -g status off
check 'a prompt to be suspended' shows '^endlab>'
type_line 'list --x'
check 'with a line begun' shows '^endlab> list --x' # C-z discards what was not read
keys C-z
check 'C-z: the shell has the terminal' shows suspended
check 'C-z: lines are lines there' shows '^1$'
keys Enter
type_line 'y'
check 'fg: the line is there, and goes on' shows 'endlab> list --xy'
mux resize-window -x 40 -y 24
sleep 0.5
type_line '56789012345678901234567890'
check 'a prompt that has become narrow scrolls' not shows_now '^[56789]'
keys Enter
check 'and runs its line' shows "unknown option"
keys C-d

# Files named at the prompt.
printf '[FEN "8/8/8/4k3/8/4K3/8/R7 w - - 0 1"]\n\n1. Ra5+ Kd6 *\n' >"$dir/home.pgn"
mkfifo "$dir/pipe"
start 80 24 "TERM=tmux-256color HOME=$dir" '8/8/8/8/8/2k5/8/K2Q4 w - - 0 1'
type_line ':open ~/home.pgn'
keys Enter
check 'a path below the home' shows 'Kd6'
type_line ':save ~/kept.pgn'
keys Enter
check 'and one to save to' shows 'Kd6'
type_line ":open $dir/pipe"
keys Enter
check 'a pipe is no file' shows 'expected a file'
keys Q
check 'nothing waits for it' shows 'exit status 0'
check 'what was saved is in the home' grep -q 'Kd6' "$dir/kept.pgn"

# What is no file of games.
status_of() { timeout 20 "$@" >"$dir/out" 2>&1 </dev/null; echo $?; }
check 'a pipe on the command line is named' test "$(status_of "$ENDLAB" "$dir/pipe")" -eq 4
check 'in one line' test "$(cat "$dir/out")" = "endlab: $dir/pipe: expected a file of games or positions, found a pipe"
check 'a folder is named' test "$(status_of "$ENDLAB" "$dir")" -eq 4
check 'in one line, too' test "$(cat "$dir/out")" = "endlab: $dir: expected a file of games or positions, found a folder"
printf '8/8/8/8/8/2k5/8/K2Q4 w - - bm Qd5;\n8/8/8/8/8/2k5/8/K2R4 b - - id "the rook";\n' >"$dir/list.epd"
start 80 24 'TERM=tmux-256color' "$dir/list.epd"
check 'a file of positions is a list' shows 'KRvK  *2  *Black'
check 'of its own' shows_now '\[File\]'
keys j Enter
check 'Enter explores a position' shows '8/8/8/8/8/2k5/8/K2R4 b - -'
check 'the mouse works' modes_are '1 1 0'
type_line ':mouse'
keys Enter
check 'the mouse can be left to the terminal' modes_are '1 0 0'
keys Q
check 'the program ends' shows 'exit status 0'
start 80 24 'TERM=tmux-256color' ''
check 'which is kept' modes_are '1 0 0'
check 'from the beginning' shows '8/8/8/8/8/2k5/8/K2R4 b - -'
type_line ':mouse'
keys Enter
check 'and taken back' modes_are '1 1 0'
keys Q
check 'it ends' shows 'exit status 0'

if command -v python3 >/dev/null; then
	check 'a hundred resizes over a slow line end nothing' env LC_ALL=C.UTF-8 ENDLAB_DIR="$dir/tables" \
		XDG_STATE_HOME="$dir/resized" python3 tests/others/resize.py "$ENDLAB"
	check 'pastes of 4 MB come whole, and nothing in them is a key' env LC_ALL=C.UTF-8 ENDLAB_DIR="$dir/tables" \
		XDG_STATE_HOME="$dir/resized" python3 tests/others/paste.py "$ENDLAB"
	check 'the theme is that of the background, whatever the answer' env LC_ALL=C.UTF-8 ENDLAB_DIR="$dir/tables" \
		python3 tests/others/ground.py "$ENDLAB"
else
	echo 'skip a hundred resizes, pastes of 4 MB, the background: no python3'
fi

# Files whose names are sequences for a terminal, in a folder of tables.
mkdir "$dir/odd" && cp "$dir/tables/KQvK.dtm.egt" "$dir/odd"
echo junk >"$dir/odd/$(printf 'x\033]2;owned\007\033[2J').dtm.egt"
echo junk >"$dir/odd/$(printf 'y\302\2332J').dtm.egt"
start 100 24 "TERM=tmux-256color ENDLAB_DIR=$dir/odd" ''
keys 4
check 'Tables shows names as text' shows 'x?]2;owned??\[2J.dtm.egt ignored: '
keys j j
check 'also those of one more control character' shows '>y?2J.dtm.egt ignored: '
type_line ':list'
keys Enter
check 'so does a command' shows 'x.u001b]2;owned.u0007.u001b\[2J.dtm.egt'
keys q
type_line ":verify $dir/odd/x"
keys Tab
check 'they are not completed' shows "^:verify $dir/odd/x *$"
keys Escape
check 'the title is what it was' test "$(mux display -p '#{pane_title}')" != owned
start 100 24 "TERM=tmux-256color ENDLAB_DIR=$dir/odd" shell
check 'the prompt of the shell' shows '^endlab> *$' # keys before it are echoed by the terminal
type_line "verify $dir/odd/"
keys Tab Tab
check 'nor at the prompt of the shell' shows "verify $dir/odd/KQvK.dtm.egt"
keys C-u
type_line "$(printf 'x\302\2332Jy')"
check 'what is typed there is shown as text, too' shows '^endlab> x??2Jy$'
keys C-u
type_line list
keys Enter
check 'where a list shows them' shows 'y.u009b2J.dtm.egt'
check 'and the title is what it was' test "$(mux display -p '#{pane_title}')" != owned

start 80 24 'TERM=tmux-256color ENDLAB_LESSONS=samples/lessons' ''
keys 2
check 'Teach films the slice' shows 'nothing is known'
keys Space
check 'space is the next pass' shows 'the side to move is checkmated'
type_line ':lesson krk'
keys Enter
check 'a lesson says something below the board' shows 'pass by pass  1/22'
keys n NPage
check 'n and PageDown go on' shows '3/22'
keys PPage
check 'PageUp goes back' shows '2/22'
keys N Right
check 'and N; the arrow keys are still those of the board' shows '1/22'
type_line ':lesson off'
keys Enter
check 'a lesson ends' shows 'has ended'
keys P
check 'P lists the exercises' shows 'What do you want to practise'
keys Enter
check 'and Enter begins one' shows 'is possible'
keys q q q q
check 'q leads back, and out' shows 'exit status 0'

start 80 24 'TERM=tmux-256color ENDLAB_LESSONS=samples/lessons' '--lesson krk'
check '--lesson begins with one' shows 'pass by pass  1/22'

cat >"$dir/presented.lesson" <<'END'
A rook up
:fen 8/8/8/8/8/2k5/8/K2R4 w - - 0 1
How long does it take?
---
:ask number plies
:hint An odd number.
:note Let the class vote first.
Count.
END
notes_show() { # notes_show PATTERN: in the other terminal, within 10 s
	for _ in $(seq 50); do
		mux capture-pane -p -t notes 2>/dev/null | grep -q -- "$1" && return 0
		sleep 0.2
	done
	mux capture-pane -p -t notes | sed 's/^/  |/'
	return 1
}
notes_show_now() { mux capture-pane -p -t notes | grep -q -- "$1"; }
start 80 24 'TERM=tmux-256color' ''
check 'the explorer is there' shows '? help'
mux new-window -d -n notes "env LC_ALL=C.UTF-8 XDG_STATE_HOME=$dir/state $ENDLAB --notes; echo exit status \$?; sleep 60"
check '--notes waits for a lesson' notes_show 'Waiting for an explorer'
type_line ":lesson $dir/presented.lesson"
keys Enter
check 'and shows its step' notes_show '^ A rook up  step 1 of 2'
check 'and what comes next' notes_show '^ Count\.'
keys n
check 'it follows the lesson to the note' notes_show 'Let the class vote first'
check 'and the answer' notes_show '^ 25 plies'
keys 2 5 Enter n n
check 'until its end' notes_show 'No lesson is playing'
type_line ":lesson $dir/presented.lesson"
keys Enter
check 'and to another' notes_show 'step 1 of 2'
kill -KILL $(program)
check 'it says that the explorer is gone, however that ended' notes_show 'The explorer has ended'
check 'and removes what that left' test ! -e "$dir/state/endlab/presenter"
mux send-keys -t notes q
check 'q quits' notes_show 'exit status 0'
check 'and leaves the terminal as it was' not notes_show_now 'The explorer has ended'

start 80 24 'TERM=tmux-256color NO_COLOR=1' ''
check 'without colours the dark squares are dotted' shows ':::: '
check 'and no colour is sent' not colours
start 80 24 'TERM=tmux-256color LC_ALL=C' '8/8/8/8/8/2k5/8/K2Q4 w - - 0 1'
check 'a locale without UTF-8 gets letters' shows '^1  K           Q'
start 80 24 'TERM=linux' '8/8/8/8/8/2k5/8/K2Q4 w - - 0 1'
check 'the console of Linux gets letters' shows '^1  K           Q'
check 'and full blocks' shows_now '███'
check 'and no glyph that its fonts lack' not shows_now '▆\|♔\|♕\|♚\|♛'
start 80 24 'TERM=vt100' '--ascii'
check 'a terminal without colours gets letters and dots' shows '::::'
start 80 24 'TERM=dumb' ''
check 'a dumb terminal gets a sentence' shows "of type 'dumb' cannot place its cursor"
check 'and exit status 2' shows 'exit status 2'
start 80 24 'TERM=no-such-terminal' ''
check 'so does an unknown one' shows "unknown terminal type 'no-such-terminal'"
start 80 24 'TERM=tmux-256color' '--theme pink'
check 'an unknown theme is named' shows "unknown theme 'pink'"
mux kill-server

TERM=xterm ENDLAB_DIR=$dir/tables "$ENDLAB" </dev/null >"$dir/out" 2>"$dir/err"
status=$?
check 'without a terminal: exit status 2' test $status -eq 2
check 'and one line' test "$(wc -l <"$dir/err")" -eq 1
check 'and nothing else' test ! -s "$dir/out"
exit $failed
