#!/usr/bin/env bash
# Run linter and formatter on the whole tree, and the type checker on all but the tests. Needs ruff and mypy.
# mypy does not understand package_dir, so it checks the layout as installed: links in a temporary folder, together with
# the scripts and the modules they import.
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
