#!/usr/bin/env bash
# Runs the official SDKs of Python against the built binary; `make check-python` is this command. What it needs from the
# package index it installs into .venv beside itself, each file held against its hash in requirements.txt.
#
# Usage: e2e/python/check.sh [FILTER…], where a filter is a part of case/endpoint/sdk/mode.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")"

missing() {
  echo "official SDKs of Python: not run, for there is no $1 on this machine"
  [ "${CI:-}" != true ] || exit 1
  exit 0
}

failed() {
  echo "official SDKs of Python: $1"
  exit 1
}

# google-genai is the one that asks for so new a Python.
command -v python3 >/dev/null || missing python3
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || missing "Python of 3.11 or later"
python3 -c 'import venv, ensurepip' 2>/dev/null || missing "venv for its Python"

python=.venv/bin/python
"$python" -c '' 2>/dev/null || python3 -m venv --clear .venv || failed "e2e/python/.venv could not be made"
pip() { "$python" -m pip --quiet --disable-pip-version-check "$@"; }

# Where requirements.in asks for another version than requirements.txt has, that follows; in CI it is a mistake.
if [ "$(grep -v '^#' requirements.in | sed 's/\[.*\]//')" != "$("$python" locked.py)" ]; then
  [ "${CI:-}" != true ] || failed "requirements.txt does not have the versions of requirements.in"
  pip install pip-tools==7.6.2 && "$python" -m piptools compile --quiet --generate-hashes --no-emit-index-url --no-emit-find-links --no-header \
    --strip-extras requirements.in || failed "requirements.txt could not be written anew"
fi
if ! cmp -s requirements.txt .venv/installed; then
  pip install --require-hashes --only-binary :all: -r requirements.txt || failed "the packages of e2e/python could not be installed"
  cp requirements.txt .venv/installed
fi
"${GO:-go}" build -C ../.. -trimpath -o bin/mimus ./cmd/mimus
exec "$python" main.py ../../bin/mimus "$@"
