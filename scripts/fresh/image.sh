#!/usr/bin/env bash
# image.sh WORK STEP ARGUMENT...: a step of scripts/fresh_images.sh, with images kept in WORK/store.
#   base RELEASE          names WORK/base as the images of a Debian release that the Dockerfiles start from
#   build FILE RELEASE    builds the image of a Dockerfile
#   run FILE              runs in it what it is for
set -euo pipefail
work=$1 step=$2
shift 2
cd "$work/project"
store() { buildah --root "$work/store" --runroot "$work/run" --storage-driver overlay "$@"; }
image_of() { basename "${1,,}" | tr . -; }

base_images() {
  local container name
  container=$(store from scratch)
  store add -q "$container" "$work/base" / >/dev/null
  for name in "debian:$1" "debian:$1-slim"; do
    store commit -q "$container" "$name"
  done
  store rm "$container" >/dev/null
}

# enter CONTAINER WORD...: starts a container as `docker run` would: its entry point, then the words.
enter() {
  local container=$1 entry
  entry=$(store inspect --format '{{index .OCIv1.Config.Entrypoint 0}}' "$container")
  shift
  store run --isolation chroot -v "$work/project/samples:/samples:ro" "$container" -- "$entry" "$@"
}

run_image() {
  local container
  container=$(store from --pull-never "$(image_of "$1")")
  if [[ $1 = *mnp.Dockerfile ]]; then
    enter "$container" berttrain allreduce-bench
  else
    enter "$container" run --input /samples/sample.wikitext --format wikitext --name sample --vocab sample-uncased \
      --sentences icu --train-shards 4 --test-shards 2 -o /data/hdf5_dataset
    enter "$container" verify /data/hdf5_dataset
  fi
  store rm "$container" >/dev/null
}

case $step in
  base) base_images "$@" ;;
  build) store bud --isolation chroot --pull-never --build-arg "DEBIAN=$2" -f "$1" -t "$(image_of "$1")" . ;;
  run) run_image "$1" ;;
esac
