_endlab() {
	mapfile -t COMPREPLY < <(endlab --complete bash "${COMP_WORDS[@]:1:COMP_CWORD}")
	case ${COMPREPLY[0]} in
	files) compopt -o default ;;
	folders) compopt +o default -o dirnames ;;
	none) compopt +o default ;;
	esac 2>/dev/null
	COMPREPLY=("${COMPREPLY[@]:1}")
}
complete -o default -F _endlab endlab
