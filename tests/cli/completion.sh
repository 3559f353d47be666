#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the shells offer for the values of options, from the registries, in each shell.
. "$(dirname "$0")/common"

endlab --completion bash >"$T/bash"
endlab --completion zsh >"$T/zsh"
endlab --completion fish >"$T/fish"
cat >"$T/ask.bash" <<'END'
. "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_endlab 2>&1
printf '%s ' "${COMPREPLY[@]}"
END

# bash_offers NAME EXPECTED WORD...: the words as bash splits the line
bash_offers() {
	name=$1 wanted=$2
	shift 2
	run bash "$T/ask.bash" "$T/bash" "$@"
	[ "$status" -eq 0 ] && [ "$(cat "$T/out")" = "$wanted" ]
	verdict "bash: $name"
}
if command -v bash >/dev/null; then
	bash_offers 'a codec' 'zstd ' endlab build KQvK --codec zs
	bash_offers 'a codec behind =' 'zstd ' endlab build --codec = zs
	bash_offers 'fills' 'none previous best ' endlab recode a.egt --fill ''
	bash_offers 'orders behind =' 'index best smallest ' endlab build --order =
	bash_offers 'derivations' 'nothing captures side captures+side outcomes outcomes+side ' endlab build --derive ''
	bash_offers 'workloads' 'random line scan ' endlab lab KQvK --workload ''
	bash_offers 'a block size' '4K ' endlab build --block 4
	bash_offers 'themes' 'dark light mono ' endlab --theme ''
	bash_offers 'a lesson' 'kpk ' endlab --lesson kp
	bash_offers 'shells' 'bash zsh fish ' endlab --completion ''
	bash_offers 'one metric' 'win ' endlab stats KQvK --metric wi
	bash_offers 'the next of a list' 'wdl,dtm,win ' endlab build --metric wdl,dtm,wi
	bash_offers 'the next of a list behind =' 'dtm,win ' endlab build KQvK --metric = dtm,wi
	bash_offers 'the next of a list behind a level' '19,xz ' \
		endlab lab KQvK --codecs raw,zstd : 19,x
	bash_offers 'nothing for a number' ' ' endlab build --threads ''
	bash_offers 'files, which it knows itself' ' ' endlab recode a.egt -o ''
	bash_offers 'a global option behind a command' 'dark ' endlab list --theme d
	bash_offers 'the value of an option is no command' 'KQvKR ' \
		endlab --dir = stats stats KQvKR
	bash_offers 'options of the command' '--metric ' endlab verify --met
	for option in --codec --fill --order --derive; do
		run bash "$T/ask.bash" "$T/bash" endlab build $option ''
		for word in $(cat "$T/out"); do
			"$ENDLAB" --dir "$T/tables" build 9 $option "$word" 2>&1 |
				grep -q "group '9'" || echo "$option $word"
		done >"$T/err"
		[ -s "$T/out" ] && [ ! -s "$T/err" ]
		verdict "every value offered for $option is one that build takes"
	done
fi
if command -v fish >/dev/null; then
	# fish_offers NAME EXPECTED LINE
	fish_offers() {
		run fish --no-config -c "source $T/fish; complete -C '$3' | cut -f1 | tr '\n' ' '"
		[ "$(cat "$T/out")" = "$2" ]
		verdict "fish: $1"
	}
	HOME=$T export HOME
	fish_offers 'a codec' 'zstd ' 'endlab build KQvK --codec zs'
	fish_offers 'a codec behind =' '--codec=zstd ' 'endlab build --codec=zs'
	fish_offers 'the next of a list' 'dtm,win ' 'endlab build --metric dtm,wi'
	fish_offers 'the next of a list behind =' '--metric=dtm,win ' 'endlab build --metric=dtm,wi'
	fish_offers 'themes' 'dark light mono ' 'endlab --theme '
	touch "$T/kpk-of-mine"
	cd "$T" && fish_offers 'lessons and files' 'kpk kpk-of-mine ' 'endlab --lesson kp'
	fish_offers 'nothing for a number' '' 'endlab build --threads '
fi

# told NAME FILES WORDS WORD...: what zsh and fish get for a last word: the files to offer, and words
told() {
	name=$1 files=$2 wanted=$3
	shift 3
	for shell in zsh fish; do
		run endlab --complete $shell "$@"
		[ "$status" -eq 0 ] && [ "$(head -n 1 "$T/out")" = "$files" ] &&
			case " $(tail -n +2 "$T/out" | cut -f 1 | tr '\n' ' ')" in *" $wanted"*) ;; *) false ;; esac
		verdict "$shell: $name"
	done
}
told 'words' none 'raw rle ' build --codec ''
told 'words behind =' none '--codec=raw --codec=rle ' build --codec=
told 'words of a list' none 'dtm,wdl dtm,win dtm,dtm ' build --metric dtm,
told 'files' files '' recode a.egt -o ''
told 'files of a command' files '' recode ''
told 'words and files' files 'kpk ' --lesson ''
told 'folders' folders '' --dir ''
told 'nothing for a number' none '' build --threads ''
told 'slices' none 'KQvK ' build ''
told 'commands' none 'build plan ' ''
told 'options of the command' none '--metric ' verify -
told 'options of the program' none '--dir --path ' -
endlab --complete zsh '' | grep -q "^stats${TAB}count " && endlab --complete fish build - | grep -q "^--codec${TAB}"
verdict 'commands and options come with what they mean'
