#!/usr/bin/env bash
# Runs the storage tests against a real S3 server from Debian's packages: OpenStack Swift with its S3 interface, or, with the argument
# `rgw`, Ceph's RADOS Gateway. The server listens on loopback only and keeps its data in one temporary folder; both are removed when
# this script ends.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
node=$root/node_modules/.bin/node
[ -x "$node" ] || node=node
python=/usr/bin/python3
export S3_TEST_SERVER=${1:-swift} S3_TEST_SECRET=not-a-secret

need_swift() {
  if "$python" -c 'import swift.common.middleware.s3api' 2>/dev/null; then return; fi
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "These tests need Debian's python3-swift: run 'apt-get install python3-swift' as root, then try again." >&2
    exit 1
  fi
  # python3-swift contains all four servers; the packages that run them as system services are not needed.
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends python3-swift >/dev/null
}

# Not installed by itself: it is a hundred packages.
need_rgw() {
  for program in radosgw ceph-mon ceph-osd; do
    if command -v "$program" >/dev/null; then continue; fi
    echo "SKIPPED: $program is not installed: run 'apt-get install --no-install-recommends radosgw ceph-mon ceph-osd' as root for these tests."
    exit 0
  done
}

case $S3_TEST_SERVER in
  swift) need_swift ;;
  rgw) need_rgw ;;
  *)
    echo "There is no server \"$S3_TEST_SERVER\": choose swift or rgw." >&2
    exit 2
    ;;
esac

folder=$(mktemp -d "${TMPDIR:-/tmp}/kinora-$S3_TEST_SERVER-XXXXXX")
server=
stop() {
  if [ -n "$server" ]; then
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

free_port() { "$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
port=$(free_port)
export S3_TEST_ENDPOINT=http://127.0.0.1:$port
started=$(date +%s%N)
case $S3_TEST_SERVER in
  swift)
    export S3_TEST_KEY=kinora:tester
    name="Swift $("$python" -c 'import swift; print(swift.__version__)')"
    "$python" "$here/serve-swift.py" "$folder" "$port" "$S3_TEST_KEY" "$S3_TEST_SECRET" >"$folder/log" 2>&1 &
    ;;
  rgw)
    export S3_TEST_KEY=kinora
    name="RADOS Gateway $(radosgw --version | cut -d' ' -f3)"
    "$here/serve-rgw.sh" "$folder" "$port" "$(free_port)" "$S3_TEST_KEY" "$S3_TEST_SECRET" >"$folder/log" 2>&1 &
    ;;
esac
server=$!

until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
  if ! kill -0 "$server" 2>/dev/null; then
    echo "$name did not start. Its log:" >&2
    cat "$folder/log" >&2
    exit 1
  fi
  sleep 0.1
done
echo "$name is ready after $((($(date +%s%N) - started) / 1000000)) ms at $S3_TEST_ENDPOINT"

"$node" --test "$here/storage-s3.ts"
