#!/usr/bin/env bash
# Builds the container images of scripts/batch from minimal Debian roots, without a registry or a container service, and
# runs in them what they are for: `bertprep run` on the sample, `berttrain allreduce-bench`. Runs as root, needs
# debootstrap, buildah and a package mirror.
#   scripts/fresh_images.sh [Dockerfile] [mnp.Dockerfile]   those of scripts/batch; by default both
#   --suite bookworm|trixie    the release of the images; by default this machine's
#   --mirror URL    a package mirror; by default that of this machine's apt sources
#   --folder DIR    a new folder for roots and images, some 10 GB; by default one in $TMPDIR or /var/tmp
#   --keep          leaves the folder
# Prints what passed, and how long it took. Logs are in build/logs/fresh.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/fresh/root.sh
. scripts/fresh/attempt.sh

files=()
suite='' mirror='' folder='' keep=no
while [ $# -gt 0 ]; do
  case $1 in
    Dockerfile | mnp.Dockerfile) files+=("scripts/batch/$1") ;;
    --keep) keep=yes ;;
    --suite | --mirror | --folder)
      [ $# -gt 1 ] || show_usage "$0"
      case $1 in
        --suite) suite=$2 ;;
        --mirror) mirror=$2 ;;
        --folder) folder=$2 ;;
      esac
      shift
      ;;
    *) show_usage "$0" ;;
  esac
  shift
done
[ "${#files[@]}" -gt 0 ] || files=(scripts/batch/Dockerfile scripts/batch/mnp.Dockerfile)
require_for_roots git buildah
make_work_folder "$folder" "$keep"

in_store() {
  in_namespaces --mount-proc scripts/fresh/image.sh "$work" "$@"
}

attempt "minimal root of $(release_name)" make_base "$work/base" "$mirror" || exit 1
git clone -q --no-local . "$work/project"
# What was built outside has no place in an image: with this in the way, no build could be configured.
mkdir -p "$work/project/build/release"
echo "CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere" >"$work/project/build/release/CMakeCache.txt"
attempt "base images" in_store base "$(release_name)" || exit 1
for file in "${files[@]}"; do
  attempt "build of $file" in_store build "$file" "$(release_name)" || continue
  attempt "run of $file" in_store run "$file" || true
done
[ "$failed" -eq 0 ]
