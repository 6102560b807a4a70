#!/usr/bin/env bash
# Install sbmt into .venv in this checkout and simplify the example text.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
if [ ! -x .venv/bin/sbmt-decode ]; then
    bash scripts/environment.sh .venv -e .
fi
echo "--- before"
cat docs/example.txt
echo "--- after"
.venv/bin/sbmt-decode docs/example.txt
echo "--- what changed"
.venv/bin/sbmt-decode --output diff docs/example.txt
