_NAME() {
  local command=NAME argument=0 i=1 kind='' words='' many='' rest='' rest_words='' given='' word word_begin=''
  while ((i < COMP_CWORD)); do
    word=${COMP_WORDS[i]}
    if [[ $word == -* ]]; then
      rest=''
      _NAME_value "$command" "$word"
      if [[ -n $kind ]]; then
        [[ -n $many ]] && rest=$kind rest_words=$words
        [[ ${COMP_WORDS[i + 1]-} == = ]] && ((++i))
        ((++i))
      fi
    elif [[ -z $rest ]]; then
      _NAME_commands "$command"
      if [[ $argument == 0 && " $words " == *" $word "* ]]; then
        command+=" $word"
      else
        ((++argument))
        given+=" $word"
      fi
    fi
    ((++i))
  done

  word=${COMP_WORDS[COMP_CWORD]}
  [[ $word == = ]] && word=''
  if ((i <= COMP_CWORD)); then
    kind=words
    if [[ $word == -* ]]; then
      _NAME_options "$command"
    elif [[ -n $rest ]]; then
      kind=$rest words=$rest_words
    else
      _NAME_commands "$command"
      [[ -z $words || $argument != 0 ]] && _NAME_argument "$command" "$argument"
    fi
  fi

  case $kind in
    dataset) words=$("$1" fetch --list 2> /dev/null | cut -f1) ;;
    vocab) words=$("$1" vocab list 2> /dev/null | cut -f1,5 | tr -s ',\t ' '\n' | grep -v whole-word) ;;
    command) _NAME_commands "NAME$given" ;;
    list) word_begin=${word%"${word##*,}"} ;;
  esac
  COMPREPLY=()
  [[ $kind == words || $kind == list || $kind == dataset || $kind == vocab || $kind == command ]] &&
    mapfile -t COMPREPLY < <(compgen -P "$word_begin" -W "$words" -- "${word#"$word_begin"}")
  [[ $kind == file || $kind == vocab ]] &&
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
  [[ $kind == folder ]] && mapfile -t COMPREPLY < <(compgen -d -- "$word")
  [[ $kind == file || $kind == folder || $kind == vocab ]] && compopt -o filenames 2> /dev/null
  return 0
}

complete -F _NAME NAME
