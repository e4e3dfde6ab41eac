#!/usr/bin/env bash
# Switches this machine to the release that this file is part of, without a failed request; run as root (docs/upgrades.md). The way back is the
# same file of the old release. The API of the new release starts on the free one of two ports, and the old one stops when the new one is ready;
# when it does not become ready, it is stopped again and the old one serves on. The folder that holds releases/ has the link `current`, which
# the units follow.
set -euo pipefail

fail() { echo "$*" >&2; exit 1; }
ports=(8080 8081)
wait_s=${UPGRADE_WAIT_S:-300}
release=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
current=$(dirname "$(dirname "$release")")/current
[ "$(basename "$(dirname "$release")")" = releases ] || fail "$release is in no folder named releases: docs/deployment.md#systemd."
[ -d "$release/node_modules" ] || fail "$release has no packages: run npm ci --omit=dev there, and in a clone npx kinora build."

old='' new=''
for port in "${ports[@]}"; do
  if systemctl is-active --quiet "kinora-api@$port"; then old+=${old:+ }$port; else new=${new:-$port}; fi
done
[ -n "$new" ] || fail "Both kinora-api@${ports[0]} and kinora-api@${ports[1]} run: stop one with systemctl disable --now."

# rename(2) replaces the link at once: no process finds it missing.
point_to() { ln -sfn "$1" "$current.new" && mv -T "$current.new" "$current"; }
before=$(readlink "$current" || true)
give_up() {
  systemctl disable --now "kinora-api@$new" || true
  [ -z "$before" ] || point_to "$before"
  fail "$release did not become ready on port $new within $wait_s s: journalctl -u kinora-api@$new. ${before:-Nothing} serves as before."
}

point_to "$release"
trap 'give_up' ERR INT TERM
systemctl enable --now "kinora-api@$new"
end=$((SECONDS + wait_s))
until PORT=$new node "$release/deploy/health.mjs" readyz 2>/dev/null; do
  [ $SECONDS -lt $end ] || give_up
  sleep 0.5
done
trap - ERR INT TERM
[ -z "$old" ] || systemctl disable --now "kinora-api@$old"
# One by one: the others go on with the films.
for worker in $(systemctl list-units --plain --no-legend --state=active 'kinora-worker@*' | cut -d ' ' -f 1); do
  systemctl restart "$worker"
done
echo "$release serves on port $new."
