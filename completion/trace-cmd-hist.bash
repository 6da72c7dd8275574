# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Bash completion for `trace-cmd hist COMMAND ...` and `trace-cmd-hist ...`.
#
# Installed twice in bash-completion/completions: as trace-cmd-hist, and as
# trace-cmd, where bash-completion finds it before the stock trace-cmd.bash.
# Everything that is not `trace-cmd hist` goes on to the stock completion.
#
# The commands and options are read from the program's own help, so that they
# cannot differ from it: a line of help begins with spaces and "-x, --long ARG",
# and the name of ARG tells what can stand there.

# The words of the line up to the cursor in $words, the current one in $cur.
# Bash has broken them at colons and equal signs: what had no blank in between
# is put together again.
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

# The help of a command, or of all when there is none.
_trace_cmd_hist_help()
{
	"${program[@]}" help "$@" 2>/dev/null
}

_trace_cmd_hist_verbs()
{
	_trace_cmd_hist_help | sed -nE 's/^    ([a-z]+)  .*/\1/p'
}

_trace_cmd_hist_options()
{
	_trace_cmd_hist_help "$1" | sed -nE 's/^ +((-[A-Za-z])(, |[ ]|$))?(--[a-z-]+)?.*/\2 \4/p'
}

# The name of the argument of option $2 of command $1, as help has it: FILE.
_trace_cmd_hist_argument()
{
	[[ $2 =~ ^-[A-Za-z-]+$ ]] || return
	_trace_cmd_hist_help "$1" |
		sed -nE "s/^ +(-[A-Za-z], )?$2(, --[a-z-]+)?( ([^ ]+))?(  .*)?\$/\4/p" | head -n 1
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
	# Readline replaces only what is behind the last colon.
	if [[ $cur == *:* && $COMP_WORDBREAKS == *:* ]]; then
		for i in "${!COMPREPLY[@]}"; do
			COMPREPLY[i]=${COMPREPLY[i]#"${cur%:*}:"}
		done
	fi
}

# compgen -f, or -c for commands too
_trace_cmd_hist_files()
{
	mapfile -t COMPREPLY < <(compgen "${1:--f}" -- "$cur")
	compopt -o filenames 2>/dev/null
}

# What can stand for an argument called $1.
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
	CLOCK)
		[[ -z $dir ]] || _trace_cmd_hist_reply "$(tr -d '[]' <"$dir/trace_clock")" ;;
	INSTANCE)
		[[ -z $dir ]] || _trace_cmd_hist_reply "$(ls "$dir/instances")" ;;
	FILE | OUT)
		_trace_cmd_hist_files ;;
	[a-z]*'|'*)
		_trace_cmd_hist_reply "${1//|/ }" ;;
	esac
}

# _trace_cmd_hist_verb VERB N: complete word N and on, behind the verb
_trace_cmd_hist_verb()
{
	local verb=$1 first=$2 argument i

	for ((i = first; i < ${#words[@]} - 1; i++)); do
		if [[ ${words[i]} == -- ]]; then
			# behind it record has a command, diff the runs of the other side
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
	list) _trace_cmd_hist_complete_argument PATTERN ;;
	cleanup | top) ;;
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
			# The old form: hist -i FILE
			_trace_cmd_hist_files
		fi
		return
	fi
	case $cur in
	-*) _trace_cmd_hist_reply "-h --help --version" ;;
	*) _trace_cmd_hist_reply "$verbs" ;;
	esac
	# The old form: hist FILE
	if [[ $first == 2 && ${#COMPREPLY[@]} == 0 ]]; then
		_trace_cmd_hist_files
	fi
}

# The stock completion wants functions of bash-completion.
_trace_cmd_hist_stock()
{
	if [[ -n ${_trace_cmd_hist_stock_function-} ]] &&
		declare -F _get_comp_words_by_ref >/dev/null; then
		"$_trace_cmd_hist_stock_function" "$@"
	else
		_trace_cmd_hist_files
	fi
}

# Read the stock completion, wherever it is, and note its function. What is
# found first may be this file or a copy of it, which must not search in turn.
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
