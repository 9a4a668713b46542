# SPDX-License-Identifier: GPL-2.0-or-later
# What tools/quickstart and tools/check share: how they speak, and how they install packages.
# Sourced by bash, with `set -euo pipefail` in force and `root` set to the checkout.
# shellcheck shell=bash

root=${root:?}

if [[ -t 1 && -z ${NO_COLOR:-} ]]; then
  bold=$'\e[1m' red=$'\e[31m' plain=$'\e[0m'
else
  bold='' red='' plain=''
fi

step() { printf '\n%s==> %s%s\n' "$bold" "$*" "$plain"; }
say() { printf '    %s\n' "$*"; }
# One clear line, then the end.
die() {
  printf '%s%s: %s%s\n' "$red" "${0##*/}" "$*" "$plain" >&2
  exit 1
}

# Runs a command whose output matters only if it fails: then its last lines are shown.
quietly() {
  local log
  log=$(mktemp)
  local status=0
  "$@" >"$log" 2>&1 </dev/null || status=$?
  if ((status)); then tail -n 30 "$log" >&2; fi
  rm -f "$log"
  return "$status"
}

# Names of the packages of these groups of tools/packages.txt.
packages_of() {
  local group
  for group in "$@"; do
    awk -v group="$group" '$1 == group { print $2 }' "$root/tools/packages.txt"
  done
}

# Installs what is missing of these groups, and runs no apt at all where nothing is.
install_packages() {
  local package missing=() prefix=()
  if ! command -v dpkg-query >/dev/null; then
    say "this is no Debian: see tools/packages.txt for what is needed"
    return
  fi
  for package in $(packages_of "$@"); do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
      missing+=("$package")
  done
  if ((${#missing[@]} == 0)); then
    say "all are there"
    return
  fi
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      die "these packages are missing, and there is no sudo; as root: apt-get install ${missing[*]}"
    prefix=(sudo)
  fi
  say "installing ${missing[*]}"
  quietly "${prefix[@]}" apt-get update ||
    die "'apt-get update' failed: is there a network?"
  quietly "${prefix[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "${missing[@]}" ||
    die "'apt-get install' failed for: ${missing[*]}"
}

# The sources of packages of this machine, with `deb-src` for `deb`: options, keys and suites stay as they are.
# What one may not read, such as a file with a password, is left out.
copy_sources() {
  local to=$1 etc_file='' etc_parts='' file
  eval "$(apt-config shell etc_file Dir::Etc::sourcelist/f etc_parts Dir::Etc::sourceparts/d)"
  for file in "$etc_file" "${etc_parts%/}"/*.list; do
    [[ -f $file && -r $file ]] || continue
    sed -nE '/cdrom:/d; s/^[[:space:]]*deb(-src)?[[:space:]]/deb-src /p' "$file"
  done | sort -u >"$to/all.list"
  for file in "${etc_parts%/}"/*.sources; do
    [[ -f $file && -r $file ]] || continue
    sed -E 's/^[Tt]ypes:.*/Types: deb-src/' "$file" >"$to/${file##*/}"
  done
}

# fetch_source PACKAGE[=VERSION] FOLDER: a source package, unpacked in FOLDER/source, from where this machine has
# its own packages. Needs no root and changes nothing of the system; fails without a network.
fetch_source() {
  local package=$1 made=$2 program
  for program in apt-get apt-config dpkg-source; do command -v "$program" >/dev/null || return; done
  # apt downloads as a user of its own, who must be able to enter.
  chmod 755 "$made"
  mkdir -p "$made"/{sources,lists,cache,source}
  copy_sources "$made/sources"
  # A folder of lists of our own, and none of the commands that the system runs after an update.
  cat >"$made/apt.conf" <<TEXT
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$made/sources";
Dir::State::lists "$made/lists";
Dir::Cache "$made/cache";
Acquire::Languages "none";
Acquire::Retries "1";
Acquire::http::Timeout "15";
Acquire::https::Timeout "15";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
TEXT
  # One source of several that fails is no reason to stop: what counts is whether the package is found.
  timeout 300 apt-get -c "$made/apt.conf" update >"$made/log" 2>&1 </dev/null || true
  (cd "$made/source" && timeout 300 apt-get -c "$made/apt.conf" source "$package" >>"$made/log" 2>&1 </dev/null)
}

# ccache serves where it is installed; nothing needs it. What one clone compiled, another one finds.
if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER:-ccache}
  # Without this, it compiles whatever uses precompiled headers each time.
  export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}
  export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$root} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR:-1}
fi
