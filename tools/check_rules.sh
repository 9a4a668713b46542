#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The rules of this code that a machine can check. One line for each place that breaks one, as
# FILE:LINE: what; exit 1 if there is any. Its own test: tests/integration/check_rules_test.cc.
#
# usage: tools/check_rules.sh [ROOT]
set -euo pipefail

cd "${1:-$(dirname "${BASH_SOURCE[0]}")/..}"

# What is ours: not the sample tree, which shows an invented library, nor the trees that tests read.
files() {
  find schema indexer searcher exporter tools tests docs .ci CMakeLists.txt CMakePresets.json README.md CONTRIBUTING.md CHANGELOG.md \
    \( -path tests/corpus -o -path tests/golden -o -path tools/sample -o -name __pycache__ \) -prune \
    -o -type f -print 2>/dev/null | LC_ALL=C sort
}
mapfile -t all < <(files)
code=() production=() scripts=()
for file in "${all[@]}"; do
  case $file in
    *.cc | *.h)
      code+=("$file")
      [[ $file == tests/* ]] || production+=("$file")
      ;;
    *CMakeLists.txt | *.sh | *.py | .ci/*) scripts+=("$file") ;;
    tools/*) [[ $file == *.* && $file != *.txt ]] || scripts+=("$file") ;;
  esac
done

broken=0
# forbid MESSAGE PATTERN FILES...: no line of FILES may match the extended regular expression.
forbid() {
  local message=$1 pattern=$2 file line
  shift 2
  (($#)) || return 0
  while IFS=: read -r file line _; do
    printf '%s:%s: %s\n' "$file" "$line" "$message"
    broken=1
  done < <(grep -HnsE -e "$pattern" -- "$@")
}
# All of FILES but the first argument.
without() {
  local file
  for file in "${@:2}"; do [[ $file == "$1" ]] || printf '%s\n' "$file"; done
}

mapfile -t rest < <(without schema/base/xapian_api.h "${code[@]}")
forbid '<xapian.h> is included in schema/base/xapian_api.h only' \
  '#[[:space:]]*include[[:space:]]*[<"]xapian' "${rest[@]}"

mapfile -t rest < <(without schema/index/fields.h "${production[@]}")
# Before any `//`: comments may give examples.
forbid 'a term prefix is written in schema/index/fields.h only' '^([^/]|/[^/])*"X[A-Z]+:' "${rest[@]}"

forbid 'patterns are RE2, never the standard ones' 'std::w?regex|#[[:space:]]*include[[:space:]]*<regex>' \
  "${code[@]}"
# WorkerPool carries whatever a thread throws to the thread that waits for it.
mapfile -t rest < <(without schema/base/worker_pool.cc "${production[@]}")
forbid 'an exception is caught by its type' 'catch[[:space:]]*\([[:space:]]*\.\.\.' "${rest[@]}"
forbid 'the environment is not changed' '\b(set|put|unset)env\(' "${production[@]}"
forbid 'sources are listed by name' 'GLOB(_RECURSE)?[[:space:]]' CMakeLists.txt {schema,indexer,searcher,exporter,tests}/CMakeLists.txt

# Spelled in two parts, so that this file does not break its own rules.
forbid 'unfinished work has no place in the code' '\b(TO''DO|FIX''ME|HA''CK)\b' "${all[@]}"
forbid "a path of somebody's machine" '(^|[^[:alnum:]_.])/(wo''rk|ho''me|tmp/''kw)/' "${all[@]}"

for file in "${code[@]}" "${scripts[@]}"; do
  if ! head -n 3 "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0-or-later'; then
    printf '%s:1: the licence line is missing\n' "$file"
    broken=1
  fi
done

# A source file of more than 100 lines has a test file of its own, or tests that tests/covers.txt names.
covers=tests/covers.txt
for file in "${production[@]}"; do
  [[ $file == *.cc && $file != tools/* && ! -f tests/${file%.cc}_test.cc ]] || continue
  (($(wc -l <"$file") > 100)) || continue
  grep -q "^$file " "$covers" 2>/dev/null || {
    printf '%s:1: over 100 lines, and no test of its own, nor one in %s\n' "$file" "$covers"
    broken=1
  }
done
if [[ -f $covers ]]; then
  while read -r file suites; do
    [[ -n $file && $file != '#'* ]] || continue
    if [[ ! -f $file ]] || (($(wc -l <"$file") <= 100)) || [[ -f tests/${file%.cc}_test.cc ]]; then
      printf '%s:1: %s needs no line\n' "$covers" "$file"
      broken=1
    fi
    for suite in $suites; do
      grep -rqE --include='*.cc' "TEST(_F|_P)?\($suite," tests && continue
      printf '%s:1: there is no test of suite %s\n' "$covers" "$suite"
      broken=1
    done
  done <"$covers"
fi

# Each row of the table of bounds has a test, and each test that says so has its row.
bounds=schema/base/bounds.h
if [[ -f $bounds ]]; then
  rows=$(sed -n '/^\/\/   input /,/^\/\/$/s|^//   \([^ ].*\)|\1|p' "$bounds" | sed -n '2,$s/ \{2,\}.*\| k[A-Z].*//p')
  tested=$(grep -rhs --include='*.cc' '^ *// Bound: ' tests | sed 's|^ *// Bound: ||' | LC_ALL=C sort -u) || true
  while IFS= read -r row; do
    printf '%s:1: no test has a line "// Bound: %s"\n' "$bounds" "$row"
    broken=1
  done < <(LC_ALL=C comm -13 <(printf '%s\n' "$tested") <(LC_ALL=C sort -u <<<"$rows") | grep .)
  while IFS= read -r row; do
    printf '%s:1: a test is of a bound that has no row: %s\n' "$bounds" "$row"
    broken=1
  done < <(LC_ALL=C comm -23 <(printf '%s\n' "$tested") <(LC_ALL=C sort -u <<<"$rows") | grep .)
fi

# What a tool leaves behind is no part of the project: only these are tracked at the top level.
if git ls-files --error-unmatch tools/check_rules.sh &>/dev/null; then
  while IFS= read -r file; do
    printf '%s:1: no file of the project has its place there\n' "$file"
    broken=1
  done < <(git ls-files | cut -d/ -f1 | LC_ALL=C sort -u |
    grep -vxE 'CHANGELOG\.md|CMakeLists\.txt|CMakePresets\.json|CONTRIBUTING\.md|LICENSE|README\.md|\.ci|\.clang-(format|tidy)|\.editorconfig|\.git[a-z]*|docs|exporter|indexer|schema|searcher|tests|tools')
fi

exit "$broken"
