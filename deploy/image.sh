#!/usr/bin/env bash
# Builds the image of deploy/Containerfile where no registry of images is within reach, and runs it: deploy/image.sh [NAME]. The base is
# debootstrap's Debian with the Node 24 of the PATH; npm's registry and Debian's archive must be within reach. Run it as root, with buildah and
# debootstrap installed. It needs no container engine (buildah's chroot isolation).
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
name=${1:-kinora}
base=localhost/kinora-base
suite=bookworm
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=${STORAGE_DRIVER:-vfs}

node=$(readlink -f "$(command -v node)")
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
case $("$node" --version) in v24.*) ;; *) echo "node 24 is needed on the PATH: $node is $("$node" --version)." >&2; exit 1 ;; esac

if ! buildah inspect --type image "$base" >/dev/null 2>&1; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  debootstrap --variant=minbase --include=ca-certificates "$suite" "$folder/root" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" >"$folder/log" ||
    { tail -n 20 "$folder/log" >&2; exit 1; }
  rm -rf "$folder"/root/var/cache/apt/archives/*.deb "$folder"/root/var/lib/apt/lists/*
  install -m 0755 "$node" "$folder/root/usr/local/bin/node"
  mkdir -p "$folder/root/usr/local/lib/node_modules"
  cp -r "$npm" "$folder/root/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$folder/root/usr/local/bin/npm"
  container=$(buildah from scratch)
  buildah add --quiet "$container" "$folder/root" /
  buildah commit --quiet "$container" "$base"
  buildah rm "$container" >/dev/null
fi

buildah build --format docker --build-arg NODE_IMAGE="$base" --file "$root/deploy/Containerfile" --tag "$name" "$root"
# The image starts; without a database it can show its models.
container=$(buildah from "$name")
trap 'buildah rm "$container" >/dev/null; rm -rf "${folder:-}"' EXIT
buildah run --env AUTH_SECRET="$(openssl rand -base64 32)" --env DATABASE_URL=postgres://kinora@127.0.0.1/kinora \
  --env PROVIDER_FAL_API_KEY=none --env PUBLIC_URL=https://films.example.com "$container" -- node server/main.mjs catalogue >/dev/null
echo "$name is built."
