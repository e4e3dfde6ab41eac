#!/usr/bin/env bash
# Runs the storage tests against a real S3 server: OpenStack Swift with its S3 interface, from Debian's packages.
# The server listens on loopback only and keeps its data in one temporary folder; both are removed when this script ends.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
node=$root/node_modules/.bin/node
[ -x "$node" ] || node=node
python=/usr/bin/python3

if ! "$python" -c 'import swift.common.middleware.s3api' 2>/dev/null; then
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "These tests need Debian's python3-swift: run 'apt-get install python3-swift' as root, then try again." >&2
    exit 1
  fi
  # python3-swift contains all four servers; the packages that run them as system services are not needed.
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends python3-swift >/dev/null
fi

folder=$(mktemp -d "${TMPDIR:-/tmp}/kinora-swift-XXXXXX")
swift=
stop() {
  if [ -n "$swift" ]; then
    kill "$swift" 2>/dev/null || true
    wait "$swift" 2>/dev/null || true
  fi
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

port=$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
export S3_TEST_ENDPOINT=http://127.0.0.1:$port S3_TEST_KEY=kinora:tester S3_TEST_SECRET=not-a-secret
started=$(date +%s%N)
"$python" "$here/serve-swift.py" "$folder" "$port" "$S3_TEST_KEY" "$S3_TEST_SECRET" >"$folder/log" 2>&1 &
swift=$!

until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
  if ! kill -0 "$swift" 2>/dev/null; then
    echo 'Swift did not start. Its log:' >&2
    cat "$folder/log" >&2
    exit 1
  fi
  sleep 0.1
done
echo "Swift $("$python" -c 'import swift; print(swift.__version__)') is ready after $((($(date +%s%N) - started) / 1000000)) ms at $S3_TEST_ENDPOINT"

"$node" --test "$here/storage-s3.ts"
