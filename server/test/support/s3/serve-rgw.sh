#!/usr/bin/env bash
# The smallest Ceph with its S3 interface (RADOS Gateway) on loopback, in a folder of its own, for one test run:
#
#     serve-rgw.sh FOLDER PORT MONITOR_PORT ACCESS_KEY SECRET_KEY
#
# One monitor, one OSD with its objects in memory, one gateway; no manager, because nothing reads statistics. They end with this script,
# also when it is killed. It reads and writes nothing outside FOLDER and needs no root. Needs Debian's radosgw, ceph-mon and ceph-osd.
set -euo pipefail

folder=$1 port=$2 monitor_port=$3 access_key=$4 secret_key=$5
uuid() { cat /proc/sys/kernel/random/uuid; }
cluster=$(uuid) osd=$(uuid)
export CEPH_CONF=$folder/ceph.conf

# No file of the system: an empty path of a socket, a pid or a log means none.
cat >"$CEPH_CONF" <<CONF
[global]
fsid = $cluster
mon host = [v2:127.0.0.1:$monitor_port]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
keyring = $folder/keyring
run dir = $folder
crash dir = $folder
admin socket =
pid file =
log file =
log to stderr = true
mon cluster log to file = false
mon data = $folder/mon
osd data = $folder/osd
rgw data = $folder/rgw
osd objectstore = memstore
memstore device bytes = 2147483648
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
rgw frontends = beast endpoint=127.0.0.1:$port
CONF

# The gateway signs in by key only, so auth_client_required = none would not do.
ceph-authtool --create-keyring "$folder/keyring" --gen-key -n mon. --cap mon 'allow *'
for name in client.admin osd.0; do
  ceph-authtool "$folder/keyring" --gen-key -n "$name" --cap mon 'allow *' --cap osd 'allow *'
done
monmaptool --create --fsid "$cluster" --addv a "[v2:127.0.0.1:$monitor_port]" "$folder/monmap"
mkdir "$folder/mon" "$folder/osd" "$folder/rgw"

servers=()
# The kernel kills a server when this script has ended in any way.
serve() {
  setpriv --pdeathsig KILL "$@" -f &
  servers+=($!)
}
stop() {
  kill "${servers[@]}" 2>/dev/null || true
  wait "${servers[@]}" 2>/dev/null || true
}
trap stop EXIT
trap 'exit 0' TERM INT

ceph-mon -i a --mkfs --monmap "$folder/monmap" --keyring "$folder/keyring"
serve ceph-mon -i a
timeout 60 ceph osd new "$osd"
ceph-osd -i 0 --mkfs --osd-uuid "$osd"
serve ceph-osd -i 0
# This waits for the OSD, because it creates the gateway's pools.
timeout 120 radosgw-admin user create --uid=tester --display-name=tester --access-key="$access_key" --secret-key="$secret_key"
serve radosgw -n client.admin
# When one server ends, for any reason, all end.
wait -n
exit 1
