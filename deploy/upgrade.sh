#!/usr/bin/env bash
# Switches this machine to the release that this file is part of, without a failed request; run as root
# (docs/upgrades.md). The way back is the same file of the old release. The API of the new release starts on the free
# one of two ports, and the old one stops when the new one is ready. When the new one ends or does not become ready, it
# is stopped, and the link `current` beside releases/, which the units follow, leads to the old release again.
set -euo pipefail

fail() { echo "$*" >&2; exit 1; }
ports=(8080 8081)
wait_s=${UPGRADE_WAIT_S:-300}
release=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
current=$(dirname "$(dirname "$release")")/current
node=$release/node_modules/.bin/node
[ "$(basename "$(dirname "$release")")" = releases ] || fail "$release is in no folder named releases: docs/deployment.md#systemd."
[ -x "$node" ] || fail "$release has no packages: run npm ci --omit=dev there, and in a clone npx kinora build."

old='' new=''
for port in "${ports[@]}"; do
  if systemctl is-active --quiet "kinora-api@$port"; then old+=${old:+ }$port; else new=${new:-$port}; fi
done
[ -n "$new" ] || fail "Both kinora-api@${ports[0]} and kinora-api@${ports[1]} run: stop one with systemctl disable --now."

# rename(2) replaces the link at once: no process finds it missing.
point_to() { ln -sfn "$1" "$current.new" && mv -T "$current.new" "$current"; }
is_ready() { PORT=$1 "$node" "$release/deploy/health.mjs" readyz 2>/dev/null; }
before=$(readlink "$current" || true)
began=$(date '+%F %T')
# $1: what the new one did
give_up() {
  trap - ERR INT TERM
  journalctl --unit "kinora-api@$new" --since "$began" --lines 20 --output cat --no-pager >&2 || true
  systemctl disable --now "kinora-api@$new" || true
  [ -z "$before" ] || point_to "$before"
  local serves=
  for port in $old; do is_ready "$port" && serves="$before serves on port $port as before."; done
  fail "$release $1 on port $new: its last lines are above, all with journalctl -u kinora-api@$new." \
    "${serves:-Nothing serves on ${ports[*]}.}"
}

point_to "$release"
trap 'give_up "did not start"' ERR
trap 'give_up "was interrupted"' INT TERM
systemctl enable --now "kinora-api@$new"
end=$((SECONDS + wait_s))
until is_ready "$new"; do
  # A unit that has ended is failed, or activating again for the seconds of RestartSec=.
  systemctl is-active --quiet "kinora-api@$new" || give_up 'ended'
  [ $SECONDS -lt $end ] || give_up "did not become ready within $wait_s s"
  sleep 0.5
done
trap - ERR INT TERM
[ -z "$old" ] || systemctl disable --now "kinora-api@$old"
# One by one: the others go on with the films.
for worker in $(systemctl list-units --plain --no-legend --state=active 'kinora-worker@*' | cut -d ' ' -f 1); do
  systemctl restart "$worker"
done
echo "$release serves on port $new."
