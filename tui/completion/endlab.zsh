#compdef endlab
_endlab() {
	local -a lines=("${(@f)$(endlab --complete zsh "${(@Q)words[2,CURRENT]}")}")
	local files=$lines[1]
	shift lines
	local -a names=("${(@)lines%%$'\t'*}") shown=("${(@)lines/$'\t'/  -- }")
	(( $#names )) && compadd -S ' ' -r ',=' -d shown -a names
	compset -P '--*='
	case $files in
	files) _files ;;
	folders) _files -/ ;;
	esac
}
if [[ $funcstack[1] == _endlab ]]; then _endlab; else compdef _endlab endlab; fi
