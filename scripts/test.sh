#!/usr/bin/env bash
# Run the test suite on the package as users install it, in a new virtual environment outside the checkout.
# SBMT_TEST_VENV is its folder (default: a temporary one, removed afterwards); further arguments go to pytest.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
venv=${SBMT_TEST_VENV:-$scratch/venv}

# Built from a copy, so that a stale build/ folder or an egg-info in the checkout cannot hide a missing file.
mkdir "$scratch/source"
(cd "$root" && tar --exclude=./.git --exclude=./.venv --exclude=./build -cf - .) | tar -xf - -C "$scratch/source"
bash "$root/scripts/environment.sh" "$venv" "$scratch/source[dev]"

# The tests run from outside the checkout, where only the installed package can be imported.
cd "$scratch"
"$venv/bin/python" -m pytest -n auto --maxprocesses 4 --dist loadfile -c "$root/setup.cfg" --rootdir "$root" -o cache_dir="$scratch/cache" "$root/tests" "$@"
