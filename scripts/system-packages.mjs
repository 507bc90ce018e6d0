// Programs that tests and benchmarks need besides npm packages.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fail, run } from './setup.mjs'

const PROGRAMS = {
  chromium: 'chromium',
  'chromium-headless-shell': 'chromium-headless-shell',
  litecoind: 'litecoind',
  wrk: 'wrk',
  nginx: 'nginx-light',
  caddy: 'caddy',
  promtool: 'prometheus',
  setpriv: 'util-linux',
  go: 'golang-go',
  'systemd-analyze': 'systemd',
  shellcheck: 'shellcheck',
  'firefox-esr': 'firefox-esr',
  WebKitWebDriver: 'webkit2gtk-driver',
  Xvfb: 'xvfb',
  etcd: 'etcd-server',
  patroni: 'patroni',
  haproxy: 'haproxy',
  pgbackrest: 'pgbackrest',
}

/**
 * Programs for nodes with their own network, disk and clock, for the container and for empty machines, not
 * for `npm test`.
 */
const PROGRAMS_APART = {
  ip: 'iproute2',
  'mkfs.ext4': 'e2fsprogs',
  debootstrap: 'debootstrap',
  'systemd-nspawn': 'systemd-container',
  buildah: 'buildah',
  podman: 'podman',
  runc: 'runc',
  cc: 'gcc',
}

/** Packages without a program, by a folder. */
const LIBRARIES = {
  '/usr/share/gocode/src/golang.org/x/mod/sumdb/tlog': 'golang-golang-x-mod-dev',
}

const LIBRARIES_APART = {
  '/usr/include/stdlib.h': 'libc6-dev',
}

/** Installs as root with apt, or stops with the command to do it. */
export function ensureSystemPackages(isApart = false) {
  const lacking = lackingPackages(isApart)
  if (lacking.length === 0) return
  const line = `apt-get update && apt-get install -y --no-install-recommends ${lacking.join(' ')}`
  const isRoot = process.getuid?.() === 0
  if (!isRoot || !isProgram('apt-get')) {
    fail(`The tests need ${lacking.join(', ')}; this installs them: sudo sh -c '${line}'`)
  }
  console.log(`Installing ${lacking.join(' ')}`)
  // Don't start packaged servers: the tests start their own.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  // The second attempt updates the lists.
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...lacking]
  const isDone = spawnSync('apt-get', install, { stdio: 'ignore', env }).status === 0
  if (!isDone) {
    run('apt-get', ['update', '-qq'], { env })
    run('apt-get', install, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  const still = lackingPackages(isApart)
  if (still.length > 0) fail(`${still.join(', ')} did not install; this says why: sudo sh -c '${line}'`)
}

function lackingPackages(isApart) {
  const programs = { ...PROGRAMS, ...(isApart && PROGRAMS_APART) }
  const libraries = { ...LIBRARIES, ...(isApart && LIBRARIES_APART) }
  const lacking = [
    ...Object.entries(programs).filter(([program]) => !isProgram(program)),
    ...Object.entries(libraries).filter(([folder]) => !existsSync(folder)),
  ].map(([, name]) => name)
  // Debian's programs are outside of PATH.
  const servers = '/usr/lib/postgresql'
  const hasPostgres =
    existsSync(servers) && readdirSync(servers).some((name) => existsSync(join(servers, name, 'bin/initdb')))
  return hasPostgres ? lacking : [...lacking, 'postgresql']
}

function isProgram(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin']
  return folders.some((folder) => folder && existsSync(join(folder, name)))
}
