#!/usr/bin/env bash
# Checks deploy/nginx.conf and deploy/Caddyfile with the real servers in front of the real product: npm run test:proxy.
# A film is made from prompt to bytes, an event stream arrives unbuffered, and an image passes as an upload and inside JSON. Everything listens on
# loopback, keeps its data in one temporary folder, and ends with this script.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
node=$root/node_modules/.bin/node
[ -x "$node" ] || node=node
nginx=$(PATH=$PATH:/usr/sbin command -v nginx || true)
caddy=$(command -v caddy || true)

if [ -z "$nginx" ] || [ -z "$caddy" ]; then
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "These checks need nginx and caddy: run 'apt-get install nginx-light caddy' as root, then try again." >&2
    exit 1
  fi
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends nginx-light caddy >/dev/null
  nginx=/usr/sbin/nginx caddy=/usr/bin/caddy
fi

folder=$(mktemp -d "${TMPDIR:-/tmp}/kinora-proxy-XXXXXX")
chmod 711 "$folder"
pids=()
stop() {
  for ((i = ${#pids[@]} - 1; i >= 0; i--)); do
    kill "${pids[i]}" 2>/dev/null || true
    wait "${pids[i]}" 2>/dev/null || true
  done
  pids=()
}
trap 'stop; rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

free_port() {
  "$node" -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })'
}
wait_for() { # seconds, command …
  local end=$((SECONDS + $1))
  shift
  until "$@" 2>/dev/null; do
    [ $SECONDS -lt $end ] || { echo "timed out: $*" >&2; tail -n 30 "$folder"/*.log >&2; exit 1; }
    sleep 0.2
  done
}
listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# $1 the name, $2 the file with the certificate that clients trust, $3 the port of the proxy, $4 that of the API
smoke() {
  (
    cd "$root"
    # LOG_LEVEL and pace as in production: the simulator takes some seconds for a film, so that events have time to arrive one by one.
    exec env DATA_DIR="$folder/$1" PORT="$4" PUBLIC_URL="https://localhost:$3" TRUST_PROXY=on FILES_BY_PROXY=on "$node" bin/run.mjs start
  ) >"$folder/kinora-$1.log" 2>&1 &
  pids+=($!)
  wait_for 120 grep -q 'Kinora is ready' "$folder/kinora-$1.log"
  [ "$1" != caddy ] || wait_for 30 test -s "$2"
  (cd "$root" && NODE_EXTRA_CA_CERTS=$2 "$node" deploy/test/smoke.mjs "$1" "https://localhost:$3")
}

# nginx: the shipped file, with a certificate, ports and addresses of this run in the place of its examples.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
  -addext subjectAltName=DNS:localhost -keyout "$folder/key.pem" -out "$folder/cert.pem" 2>/dev/null
api=$(free_port) http=$(free_port) https=$(free_port)
sed -e "s#server 127.0.0.1:8080 #server 127.0.0.1:$api #; /server 127.0.0.1:8081 /d" \
  -e "s#listen 80;#listen 127.0.0.1:$http;#; s#listen 443 #listen 127.0.0.1:$https #; /listen \[::\]/d" \
  -e "s#films.example.com;#localhost;#; s#/etc/ssl/films.example.com.pem#$folder/cert.pem#; s#/etc/ssl/films.example.com.key#$folder/key.pem#" \
  -e "s#\\\$host;#\$http_host;#; s#/var/lib/kinora/#$folder/nginx/#" \
  "$root/deploy/nginx.conf" >"$folder/site.conf"
cat >"$folder/nginx.conf" <<CONF
daemon off;
$([ "$(id -u)" != 0 ] || echo 'user root;')
pid $folder/nginx.pid;
error_log $folder/nginx.log;
events {}
http {
  access_log off;
  client_body_temp_path $folder/body;
  proxy_temp_path $folder/proxy;
  fastcgi_temp_path $folder/fastcgi;
  uwsgi_temp_path $folder/uwsgi;
  scgi_temp_path $folder/scgi;
  include $folder/site.conf;
}
CONF
"$nginx" -q -t -c "$folder/nginx.conf"
"$nginx" -c "$folder/nginx.conf" 2>>"$folder/nginx.log" &
pids+=($!)
wait_for 10 listens "$https"
smoke nginx "$folder/cert.pem" "$https" "$api"
stop

# Caddy: the shipped file, with a global block that keeps it off port 80 and off this machine's list of trusted authorities.
api=$(free_port) http=$(free_port) https=$(free_port)
{
  printf '{\n\tadmin off\n\thttp_port %s\n\tskip_install_trust\n}\n' "$http"
  cat "$root/deploy/Caddyfile"
} >"$folder/Caddyfile"
export XDG_DATA_HOME=$folder/caddy-data XDG_CONFIG_HOME=$folder/caddy-config
PUBLIC_URL=https://localhost:$https KINORA_API=127.0.0.1:$api KINORA_FILES=$folder/caddy/files "$caddy" validate --config "$folder/Caddyfile" --adapter caddyfile >"$folder/caddy.log" 2>&1 ||
  { cat "$folder/caddy.log" >&2; exit 1; }
PUBLIC_URL=https://localhost:$https KINORA_API=127.0.0.1:$api KINORA_FILES=$folder/caddy/files "$caddy" run --config "$folder/Caddyfile" --adapter caddyfile >"$folder/caddy.log" 2>&1 &
pids+=($!)
wait_for 30 listens "$https"
smoke caddy "$folder/caddy-data/caddy/pki/authorities/local/root.crt" "$https" "$api"
