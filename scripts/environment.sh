#!/usr/bin/env bash
# Make a virtual environment and install into it: bash scripts/environment.sh FOLDER ARGUMENTS-OF-PIP-INSTALL
# PYTHON names the interpreter (default: python3).
set -euo pipefail
echo "sbmt: installing into $1 (kenlm is compiled: two to three minutes)" >&2
"${PYTHON:-python3}" -m venv "$1"
if "$1/bin/python" -c 'import sys; sys.exit(sys.version_info < (3, 13))'; then
    bash "$(dirname "$0")/kenlm.sh" "$1/bin/python"
fi
"$1/bin/pip" install --quiet "${@:2}"
