#!/usr/bin/env bash
# Install kenlm 0.3.0 for Python 3.13 and later: bash scripts/kenlm.sh [PYTHON]
# Its packaged C++ code was generated for earlier Pythons, so it is regenerated here from the same source.
set -euo pipefail
python=${1:-python}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$python" -m venv "$scratch/venv" # for build tools, removed at the end
"$scratch/venv/bin/pip" install --quiet 'cython>=3.0.11' setuptools
"$scratch/venv/bin/pip" download --quiet --no-deps --no-binary kenlm --dest "$scratch" kenlm==0.3.0
tar -xzf "$scratch/kenlm-0.3.0.tar.gz" -C "$scratch"
"$scratch/venv/bin/cython" -3 --cplus "$scratch/kenlm-0.3.0/python/kenlm.pyx" -o "$scratch/kenlm-0.3.0/python/kenlm.cpp"
"$python" -m pip install --quiet --no-cache-dir "$scratch/kenlm-0.3.0"
