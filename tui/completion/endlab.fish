function __endlab
	set -l word (commandline -ct)
	set -l before (string match -r '^--[^=]*=' -- $word)
	set -l path (string replace -- "$before" '' $word)
	set -l lines (endlab --complete fish (commandline -opc)[2..-1] "$word")
	switch "$lines[1]"
	case files
		printf "$before%s\n" (__fish_complete_path "$path")
	case folders
		printf "$before%s\n" (__fish_complete_directories "$path")
	end
	printf '%s\n' $lines[2..-1]
end
complete -c endlab -f -a '(__endlab)'
