#!/bin/sh
# The command `presale` of an installed release. Commands of the program run as the service's user with the service's settings.
set -eu
here=$(dirname "$(readlink -f "$0")")
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$here/common.sh"

usage() {
  cat <<'TEXT'
presale doctor                 checks the installation, and names each fix
presale backup FILE            writes a backup; a relative name lies in /var/lib/presale-backups
presale backup-drill [FILE]    proves that a backup can be restored
presale restore FILE           brings a backup back: stop the site first
presale operator add LOGIN --role owner
presale upgrade FILE.tgz       installs a newer release, after a backup
presale roll-back              returns to the release before the last upgrade
presale stop | start | status
Others: ledger-check, made-since, secrets-check, secrets-rotate, journal-export, journal-reopen, journal-rotate-key, giveaway-draw
TEXT
}

upgrade() {
  file=${1:-}
  [ -f "$file" ] || fail 'Usage: presale upgrade FILE.tgz'
  sums=$(dirname "$file")/SHA256SUMS
  [ -f "$sums" ] || fail "There is no SHA256SUMS beside $file: fetch it from where the release is."
  # The release in use says by which key the next one is signed.
  if [ -f "$current/release.pub" ]; then
    openssl pkeyutl -verify -pubin -inkey "$current/release.pub" -rawin -in "$sums" -sigfile "$sums.sig" >/dev/null 2>&1 ||
      fail "$sums is not signed by the maker of the installed release: SHA256SUMS.sig beside it is missing or wrong."
  fi
  grep "  $(basename "$file")\$" "$sums" | (cd "$(dirname "$file")" && sha256sum --check --quiet -) ||
    fail "$file is not the file that SHA256SUMS names."
  unpacked=$(mktemp -d "$versions/.unpacked-XXXXXX")
  trap 'rm -rf "$unpacked"' EXIT
  tar --extract --gzip --file "$file" --directory "$unpacked" --no-same-owner
  sh "$unpacked/package/deploy/install.sh"
}

roll_back() {
  [ -f "$upgrade_note" ] || fail 'There was no upgrade since the installation or the last roll back.'
  # FROM, AT and BACKUP: written by install.sh.
  # shellcheck disable=SC1090
  . "$upgrade_note"
  now=$(field "$current" version)
  [ -d "$versions/$FROM" ] || fail "$versions/$FROM is gone: unpack the release $FROM there."
  if [ "$(line_of "$FROM")" != "$(line_of "$now")" ] && [ "${1:-}" != --restore ]; then
    say "$FROM can't use the tables of $now, so this roll back restores the backup $BACKUP."
    as_presale "$(readlink -f "$current")" made-since "$AT" || true
    fail 'All of it would be lost. To go on: presale roll-back --restore'
  fi
  units=$(site_units)
  # shellcheck disable=SC2086 # A list of units.
  [ -z "$units" ] || systemctl stop $units
  if [ "$(line_of "$FROM")" = "$(line_of "$now")" ]; then
    as_presale "$versions/$FROM" activate-functions
  else
    shift
    kept=$backups/before-roll-back-to-$FROM.presale
    as_presale "$(readlink -f "$current")" backup "$kept"
    say "What $now held is kept in $kept; only $now can restore it."
    as_presale "$versions/$FROM" restore "$BACKUP" --replace "$@"
  fi
  use_version "$FROM"
  install_units
  rm "$upgrade_note"
  # shellcheck disable=SC2086
  [ -z "$units" ] || { systemctl start $units && wait_ready "$wait_seconds" $units; } || fail "$FROM does not answer: journalctl -u 'presale-*'"
  say "Rolled back from $now to $FROM."
}

case ${1:-help} in
  help | --help | -h) usage && exit ;;
esac
[ "$(id -u)" = 0 ] || fail "This needs root: sudo presale $*"
command=$1
shift
case $command in
  upgrade) upgrade "$@" ;;
  roll-back) roll_back "$@" ;;
  stop) site_units | xargs --no-run-if-empty systemctl stop ;;
  start) systemctl start presale-all ;;
  status) systemctl --no-pager status 'presale-*' ;;
  *) as_presale "$(readlink -f "$current")" "$command" "$@" ;;
esac
