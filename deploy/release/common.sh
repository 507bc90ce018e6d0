# shellcheck shell=sh
# Paths and functions that install.sh and the command `presale` share. POSIX shell.
# shellcheck disable=SC2034 # Some names are used by one of the two alone.
versions=/opt/presale-versions
current=/opt/presale
settings=/etc/presale/presale.env
data=/var/lib/presale
backups=/var/lib/presale-backups
upgrade_note=$versions/last-upgrade
wait_seconds=${PRESALE_WAIT_SECONDS:-120}

say() { printf '%s\n' "$*"; }
fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# The value of a field of a release's package.json, which has one field a line.
field() { sed -n "s/^  \"$2\": \"\\(.*\\)\",\\{0,1\\}\$/\\1/p" "$1/package.json" | head -n 1; }
# The value of a setting, with or without quotes around it.
setting() { sed -n "s/^$1=['\"]\\{0,1\\}\\([^'\"]*\\)['\"]\\{0,1\\}\$/\\1/p" "$settings" | tail -n 1; }
# The line of a version, within which migrations only add: 0.1 of 0.1.3.
line_of() { printf '%s' "$1" | cut -d. -f1,2; }

# A command of the release in a folder, as the service's user with the service's settings.
as_presale() {
  release=$1
  shift
  (
    cd "$backups" && exec setpriv --reuid presale --regid presale --init-groups \
      env -i PATH=/usr/bin:/bin HOME="$data" LANG=C.UTF-8 TERM="${TERM:-dumb}" DATA_DIR="$data" PRESALE_COMMAND=presale \
      "$release/node/bin/node" --env-file="$settings" "$release/presale.mjs" "$@"
  )
}

# The processes of the site that run, or that systemd tries to run.
site_units() {
  systemctl list-units --all --plain --no-legend presale-all.service 'presale-web@*.service' presale-jobs.service presale-watchers.service |
    awk '$3 != "inactive" { print $1 }'
}

# Waits until each of the units answers; a unit without a port has to run.
wait_ready() {
  seconds=$1
  shift
  port=$(setting PORT)
  while :; do
    waiting=
    for unit in "$@"; do
      case $unit in
        presale-all.service) url=http://127.0.0.1:${port:-3000}/readyz ;;
        presale-web@*) url=http://127.0.0.1:$(printf '%s' "$unit" | tr -cd 0-9)/readyz ;;
        *) systemctl is-active --quiet "$unit" || waiting=$unit; continue ;;
      esac
      curl --silent --fail --max-time 5 --output /dev/null "$url" || waiting=$unit
    done
    [ -z "$waiting" ] && return 0
    seconds=$((seconds - 1))
    [ "$seconds" -gt 0 ] || return 1
    sleep 1
  done
}

# The release of this version becomes the one that is used, in one step.
use_version() {
  ln -sfn "$versions/$1" "$current.new"
  mv -T "$current.new" "$current"
}

# The units of the release in use, each as it is there; a changed one is read anew.
install_units() {
  for path in "$current"/deploy/systemd/presale-*; do
    cp -r "$path" /etc/systemd/system/
  done
  systemctl daemon-reload
}
