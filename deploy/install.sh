#!/bin/sh
# Installs this release on Debian 12 or 13 or Ubuntu 24.04, as root; run by a newer release it upgrades. It asks for what no option says:
#   sh deploy/install.sh --domain sale.example.org --email you@example.org [--smtp smtps://USER:PASSWORD@HOST:465 --from 'Sale <sale@example.org>']
# --tls internal: Caddy's own certificates, for a rehearsal in a network without a public name. --port 3000: where the program listens.
# Needs Debian's or Ubuntu's package archive and, for Node, npm's registry (or --node FILE, the file that an error names).
set -eu
package=$(dirname "$(dirname "$(readlink -f "$0")")")
# shellcheck source-path=SCRIPTDIR source=release/common.sh
. "$package/deploy/release/common.sh"
registry=${NPM_REGISTRY:-https://registry.npmjs.org}

domain='' email='' smtp='' from='' tls='' port=3000 node_file='' asks=yes
while [ $# -gt 0 ]; do
  case $1 in
    --domain | --email | --smtp | --from | --tls | --port | --node)
      [ $# -gt 1 ] || fail "$1 needs a value."
      case $1 in
        --domain) domain=$2 ;;
        --email) email=$2 ;;
        --smtp) smtp=$2 ;;
        --from) from=$2 ;;
        --tls) tls=$2 ;;
        --port) port=$2 ;;
        --node) node_file=$2 ;;
      esac
      asks=no
      shift 2
      ;;
    *) fail "Unknown option $1: --domain, --email, --smtp, --from, --tls internal, --port, --node" ;;
  esac
done

check_machine() {
  [ -f "$package/presale.mjs" ] || fail 'This is no unpacked release: make one with npm run release, unpack it, and run its deploy/install.sh.'
  # shellcheck disable=SC1090 # Its path is another one in the test.
  . "${OS_RELEASE:-/etc/os-release}"
  case $ID-${VERSION_ID:-} in
    debian-12 | debian-13 | ubuntu-24.04) ;;
    *) fail "This is $ID ${VERSION_ID:-}; the installer knows Debian 12 and 13 and Ubuntu 24.04. docs/operating/deploying.md is the way by hand." ;;
  esac
  [ "$(id -u)" = 0 ] || fail 'Run this as root: sudo sh deploy/install.sh'
  case $(uname -m) in
    x86_64) cpu=x64 ;;
    aarch64) cpu=arm64 ;;
    *) fail "No release is made for $(uname -m)." ;;
  esac
  grep --quiet "\"$cpu\"" "$package/package.json" || fail "This release is not for $cpu: take the file of that name."
  [ -d /run/systemd/system ] || fail 'systemd does not run here.'
  if [ -e "$current" ] && [ ! -L "$current" ]; then fail "$current is a folder that this installer did not make: move it away."; fi
}

ask() {
  printf '%s: ' "$1" >&2
  IFS= read -r answer
  printf '%s' "$answer"
}

ask_settings() {
  if [ "$asks" = yes ]; then
    domain=$(ask 'Domain of the sale, whose address is this machine (sale.example.org)')
    email=$(ask 'Your e-mail, for notices about the certificate')
    smtp=$(ask 'Mail server, smtps://USER:PASSWORD@HOST:465 (empty: set later on a page)')
    [ -z "$smtp" ] || from=$(ask 'Address that mails come from (Sale <sale@example.org>)')
  fi
  printf '%s' "$domain" | grep --quiet --extended-regexp '^[a-z0-9-]+(\.[a-z0-9-]+)+$' || fail "--domain $domain is no name such as sale.example.org."
  printf '%s' "$email" | grep --quiet --extended-regexp '^[^@[:space:]]+@[^@[:space:]]+$' || fail "--email $email is no address."
  [ -z "$tls" ] || [ "$tls" = internal ] || fail '--tls is internal, or left out.'
  if [ -n "$smtp" ] && [ -z "$from" ]; then from="no-reply@$domain"; fi
  case $smtp$from in *"'"* | *'
'*) fail 'A setting must have no apostrophe.' ;; esac
}

install_packages() {
  missing=
  for name in ca-certificates curl openssl postgresql caddy; do
    dpkg-query --show --showformat='${Status}' "$name" 2>/dev/null | grep --quiet 'ok installed' || missing="$missing $name"
  done
  [ -n "$missing" ] || return 0
  say "Installing$missing"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  # shellcheck disable=SC2086 # A list of packages.
  apt-get install -qq -y --no-install-recommends $missing >/dev/null
}

# Node as npm's registry has it, compared with the sum that the release carries.
install_node() {
  lock=$package/node-lock.json
  node_version=$(sed -n "/\"node_modules\/node-linux-$cpu\"/,/}/s/.*\"version\": \"\(.*\)\".*/\1/p" "$lock")
  sum=$(sed -n "/\"node_modules\/node-linux-$cpu\"/,/}/s/.*\"integrity\": \"sha512-\(.*\)\".*/\1/p" "$lock")
  node=$versions/node-$node_version
  [ -x "$node/bin/node" ] && return 0
  say "Installing Node $node_version"
  mkdir -p "$versions"
  draft=$(mktemp -d "$versions/.node-XXXXXX")
  url=$registry/node-linux-$cpu/-/node-linux-$cpu-$node_version.tgz
  if [ -z "$node_file" ]; then
    node_file=$draft/node.tgz
    curl --silent --show-error --fail --location --retry 3 --output "$node_file" "$url" ||
      fail "Node can't be fetched. Bring $url to this machine and name it: --node FILE"
  fi
  [ "$(openssl dgst -sha512 -binary "$node_file" | openssl base64 -A)" = "$sum" ] || fail "$node_file is not the Node of this release."
  tar --extract --gzip --file "$node_file" --directory "$draft" --no-same-owner package/bin package/LICENSE
  chmod -R u=rwX,go=rX "$draft/package"
  mv -T "$draft/package" "$node"
  rm -rf "$draft"
}

place_release() {
  install_node
  getent passwd presale >/dev/null || useradd --system --user-group --home-dir "$data" --shell /usr/sbin/nologin presale
  install -d -m 750 -o root -g presale /etc/presale
  install -d -m 700 -o presale -g presale "$data" "$backups"
  draft=$(mktemp -d "$versions/.release-XXXXXX")
  cp -r "$package/." "$draft/"
  ln -s "../node-$node_version" "$draft/node"
  chown -R root:root "$draft"
  chmod -R u=rwX,go=rX "$draft"
  # A failed attempt may have left files there; nothing uses them.
  rm -rf "${versions:?}/$version"
  mv -T "$draft" "$versions/$version"
}

random() { openssl rand -hex "$1"; }
as_postgres() { (cd / && setpriv --reuid postgres --regid postgres --init-groups psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 --port "$database_port" "$@"); }
is_there() { as_postgres --tuples-only --no-align --command "select count(*) from $1 where $2 = '$3'" | grep --quiet 1; }

# Two roles: one owns the tables and migrates them, the server's reads and writes rows.
make_database() {
  database_port=$(pg_lsclusters --no-header | awk '$4 ~ /online/ { print $3; exit }')
  [ -n "$database_port" ] || fail 'PostgreSQL does not run: pg_lsclusters'
  owner_password=$(random 24)
  server_password=$(random 24)
  for role in "presale_owner $owner_password" "presale_server $server_password"; do
    name=${role% *}
    is_there pg_roles rolname "$name" || as_postgres --command "create role $name login"
    printf "alter role %s password '%s'\n" "$name" "${role#* }" | as_postgres
  done
  is_there pg_database datname presale || as_postgres --command 'create database presale owner presale_owner'
}

write_settings() {
  make_database
  umask 077
  {
    say '# One NAME='"'value'"' a line; .env.example of the release names them all. After a change: systemctl restart presale-all'
    say "NODE_ENV='production'"
    say "DEMO='off'"
    say "PUBLIC_URL='https://$domain'"
    say "TRUST_PROXY='1'"
    say "PORT='$port'"
    say "DATABASE_URL='postgres://presale_server:$server_password@127.0.0.1:$database_port/presale'"
    say "MIGRATE_DATABASE_URL='postgres://presale_owner:$owner_password@127.0.0.1:$database_port/presale'"
    say "SECRET_KEY='$(random 32)'"
    [ -z "$smtp" ] || say "SMTP_URL='$smtp'"
    [ -z "$from" ] || say "MAIL_FROM='$from'"
    [ -z "$tls" ] || say "NODE_EXTRA_CA_CERTS='/etc/ssl/certs/ca-certificates.crt'"
  } >"$settings.new"
  chown root:presale "$settings.new"
  chmod 640 "$settings.new"
  mv "$settings.new" "$settings"
  umask 022
}

set_up_proxy() {
  file=/etc/caddy/Caddyfile
  if dpkg --verify caddy | grep --quiet "$file"; then
    say "You have changed $file, so it stays as it is: add the site of $current/deploy/proxy/Caddyfile to it."
    return
  fi
  {
    printf '{\n\temail %s\n}\n' "$email"
    sed "s/presale\.example\.org/$domain/; s/127\.0\.0\.1:3000/127.0.0.1:$port/${tls:+; s/^$domain {\$/&\\n\\ttls internal/}" "$current/deploy/proxy/Caddyfile"
  } >"$file.new"
  mv "$file.new" "$file"
  systemctl reload-or-restart caddy || fail 'Caddy does not start: journalctl -u caddy. Does another program use the ports 80 and 443?'
  [ -n "$tls" ] || return 0
  # This machine believes Caddy's own authority, so that the program can look at itself from outside.
  root=/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt
  for _ in 1 2 3 4 5 6 7 8 9 10; do [ -f $root ] || sleep 1; done
  install -m 644 $root /usr/local/share/ca-certificates/presale-caddy.crt
  update-ca-certificates >/dev/null 2>&1
}

link_command() { ln -sfn "$current/deploy/release/presale.sh" /usr/local/bin/presale; }

install_first() {
  ask_settings
  install_packages
  place_release
  [ -f "$settings" ] || write_settings
  use_version "$version"
  link_command
  set_up_proxy
  install_units
  systemctl enable --quiet --now presale-all presale-backup.timer presale-ledger-check.timer
  wait_ready "$wait_seconds" presale-all.service || fail 'The program does not answer: journalctl -u presale-all'
}

upgrade_from() {
  before=$1
  place_release
  at=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  backup=$backups/before-$version.presale
  say "Upgrading from $before to $version, after a backup"
  # shellcheck disable=SC2046 # Options, split at spaces as systemd does.
  as_presale "$(readlink -f "$current")" backup "$backup" $(setting BACKUP_OPTIONS) >/dev/null
  printf "FROM='%s'\nAT='%s'\nBACKUP='%s'\n" "$before" "$at" "$backup" >"$upgrade_note"
  use_version "$version"
  link_command
  install_units
  units=$(site_units)
  # shellcheck disable=SC2086 # A list of units.
  for unit in $units; do systemctl restart "$unit"; done
  # shellcheck disable=SC2086
  if wait_ready "$wait_seconds" $units; then
    # The one before stays for a roll back.
    for path in "$versions"/[0-9]*; do
      [ "$path" = "$versions/$before" ] || [ "$path" = "$versions/$version" ] || rm -rf "$path"
    done
    return 0
  fi
  journalctl --no-pager --lines 20 --unit 'presale-*' || true
  [ "$(line_of "$before")" = "$(line_of "$version")" ] || fail "$version does not answer. The way back: presale roll-back --restore"
  say "$version does not answer: rolling back"
  presale roll-back
  exit 1
}

draft=''
trap '[ -z "$draft" ] || rm -rf "$draft"' EXIT
check_machine
version=$(field "$package" version)
installed=''
[ ! -L "$current" ] || installed=$(field "$current" version)
# Of two versions 0.1.0-rc.1 is the older one of 0.1.0.
order() { printf '%s' "$1" | tr - '~'; }
if [ -z "$installed" ]; then
  install_first
elif [ "$installed" = "$version" ]; then
  say "Version $version is installed already."
elif dpkg --compare-versions "$(order "$version")" lt "$(order "$installed")"; then
  fail "Version $installed is installed, which is newer than $version: presale roll-back returns to the one before."
else
  upgrade_from "$installed"
fi

say "Version $version answers at $(setting PUBLIC_URL)"
say
as_presale "$(readlink -f "$current")" doctor || true
say
if [ -f "$data/owner-link.txt" ]; then
  say "Open the owner's one-time link within 24 hours: $(cat "$data/owner-link.txt")"
  say "Copy $settings to another place: without its SECRET_KEY no backup can be restored."
fi
