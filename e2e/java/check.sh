#!/usr/bin/env bash
# Runs the official SDKs of Java against the built binary; `make check-java` is this command. Maven brings what it needs
# from the ordinary registry.
#
# Usage: e2e/java/check.sh [FILTER…], where a filter is a part of case/endpoint/sdk/mode.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")"

for tool in javac mvn; do
  if ! command -v "$tool" >/dev/null; then
    echo "official SDKs of Java: not run, for there is no $tool on this machine"
    [ "${CI:-}" != true ] || exit 1
    exit 0
  fi
done

# Once the packages are there, nothing is asked of the registry. An older build is taken as it is while no source is newer.
built=target/built
if [ -n "$(find pom.xml src -newer "$built" 2>&1)" ]; then
  mvn -q -B -o compile >/dev/null 2>&1 || mvn -q -B -ntp compile || {
    echo "official SDKs of Java: e2e/java could not be built"
    exit 1
  }
  touch "$built"
fi
"${GO:-go}" build -C ../.. -trimpath -o bin/mimus ./cmd/mimus
exec java -cp "target/classes:$(cat target/classpath)" mimus.e2e.Main .. ../../bin/mimus "$@"
