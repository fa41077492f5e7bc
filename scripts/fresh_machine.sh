#!/usr/bin/env bash
# Tries the README's commands on a machine that has nothing: a minimal Debian root (debootstrap's minbase), in which the
# last commit of this checkout is cloned. Runs as root, needs debootstrap and a package mirror.
#   scripts/fresh_machine.sh                 scripts/quickstart.sh and scripts/test.sh, as root and as a user with sudo
#   scripts/fresh_machine.sh --quickstart    only the quick start; --tests: only the tests
#   scripts/fresh_machine.sh --root          only as root; --user: only as a user with sudo
#   scripts/fresh_machine.sh --images        the container images instead: scripts/fresh_images.sh
#   --run COMMAND   another command instead of both
#   --mirror URL    a package mirror; by default that of this machine's apt sources
#   --shared DIR    golden data, seen read-only beside the clone; by default ../shared where there is one; none: without
#   --folder DIR    a new folder for the roots, some 5 GB; by default one in $TMPDIR or /var/tmp
#   --keep          leaves the folder
# A line says what passed, and how long it took. Logs lie in build/logs/fresh.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/fresh/root.sh
. scripts/fresh/attempt.sh

commands=()
users=()
mirror='' shared='' folder='' keep=no images=no
while [ $# -gt 0 ]; do
  case $1 in
    --quickstart) commands+=("scripts/quickstart.sh") ;;
    --tests) commands+=("scripts/test.sh") ;;
    --root) users+=(root) ;;
    --user) users+=(builder) ;;
    --images) images=yes ;;
    --keep) keep=yes ;;
    --run | --mirror | --shared | --folder)
      [ $# -gt 1 ] || show_usage "$0"
      case $1 in
        --run) commands+=("$2") ;;
        --mirror) mirror=$2 ;;
        --shared) shared=$2 ;;
        --folder) folder=$2 ;;
      esac
      shift
      ;;
    *) show_usage "$0" ;;
  esac
  shift
done
if [ "$images" = yes ]; then
  [ $((${#commands[@]} + ${#users[@]})) -eq 0 ] || show_usage "$0"
  options=(${mirror:+--mirror "$mirror"} ${folder:+--folder "$folder"})
  [ "$keep" = no ] || options+=(--keep)
  exec scripts/fresh_images.sh "${options[@]}"
fi
[ "${#commands[@]}" -gt 0 ] || commands=(scripts/quickstart.sh scripts/test.sh)
[ "${#users[@]}" -gt 0 ] || users=(root builder)
[ -n "$shared" ] || { [ -d ../shared ] && shared=../shared || shared=none; }
fresh_shared=''
[ "$shared" = none ] || fresh_shared=$(realpath -e "$shared")

require_for_roots git
make_work_folder "$folder" "$keep"
[ -z "$(git status --porcelain)" ] || echo "note: what is not committed is not tried"

place=/srv/project/bertprep # the clone, in every root

# fresh_root USER: a copy of the minimal root with the clone, and with the user and sudo where USER is not root.
fresh_root() {
  local user=$1 root=$work/$1
  cp -a "$work/base" "$root"
  mkdir -p "$root$place"
  git clone -q --no-local . "$root$place"
  [ "$user" = root ] && return
  in_root "$root" root / sh -c "apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends sudo"
  in_root "$root" root / useradd --create-home --shell /bin/bash "$user"
  echo "$user ALL=(ALL) NOPASSWD: ALL" >"$root/etc/sudoers.d/$user"
  in_root "$root" root / chown -R "$user:" "$place"
}

attempt "minimal root of $(release_name)" make_base "$work/base" "$mirror" || exit 1
for user in "${users[@]}"; do
  attempt "clone of $(git rev-parse --short HEAD) for $user" fresh_root "$user" || continue
  for command in "${commands[@]}"; do
    attempt "$command as $user" in_root "$work/$user" "$user" "$place" bash -c "$command" || true
  done
  [ "$keep" = yes ] || remove_tree "$work/$user"
done
[ "$failed" -eq 0 ]
