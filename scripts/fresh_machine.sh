#!/usr/bin/env bash
# Tries the README's commands on a machine that has nothing: a minimal Debian root (debootstrap's minbase), in which the
# last commit of this checkout is cloned. Runs as root, needs debootstrap and a package mirror.
#   scripts/fresh_machine.sh                 scripts/quickstart.sh and scripts/test.sh, as root and as a user with sudo
#   scripts/fresh_machine.sh --quickstart    only the quick start; --tests: only the tests
#   scripts/fresh_machine.sh --root          only as root; --user: only as a user with sudo
#   scripts/fresh_machine.sh --images        the container images instead: scripts/fresh_images.sh
#   scripts/fresh_machine.sh --package       the Debian package instead: made in one root, installed and run in another
#   --suite bookworm|trixie    the release of the roots; by default this machine's
#   --run COMMAND   another command instead of both
#   --mirror URL    a package mirror; by default that of this machine's apt sources
#   --shared DIR    golden data, seen read-only beside the clone; by default ../shared where there is one; none: without
#   --folder DIR    a new folder for the roots, some 5 GB; by default one in $TMPDIR or /var/tmp
#   --keep          leaves the folder
# Prints what passed, and how long it took. Logs are in build/logs/fresh.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/fresh/root.sh
. scripts/fresh/attempt.sh

commands=()
users=()
suite='' mirror='' shared='' folder='' keep=no images=no package=no
while [ $# -gt 0 ]; do
  case $1 in
    --quickstart) commands+=("scripts/quickstart.sh") ;;
    --tests) commands+=("scripts/test.sh") ;;
    --root) users+=(root) ;;
    --user) users+=(builder) ;;
    --images) images=yes ;;
    --package) package=yes ;;
    --keep) keep=yes ;;
    --run | --suite | --mirror | --shared | --folder)
      [ $# -gt 1 ] || show_usage "$0"
      case $1 in
        --run) commands+=("$2") ;;
        --suite) suite=$2 ;;
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
  options=(${suite:+--suite "$suite"} ${mirror:+--mirror "$mirror"} ${folder:+--folder "$folder"})
  [ "$keep" = no ] || options+=(--keep)
  exec scripts/fresh_images.sh "${options[@]}"
fi
if [ "$package" = yes ]; then
  [ $((${#commands[@]} + ${#users[@]})) -eq 0 ] || show_usage "$0"
  commands=(scripts/package.sh)
  users=(root)
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

# try_package: installs the package that was made in the root of root in a bare root, and runs it there as a user.
try_package() {
  local root=$work/bare
  cp -a "$work/base" "$root"
  mkdir "$root/srv/package"
  cp "$work/root$place"/build/release/packages/bertprep_*.deb samples/sample.wikitext "$root/srv/package"
  in_root "$root" root /srv/package sh -c 'apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends ./bertprep_*.deb'
  in_root "$root" root / useradd --create-home reader
  # shellcheck disable=SC2016  # the inner shell expands it
  in_root "$root" reader /home/reader bash -ec '
    bertprep --version
    bertprep run --input /srv/package/sample.wikitext --format wikitext --name sample --vocab sample-uncased \
      --sentences icu --train-shards 4 --test-shards 2 -o hdf5_dataset
    bertprep verify hdf5_dataset
    for file in man/man1/bertprep.1 bash-completion/completions/bertprep bertprep/datasets/catalogue.json; do
      dpkg -S "/usr/share/$file"
    done'
}

attempt "minimal root of $(release_name)" make_base "$work/base" "$mirror" || exit 1
for user in "${users[@]}"; do
  attempt "clone of $(git rev-parse --short HEAD) for $user" fresh_root "$user" || continue
  for command in "${commands[@]}"; do
    attempt "$command as $user" in_root "$work/$user" "$user" "$place" bash -c "$command" || true
  done
  [ "$package" = no ] || attempt "install and run the package" try_package || true
  [ "$keep" = yes ] || remove_tree "$work/$user"
done
[ "$failed" -eq 0 ]
