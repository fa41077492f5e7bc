#!/bin/sh
# What the container runs in front of a job's command: `bertprep run ...`, or `run ...` for short. The program replaces
# this shell, so it gets the signals of a container that is stopped.
set -eu
: "${HDF5_USE_FILE_LOCKING:=FALSE}" # nothing relies on locks, and some shared file systems have none
export HDF5_USE_FILE_LOCKING
command -v -- "${1:-}" >/dev/null || set -- bertprep "$@"
exec "$@"
