#!/usr/bin/env bash
# Runs the official SDKs of Node against the built binary; `make check-node` is this command. What it needs from the npm
# registry it installs beside itself, Node too where the machine's own is older than an SDK asks for.
#
# Usage: e2e/node/check.sh [FILTER…], where a filter is a part of case/endpoint/sdk/mode.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")"

for tool in node npm; do
  if ! command -v "$tool" >/dev/null; then
    echo "official SDKs of Node: not run, for there is no $tool on this machine"
    [ "${CI:-}" != true ] || exit 1
    exit 0
  fi
done

# install brings the packages of a folder, unless they are there. Where package.json asks for another version than the lock
# file has, the lock file follows; in CI that is a mistake.
install() {
  local there="$1/node_modules/.package-lock.json"
  [ "$1/package.json" -nt "$there" ] || [ "$1/package-lock.json" -nt "$there" ] || return 0
  (
    cd "$1"
    if [ "${CI:-}" = true ]; then
      npm ci --loglevel=error --no-progress
    else
      npm ci --loglevel=silent --no-progress || npm install --loglevel=error --no-progress
    fi
  ) || {
    echo "official SDKs of Node: the packages of e2e/node/$1 could not be installed"
    exit 1
  }
}

install .
node=node
if ! node new_enough.cjs; then
  install runtime
  node=runtime/node_modules/.bin/node
fi
"${GO:-go}" build -C ../.. -trimpath -o bin/mimus ./cmd/mimus
exec "$node" main.js ../../bin/mimus "$@"
