# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Bash completion for `trace-cmd hist COMMAND ...` and `trace-cmd-hist ...`.
#
# This file is installed twice in bash-completion/completions: as trace-cmd-hist
# and as trace-cmd.  bash-completion finds the latter before the stock
# trace-cmd.bash.  The stock completion handles everything except `trace-cmd hist`.
#
# Commands and options come from the help of the program, so they always agree.
# A line of help begins with spaces and "-x, --long ARG".  The name of ARG selects
# the completion of the value.

# Set $words to the words of the line up to the cursor, and $cur to the current one.
# Bash splits words at colons and equal signs.  Parts without a space between them
# are joined again.
_trace_cmd_hist_words()
{
	local rest=${COMP_LINE:0:COMP_POINT} word i

	words=()
	for ((i = 0; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if ((i > 0)) && [[ -n $word && $rest != [[:space:]]* ]]; then
			words[${#words[@]} - 1]+=$word
		else
			words+=("$word")
		fi
		rest=${rest#"${rest%%[![:space:]]*}"}
		rest=${rest#"$word"}
	done
	cur=${words[${#words[@]} - 1]}
}

# Print the whole help of a command, or the list of commands.
_trace_cmd_hist_help()
{
	"${program[@]}" "${1:-help}" ${1:+--help=all} 2>/dev/null
}

_trace_cmd_hist_verbs()
{
	_trace_cmd_hist_help | sed -nE 's/^    ([a-z]+)  .*/\1/p'
}

_trace_cmd_hist_options()
{
	_trace_cmd_hist_help "$1" | sed -nE 's/^ +((-[A-Za-z])(, |[ ]|$))?(--[a-z-]+)?.*/\2 \4/p'
}

# Print the name that the help of command $1 has for the value of option $2: FILE.
_trace_cmd_hist_argument()
{
	[[ $2 =~ ^-[A-Za-z-]+$ ]] || return
	_trace_cmd_hist_help "$1" |
		sed -nE "s/^ +(-[A-Za-z], )?$2(, --[a-z-]+)?( ([^ ]+))?(  .*)?\$/\4/p" | head -n 1
}

# Print the names and aliases of presets.
_trace_cmd_hist_presets()
{
	"${program[@]}" list --presets --format json 2>/dev/null |
		sed -nE 's/^ *\{? *"name": "([^"]*)".*/\1/p'
}

_trace_cmd_hist_tracing_dir()
{
	local dir

	for dir in /sys/kernel/tracing /sys/kernel/debug/tracing; do
		[[ -r $dir/available_events ]] && echo "$dir" && return
	done
}

_trace_cmd_hist_reply()
{
	local i

	mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
	# Readline replaces only the part after the last colon.
	if [[ $cur == *:* && $COMP_WORDBREAKS == *:* ]]; then
		for i in "${!COMPREPLY[@]}"; do
			COMPREPLY[i]=${COMPREPLY[i]#"${cur%:*}:"}
		done
	fi
}

# Complete file names (-f), or command names (-c).
_trace_cmd_hist_files()
{
	mapfile -t COMPREPLY < <(compgen "${1:--f}" -- "$cur")
	compopt -o filenames 2>/dev/null
}

# Complete a value that the help calls $1.
_trace_cmd_hist_complete_argument()
{
	local dir

	dir=$(_trace_cmd_hist_tracing_dir)
	case $1 in
	*EVENT)
		[[ -z $dir ]] || _trace_cmd_hist_reply "$(<"$dir/available_events")" ;;
	PATTERN)
		[[ -z $dir ]] || _trace_cmd_hist_reply "$(sed 's/:.*//' "$dir/available_events" | sort -u)
$(<"$dir/available_events")" ;;
	GLOB*)
		[[ -z $dir ]] || _trace_cmd_hist_reply "$(sed 's/ .*//' "$dir/available_filter_functions" 2>/dev/null)" ;;
	TRACER*)
		[[ -z $dir ]] || _trace_cmd_hist_reply "$(tr ' ' '\n' <"$dir/available_tracers" |
			grep -xE 'timerlat|osnoise|hwlat|function|function_graph')" ;;
	CLOCK)
		[[ -z $dir ]] || _trace_cmd_hist_reply "$(tr -d '[]' <"$dir/trace_clock")" ;;
	INSTANCE)
		[[ -z $dir ]] || _trace_cmd_hist_reply "$(ls "$dir/instances")" ;;
	'NAME[:ARG]')
		_trace_cmd_hist_reply "$(_trace_cmd_hist_presets)" ;;
	ACTION)
		_trace_cmd_hist_reply "capture stop signal, shell,command= continue" ;;
	FILE | OUT | PATH)
		_trace_cmd_hist_files ;;
	[a-z]*'|'*)
		_trace_cmd_hist_reply "${1//|/ }" ;;
	esac
}

# _trace_cmd_hist_verb VERB N: complete the words after the verb; N is the first of them.
_trace_cmd_hist_verb()
{
	local verb=$1 first=$2 argument i

	for ((i = first; i < ${#words[@]} - 1; i++)); do
		if [[ ${words[i]} == -- ]]; then
			# the words after it are a command for record, and files for diff
			if [[ $verb == diff ]]; then
				_trace_cmd_hist_files
			else
				_trace_cmd_hist_files -c
			fi
			return
		fi
	done
	if ((${#words[@]} - 1 > first)); then
		argument=$(_trace_cmd_hist_argument "$verb" "${words[${#words[@]} - 2]}")
		if [[ -n $argument ]]; then
			_trace_cmd_hist_complete_argument "$argument"
			return
		fi
	fi
	if [[ $cur == -* ]]; then
		_trace_cmd_hist_reply "$(_trace_cmd_hist_options "$verb")"
		return
	fi
	case $verb in
	record) _trace_cmd_hist_files -c ;;
	help) _trace_cmd_hist_reply "$(_trace_cmd_hist_verbs)" ;;
	list)
		argument=PATTERN
		[[ " ${words[*]} " != *" --presets "* ]] || argument='NAME[:ARG]'
		_trace_cmd_hist_complete_argument "$argument" ;;
	top) ;;
	*) _trace_cmd_hist_files ;;
	esac
}

_trace_cmd_hist()
{
	local words cur verbs first program

	COMPREPLY=()
	_trace_cmd_hist_words
	if [[ ${words[0]##*/} == trace-cmd ]]; then
		if ((${#words[@]} < 3)) || [[ ${words[1]} != hist ]]; then
			_trace_cmd_hist_stock "$@"
			return
		fi
		program=("${words[0]}" hist)
		first=2
	else
		program=("${words[0]}")
		first=1
	fi
	verbs=$(_trace_cmd_hist_verbs)
	if ((${#words[@]} - 1 > first)); then
		if [[ " ${verbs//$'\n'/ } " == *" ${words[first]} "* ]]; then
			_trace_cmd_hist_verb "${words[first]}" $((first + 1))
		else
			# the stock command: hist -i FILE
			_trace_cmd_hist_files
		fi
		return
	fi
	case $cur in
	-*) _trace_cmd_hist_reply "-h --help --version" ;;
	*) _trace_cmd_hist_reply "$verbs" ;;
	esac
	# the stock command: hist FILE
	if [[ $first == 2 && ${#COMPREPLY[@]} == 0 ]]; then
		_trace_cmd_hist_files
	fi
}

# Run the stock completion, which needs functions of bash-completion.
_trace_cmd_hist_stock()
{
	if [[ -n ${_trace_cmd_hist_stock_function-} ]] &&
		declare -F _get_comp_words_by_ref >/dev/null; then
		"$_trace_cmd_hist_stock_function" "$@"
	else
		_trace_cmd_hist_files
	fi
}

# Read the stock completion, and remember its function.  The first file that is
# found may be a copy of this file, which must not search again.
_trace_cmd_hist_find_stock()
{
	local dirs dir file spec

	spec=$(complete -p trace-cmd 2>/dev/null)
	if [[ -z $spec ]]; then
		IFS=: read -ra dirs <<<"${XDG_DATA_DIRS:-/usr/local/share:/usr/share}"
		for dir in "${dirs[@]}"; do
			for file in "$dir"/bash-completion/completions/{trace-cmd,trace-cmd.bash}; do
				[[ -r $file ]] || continue
				# shellcheck disable=SC1090 # not known before
				. "$file"
				spec=$(complete -p trace-cmd 2>/dev/null)
				[[ $spec != *" -F _trace_cmd_hist "* ]] || continue
				[[ -z $spec ]] || break 2
			done
		done
	fi
	if [[ $spec =~ \ -F\ ([^ ]+)\  && ${BASH_REMATCH[1]} != _trace_cmd_hist ]]; then
		_trace_cmd_hist_stock_function=${BASH_REMATCH[1]}
	fi
}

if [[ -z ${_trace_cmd_hist_searching-} ]]; then
	_trace_cmd_hist_searching=1
	_trace_cmd_hist_find_stock
	unset _trace_cmd_hist_searching
fi
complete -F _trace_cmd_hist trace-cmd trace-cmd-hist
