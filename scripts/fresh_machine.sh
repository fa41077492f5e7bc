#!/usr/bin/env bash
# Tries the README's commands on a machine that has nothing: a minimal Debian root (debootstrap's minbase), in which the
# last commit of this checkout is cloned. Runs as root, needs debootstrap and a package mirror.
#   scripts/fresh_machine.sh                 scripts/quickstart.sh and scripts/test.sh, as root and as a user with sudo
#   scripts/fresh_machine.sh --quickstart    only the quick start; --tests: only the tests
#   scripts/fresh_machine.sh --root          only as root; --user: only as a user with sudo
#   scripts/fresh_machine.sh --images        the container images instead: scripts/fresh_images.sh
#   scripts/fresh_machine.sh --package       the Debian package instead: made in one root, installed and run in another
#   scripts/fresh_machine.sh --wheel         the wheel of Python likewise, by pip and Debian's packages alone
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
suite='' mirror='' shared='' folder='' keep=no images=no package=no wheel=no
while [ $# -gt 0 ]; do
  case $1 in
    --quickstart) commands+=("scripts/quickstart.sh") ;;
    --tests) commands+=("scripts/test.sh") ;;
    --root) users+=(root) ;;
    --user) users+=(builder) ;;
    --images) images=yes ;;
    --package) package=yes ;;
    --wheel) wheel=yes ;;
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
if [ "$wheel" = yes ]; then
  [ $((${#commands[@]} + ${#users[@]})) -eq 0 ] || show_usage "$0"
  commands=("scripts/install-deps.sh --python" "pip wheel . --no-build-isolation --no-deps -w build/wheels")
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

# libraries_of_wheel: the packages of the libraries that the module and the program of the wheel need.
libraries_of_wheel() {
  # shellcheck disable=SC2016  # the inner shell expands it
  in_root "$work/root" root "$place" bash -ec '
    ldd build/wheel-*/python/bertprep/_native*.so build/wheel-*/bin/bertprep | sed -n "s/.* => \(\/[^ ]*\).*/\1/p" |
      sort -u | while read -r file; do dpkg-query -S "*/$(basename "$(realpath "$file")")"; done | cut -d: -f1 | sort -u'
}

# try_wheel: installs the wheel that was made in the root of root in a bare root, and uses it there as a user.
try_wheel() {
  local root=$work/bare
  cp -a "$work/base" "$root"
  mkdir "$root/srv/wheel"
  cp "$work/root$place"/build/wheels/bertprep-*.whl samples/sample.wikitext "$root/srv/wheel"
  libraries_of_wheel >"$root/srv/wheel/packages"
  # shellcheck disable=SC2016  # the inner shell expands it
  in_root "$root" root /srv/wheel sh -ec '
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $(cat packages) python3-pip python3-h5py
    pip install --no-deps --no-index --break-system-packages bertprep-*.whl'
  in_root "$root" root / useradd --create-home reader
  in_root "$root" reader /home/reader python3 -c '
import bertprep
options = {"vocab": "sample-uncased", "sentences": "icu", "train_shards": 4, "test_shards": 2, "name": "sample", "phase": 1}
with bertprep.read("/srv/wheel/sample.wikitext") as documents:
    made = bertprep.build(documents, "out", work="work", **options)
bertprep.run(input="/srv/wheel/sample.wikitext", output="same", work="same-work", **options)
assert bertprep.compare(made.shard_folders[0], bertprep.Rows("same").folder).same_order
assert all(report.is_sound for report in bertprep.verify("out"))
rows = bertprep.Rows(made.shard_folders[0], order_seed=7)
print(made, rows, rows[0]["input_ids"], bertprep.Tokenizer("sample-uncased"), bertprep.doctor("out"))'
  in_root "$root" reader /home/reader python3 -m bertprep --version
}

attempt "minimal root of $(release_name)" make_base "$work/base" "$mirror" || exit 1
for user in "${users[@]}"; do
  attempt "clone of $(git rev-parse --short HEAD) for $user" fresh_root "$user" || continue
  for command in "${commands[@]}"; do
    attempt "$command as $user" in_root "$work/$user" "$user" "$place" bash -c "$command" || true
  done
  [ "$package" = no ] || attempt "install and run the package" try_package || true
  [ "$wheel" = no ] || attempt "install and use the wheel" try_wheel || true
  [ "$keep" = yes ] || remove_tree "$work/$user"
done
[ "$failed" -eq 0 ]
