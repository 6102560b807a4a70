#!/usr/bin/env bash
# Linter, formatter and type checker over the whole tree; needs ruff and mypy on the PATH.
# mypy cannot see through package_dir, so it is shown the layout as it installs: links in a temporary folder, with
# scripts/starter and scripts/experiment beside it as scripts import them.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
ruff check .
ruff format --check .
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir "$tree/sbmt"
ln -s "$root"/sbmt/* "$root"/ppdb "$root"/features "$root"/tuning "$root"/configs "$tree/sbmt/"
ln -s "$root/scripts/starter" "$root/scripts/experiment" "$tree/"
cd "$tree"
mypy --config-file "$root/setup.cfg" --cache-dir "${TMPDIR:-/tmp}/sbmt-mypy" -p sbmt -p starter -p experiment
