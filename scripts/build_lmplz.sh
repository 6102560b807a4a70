#!/usr/bin/env bash
# Build KenLM's lmplz (language models from any amount of text, sorting on disk), build_binary and query in FOLDER, from
# the source package on the Python package index and Debian's Boost. sbmt-lm uses lmplz if it is on the PATH.
#   scripts/build_lmplz.sh ~/kenlm && export PATH=~/kenlm/bin:$PATH
# Needs a C++ compiler, cmake, pip, and these packages (install them first, as root):
#   apt-get install libboost-program-options-dev libboost-system-dev libboost-thread-dev libboost-test-dev \
#                   zlib1g-dev libbz2-dev liblzma-dev
set -euo pipefail
[ $# = 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$folder"
python3 -m pip download --quiet --no-deps --no-binary kenlm kenlm==0.3.0
tar -xzf kenlm-0.3.0.tar.gz
cmake -S kenlm-0.3.0 -B build -DCMAKE_BUILD_TYPE=Release
cmake --build build --target lmplz build_binary query --parallel 2
rm -rf bin && mv build/bin bin
rm -rf build kenlm-0.3.0 kenlm-0.3.0.tar.gz
echo "lmplz, build_binary and query are in $folder/bin; put it on your PATH" >&2
