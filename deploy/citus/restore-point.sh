#!/usr/bin/env bash
# Marks all servers of a cluster at one moment, for a restore of all of them to it:
#   PGHOST=coordinator PGUSER=postgres PGDATABASE=kinora deploy/citus/restore-point.sh NAME
# as a superuser, with libpq's variables and password file. README.md beside this file has the rest of the backup.
#
# Invariant: a transaction of several servers is decided before the mark on all of them, or after it on all. citus_create_restore_point
# of Citus 13 holds back only those that begin on the coordinator. A payment begins on a node: the node's table of decided transactions
# is locked for the moment of the mark, as Citus 14 does itself.
set -euo pipefail

name=${1:?usage: restore-point.sh NAME}
[[ $name =~ ^[A-Za-z0-9_.:-]{1,63}$ ]] || { echo "The name may have letters, digits and _.:- only." >&2; exit 2; }
# Payments wait for as long as this waits for a lock.
export PGOPTIONS="${PGOPTIONS:-} -c lock_timeout=2s" PGCONNECT_TIMEOUT=${PGCONNECT_TIMEOUT:-5}
sql() { psql -X -qAt -v ON_ERROR_STOP=1 "$@"; }

nodes=$(sql -F ' ' -c "select nodename, nodeport from pg_dist_node where noderole = 'primary' and groupid <> 0")
[ -n "$nodes" ] || { echo "This server knows no nodes: is it the coordinator?" >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# A session for each node, which ends when its input does.
sessions=() pids=()
while read -r host port; do
  i=${#pids[@]}
  mkfifo "$folder/$i"
  sql -h "$host" -p "$port" <"$folder/$i" >"$folder/$i.out" &
  pids+=($!)
  exec {session}>"$folder/$i"
  sessions+=("$session")
done <<<"$nodes"
# Sends each session the statement, and waits until all have the answer.
all() {
  local i
  for i in "${!pids[@]}"; do echo "$1; select '$2';" >&"${sessions[i]}"; done
  for i in "${!pids[@]}"; do
    until grep -qx "$2" "$folder/$i.out"; do
      kill -0 "${pids[i]}" 2>/dev/null || { echo "A node could not be locked. No mark was made: repeat it." >&2; exit 1; }
      sleep 0.01
    done
  done
}
all 'select 1' connected
began_us=${EPOCHREALTIME/[.,]/}
all 'begin; lock table pg_catalog.pg_dist_transaction in exclusive mode' locked
sql -c "select citus_create_restore_point('$name')" >/dev/null
all rollback unlocked
ended_us=${EPOCHREALTIME/[.,]/}
for session in "${sessions[@]}"; do exec {session}>&-; done
# A mark can be restored when the archive has its segment of the log, which a quiet server fills late.
sql -c "select run_command_on_all_nodes('select pg_switch_wal()', give_warning_for_connection_errors => true)" >/dev/null
echo "$name: payments waited for $(((ended_us - began_us) / 1000)) ms"
