# SPDX-License-Identifier: MIT
# The logic of the bash completion. The build puts it behind the functions that it generates from the
# program's tables; see src/harness/completion.c. Values of one list (a,b) are completed one by one.

# The words before the cursor, with "--name", "=", "value" as bash splits them; sets what follows.
_allocbench_read_line() {
    local i word name=
    _allocbench_chosen=
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $word == = ]]; then
            continue
        elif [[ $word == --* ]]; then
            name=$word
        elif [[ $name == --scenario ]]; then
            _allocbench_chosen=${word//,/ }
        fi
    done
    if [[ -z $_allocbench_chosen || $_allocbench_chosen == all ]]; then
        _allocbench_chosen=$(_allocbench_scenarios)
    fi
}

# _allocbench_of FUNCTION [SUFFIX]: what it tells of each chosen scenario.
_allocbench_of() {
    local scenario
    for scenario in $_allocbench_chosen; do
        "$1" "$scenario${2-}"
    done | sort -u
}

# Parameters of the chosen scenarios, where a run is what is being asked for.
_allocbench_parameters_too() {
    [[ ${COMP_WORDS[1]} == doctor || ${COMP_WORDS[1]} == selftest ]] ||
        _allocbench_of _allocbench_parameters
}

# The words that may stand as the value of $1.
_allocbench_values() {
    case $1 in
    --scenario) _allocbench_scenarios && echo all ;;
    --help) _allocbench_scenarios ;;
    --backend | --baseline) _allocbench_of _allocbench_backends ;;
    --pin) echo none ;;
    *) _allocbench_choices "$1" && _allocbench_of _allocbench_parameter_choices "$1" ;;
    esac
}

_allocbench() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} head='' _allocbench_chosen
    COMPREPLY=()
    if [[ $word == = ]]; then
        word=
    elif [[ $before == = && $COMP_CWORD -gt 1 ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    _allocbench_read_line
    if [[ $before == --* && $(_allocbench_value "$before") != flag && $word != -* ]]; then
        if [[ $(_allocbench_value "$before") == FILE ]]; then
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
            compopt -o filenames 2>/dev/null
            return
        fi
        if [[ $word == *,* ]]; then
            head=${word%,*},
            word=${word##*,}
        fi
        mapfile -t COMPREPLY < <(compgen -P "$head" -W "$(_allocbench_values "$before")" -- "$word")
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(
            compgen -W "$(_allocbench_options "${COMP_WORDS[1]}"; _allocbench_parameters_too)" -- "$word")
    elif [[ $COMP_CWORD -eq 1 ]]; then
        mapfile -t COMPREPLY < <(compgen -W "run doctor selftest" -- "$word")
    fi
}
complete -F _allocbench allocbench allocbench.exe
