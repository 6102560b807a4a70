"""The parts of scripts/turkcorpus.py: cached steps, what is compared, figures and tables."""

import sys
from importlib.util import find_spec

if find_spec("lemminflect") is None:
    print("error: lemminflect is missing: pip install '.[experiment]' in the folder of the project", file=sys.stderr)
    raise SystemExit(2)
