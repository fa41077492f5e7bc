_NAME_datasets() {
  local -a names
  names=(${(f)"$(NAME fetch --list 2> /dev/null | cut -f1)"})
  compadd -a names
}

_NAME_vocabs() {
  local -a names
  names=(${(f)"$(NAME vocab list 2> /dev/null | cut -f1,5 | tr -s ',\t ' '\n' | grep -v whole-word)"})
  compadd -a names
  _files
}

