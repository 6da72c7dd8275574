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
# the completion of the value.  The program itself lists values that depend on a file
# or an event: trace-cmd hist complete-word.
#
# What a file contains must not run in the shell.  The program prints only harmless
# characters, and words are compared here without compgen -W, which would expand them.

# Set $words to the words of the line up to the cursor, $later to those after it, and
# $cur to the current one.  Bash splits words at colons and equal signs.  Parts without
# a space between them are joined again.
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
	later=("${COMP_WORDS[@]:COMP_CWORD + 1}")
}

# Remove the quotes of the shell from $word.
_trace_cmd_hist_unquote()
{
	case $word in
	\'*) word=${word#\'} word=${word%\'} ;;
	\"*) word=${word#\"} word=${word%\"} ;;
	*) word=${word//\\/} ;;
	esac
	# shellcheck disable=SC2088 # the shell does not expand what is completed
	[[ $word != '~/'* ]] || word=$HOME/${word:2}
}

_trace_cmd_hist_verbs()
{
	"${program[@]}" help 2>/dev/null | sed -nE 's/^    ([a-z]+)  .*/\1/p'
}

# The whole help of the command is in $help.
_trace_cmd_hist_options()
{
	sed -nE 's/^ +((-[A-Za-z])(, |[ ]|$))?(--[a-z-]+)?.*/\2 \4/p' <<<"$help"
}

# Set $argument to the name that the help has for the value of option $1: FILE.
_trace_cmd_hist_argument()
{
	argument=''
	[[ $1 =~ ^-[A-Za-z-]+$ ]] || return
	argument=$(sed -nE "s/^ +(-[A-Za-z], )?$1(, --[a-z-]+)?( ([^ ]+))?(  .*)?\$/\4/p" <<<"$help")
	argument=${argument%%$'\n'*}
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

# Offer the words of $1 that begin with $cur; with $2, each line is a word.
_trace_cmd_hist_reply()
{
	local list breaks='' i

	if [[ -n ${2-} ]]; then
		mapfile -t list <<<"$1"
	else
		read -r -d '' -a list <<<"$1"
	fi
	COMPREPLY=()
	for i in "${list[@]}"; do
		[[ -z $i || $i != "$cur"* ]] || COMPREPLY+=("$i")
	done
	# Readline replaces only the part after the last colon or equal sign, except in quotes.
	[[ $COMP_WORDBREAKS != *:* ]] || breaks+=:
	[[ $COMP_WORDBREAKS != *=* ]] || breaks+='='
	if [[ -z ${quoted-} && -n $breaks && $cur == *["$breaks"]* ]]; then
		for i in "${!COMPREPLY[@]}"; do
			COMPREPLY[i]=${COMPREPLY[i]#"${cur%"${cur##*["$breaks"]}"}"}
		done
	fi
}

# Complete file names (-f), or command names (-c).
_trace_cmd_hist_files()
{
	mapfile -t COMPREPLY < <(compgen "${1:--f}" -- "$cur")
	compopt -o filenames 2>/dev/null
}

# Set $context to options of complete-word: what the other words of the line say about
# files and events.  $verb, $first: as in _trace_cmd_hist_verb().
_trace_cmd_hist_context()
{
	local -A value_of=()
	local all=("${words[@]:first:${#words[@]} - first - 1}" '' "${later[@]}")
	local files=() events=() keys='' values='' percentiles='' before='' i word option

	# "-x, --long ARG": both names have the value
	while read -r option word; do
		value_of[$option]=$word
	done < <(sed -nE <<<"$help" \
		-e 's/^ +(-[A-Za-z]), (--[a-z-]+) ([^ ]+).*/\1 \3\n\2 \3/p' \
		-e 's/^ +(-[A-Za-z]|--[a-z-]+) ([^ ]+).*/\1 \2/p')
	for ((i = 0; i < ${#all[@]}; i++)); do
		word=${all[i]} option=''
		_trace_cmd_hist_unquote
		if [[ -n $before ]]; then
			option=$before before=''
		elif [[ $word == --*=* ]]; then
			option=${word%%=*} word=${word#*=}
		elif [[ $word == -?* ]]; then
			[[ -z ${value_of[$word]-} ]] || before=$word
			continue
		fi
		[[ -n $word ]] || continue
		case $option in
		-e)
			# those after the cursor do not matter for -k and the like
			if ((i < ${#words[@]} - first - 1)) || [[ ${value_of[-e]} == EVENT ]]; then
				events+=("$word") keys='' values=''
			fi ;;
		-i) [[ ${value_of[-i]} != FILE ]] || files+=("$word") ;;
		-k) keys=$word ;;
		-v) values=$word ;;
		--percentiles) percentiles=$word ;;
		'') files+=("$word") ;;
		esac
	done
	context=()
	case $verb in
	report | diff | replay)
		((${#files[@]})) || files=(trace.dat)
		for word in "${files[@]}"; do
			context+=(-i "$word")
		done ;;
	*)
		word=$(_trace_cmd_hist_tracing_dir)
		[[ -z $word ]] || context+=(--tracing "$word") ;;
	esac
	for word in "${events[@]}"; do
		context+=(-e "$word")
	done
	[[ -z $keys ]] || context+=(-k "$keys")
	[[ -z $values ]] || context+=(-v "$values")
	[[ -z $percentiles ]] || context+=(--percentiles "$percentiles")
}

# Offer what the program knows of a value that the help calls $1.
_trace_cmd_hist_ask()
{
	local context list quoted=''

	_trace_cmd_hist_context
	# readline replaces the text after an open quote
	if [[ $cur == [\'\"]* ]]; then
		quoted=1 cur=${cur:1}
	fi
	list=$("${program[@]}" complete-word "${context[@]}" -- "$1" "$cur" 2>/dev/null)
	_trace_cmd_hist_reply "$list" lines
	case $1 in
	# a comma, a dot or a number can follow
	KEYS | VALS | SORT | FILTER | FIELD* | ACTION | URL | TRACER\[*) compopt -o nospace 2>/dev/null ;;
	# a name with blanks is quoted
	METRIC) compopt -o filenames 2>/dev/null ;;
	esac
}

# Complete a value that the help calls $1.
_trace_cmd_hist_complete_argument()
{
	local dir

	dir=$(_trace_cmd_hist_tracing_dir)
	case $verb:$1 in
	report:*EVENT | diff:*EVENT | replay:*EVENT)
		_trace_cmd_hist_ask "$1"
		return ;;
	esac
	case $1 in
	*EVENT)
		[[ -z $dir ]] || _trace_cmd_hist_reply "$(<"$dir/available_events")" ;;
	PATTERN)
		[[ -z $dir ]] || _trace_cmd_hist_reply "$(sed 's/:.*//' "$dir/available_events" | sort -u)
$(<"$dir/available_events")" ;;
	GLOB* | '[NAME=]SYMBOL'*)
		# "NAME [MODULE]" is NAME and MODULE:NAME
		[[ -z $dir ]] || _trace_cmd_hist_reply "$(sed -E 's/^(.*)[ \t]+\[(.*)\]$/\1\n\2:\1/' \
			"$dir/available_filter_functions" 2>/dev/null)" ;;
	CLOCK)
		[[ -z $dir ]] || _trace_cmd_hist_reply "$(tr -d '[]' <"$dir/trace_clock")" ;;
	INSTANCE)
		[[ -z $dir ]] || _trace_cmd_hist_reply "$(ls "$dir/instances")" ;;
	'NAME[:ARG]')
		_trace_cmd_hist_reply "$(_trace_cmd_hist_presets)" ;;
	FILE | OUT | PATH)
		_trace_cmd_hist_files ;;
	[a-z]*'|'*)
		_trace_cmd_hist_reply "${1//|/ }" ;;
	*)
		_trace_cmd_hist_ask "$1"
		# of the tracers, those of this kernel
		if [[ $1 == TRACER* && $verb != replay && -r $dir/available_tracers ]]; then
			_trace_cmd_hist_reply "$(printf '%s\n' "${COMPREPLY[@]}" |
				grep -xF -f <(tr ' ' '\n' <"$dir/available_tracers"))"
		fi ;;
	esac
}

# _trace_cmd_hist_verb VERB N: complete the words after the verb; N is the first of them.
_trace_cmd_hist_verb()
{
	local verb=$1 first=$2 help argument i

	help=$("${program[@]}" "$verb" --help=all 2>/dev/null)

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
		_trace_cmd_hist_argument "${words[${#words[@]} - 2]}"
		if [[ -n $argument ]]; then
			_trace_cmd_hist_complete_argument "$argument"
			return
		fi
	fi
	if [[ $cur == --*=* ]]; then
		_trace_cmd_hist_argument "${cur%%=*}"
		# readline replaces only the part after the equal sign
		cur=${cur#*=}
		[[ -z $argument ]] || _trace_cmd_hist_complete_argument "$argument"
		return
	fi
	if [[ $cur == -* ]]; then
		_trace_cmd_hist_reply "$(_trace_cmd_hist_options)"
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
	local words later cur verbs first program

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
