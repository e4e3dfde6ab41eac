#!/usr/bin/env bash
# Copies the tables of one shard from a server that was restored beside the cluster to the node that has lost them:
#   PGHOST=coordinator PGUSER=postgres PGDATABASE=kinora deploy/citus/restore-shard.sh USER_ID HOST PORT
# USER_ID: any user of the shard. HOST, PORT: the restored server. As a superuser, with libpq's variables and password file; no process
# of Kinora runs. Then: kinora migrate, kinora verify.
set -euo pipefail

user=${1:?usage: restore-shard.sh USER_ID HOST PORT} from=(-h "${2:?HOST}" -p "${3:?PORT}")
[[ $user =~ ^[0-9a-f-]{36}$ ]] || { echo "USER_ID must be a uuid." >&2; exit 2; }
sql() { psql -X -qAt -v ON_ERROR_STOP=1 "$@"; }

# Each table has an id of its own for the same shard. The schema of the functions has the shard's place in the order of hashes.
read -r number host port < <(sql -F ' ' -c "
  with shards as (
    select shardid, row_number() over (order by shardminvalue::integer) - 1 as number
    from pg_dist_shard where logicalrelid = 'kinora.credit_account'::regclass
  )
  select number, nodename, nodeport from shards join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
  where noderole = 'primary' and shardid = get_shard_id_for_distribution_column('kinora.credit_account', '$user')")
tables=$(sql -c "
  select '-t ' || shard_name(t.logicalrelid, t.shardid)
  from pg_dist_shard a
  join pg_dist_partition of_a on of_a.logicalrelid = a.logicalrelid
  join pg_dist_partition of_t on of_t.colocationid = of_a.colocationid
  join pg_dist_shard t on t.logicalrelid = of_t.logicalrelid and t.shardminvalue = a.shardminvalue
  where a.shardid = get_shard_id_for_distribution_column('kinora.credit_account', '$user')")
file=$(mktemp)
trap 'rm -f "$file"' EXIT

# Citus hides the tables of shards from pg_dump, and refuses its locks.
export PGOPTIONS='-c citus.override_table_visibility=off -c citus.enable_manual_changes_to_shards=on -c citus.enable_ddl_propagation=off'
# shellcheck disable=SC2086 # one word for each table
pg_dump "${from[@]}" $tables >"$file"
schema=kinora_shard_$number
{
  # The numbers of accounts come from a sequence of the shard's schema. kinora migrate makes both again, from the rows.
  echo "create schema if not exists $schema; create sequence if not exists $schema.account_number;"
  cat "$file"
  echo "drop schema $schema cascade;"
} | PGOPTIONS="$PGOPTIONS -c client_min_messages=warning" sql -1 -h "$host" -p "$port" >/dev/null
echo "Shard $number on $host:$port has $(wc -w <<<"${tables//-t /}") tables again. Run kinora migrate, which gives it its functions."
