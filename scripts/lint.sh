#!/usr/bin/env bash
# Linter and formatter over the whole tree, type checker over all but the tests; needs ruff and mypy on the PATH.
# mypy cannot see through package_dir, so it is shown the layout as it installs: links in a temporary folder, with the
# scripts and what they import beside it.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
ruff check .
ruff format --check .
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir "$tree/sbmt"
ln -s "$root"/sbmt/* "$root"/ppdb "$root"/features "$root"/tuning "$root"/configs "$tree/sbmt/"
ln -s "$root/scripts/starter" "$root/scripts/experiment" "$root"/scripts/*.py "$tree/"
cd "$tree"
mapfile -t scripts < <(printf -- '-m\n%s\n' *.py | sed 's/\.py$//')
mypy --config-file "$root/setup.cfg" --cache-dir "${TMPDIR:-/tmp}/sbmt-mypy" -p sbmt -p starter -p experiment "${scripts[@]}"
