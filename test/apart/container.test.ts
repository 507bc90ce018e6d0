import { execFileSync } from 'node:child_process'
import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../support/database-server.ts'
import { makeDiskFolder } from '../support/folders.ts'
import { until } from '../support/until.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const IMAGE = 'localhost/presale-test'
const NODE_IMAGE = 'localhost/presale-test-node'
/** Limits of this machine: few files and processes, and old control groups, which only runc supports. */
const HERE = ['--runtime', 'runc']
const LIMITS = ['--ulimit', 'nofile=8192:8192', '--ulimit', 'nproc=4096:4096', '--network', 'host']
/** As deploy/compose.yaml runs it. */
const AS_COMPOSED = [
  '--read-only',
  '--tmpfs',
  '/tmp',
  '--cap-drop',
  'ALL',
  '--security-opt',
  'no-new-privileges',
]

let folder = ''
const names: string[] = []

const call = (program: string, ...args: string[]) =>
  execFileSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 50_000_000,
  })
const podman = (...args: string[]) => call('podman', ...HERE, ...args)

/** No registry of images is needed: Debian's smallest system with this Node stands for Node's own image. */
async function makeNodeImage(): Promise<void> {
  const base = join(folder, 'base')
  call('debootstrap', '--variant=minbase', '--include=libstdc++6', 'bookworm', base)
  await cp(process.execPath, join(base, 'usr/local/bin/node'))
  const archive = join(folder, 'base.tar')
  call('tar', '-C', base, '-cf', archive, '.')
  podman('import', archive, NODE_IMAGE)
}

beforeAll(async () => {
  folder = await makeDiskFolder('container')
  await makeNodeImage()
  call(process.execPath, 'scripts/run.mjs', 'release')
  const release = (await readdir(join(root, 'release'))).find((name) => name.endsWith('.tgz')) ?? ''
  call('tar', '-xzf', join('release', release), '-C', folder)
  const build = ['--isolation', 'chroot', '--network', 'host', '--format', 'docker']
  const file = join(folder, 'package/deploy/container/Containerfile')
  const arg = `NODE=${NODE_IMAGE}`
  call('buildah', 'build', ...build, '--build-arg', arg, '-f', file, '-t', IMAGE, join(folder, 'package'))
}, 30 * 60_000)

afterAll(async () => {
  for (const name of names) podman('rm', '--force', '--volumes', name)
  podman('rmi', '--force', IMAGE, NODE_IMAGE)
  await rm(folder, { recursive: true, force: true })
})

async function start(name: string, volume: string, port: number): Promise<void> {
  names.push(name)
  const settings = [
    '--env',
    `PORT=${port}`,
    '--env',
    'HOST=127.0.0.1',
    '--env',
    'PUBLIC_URL=https://presale.example.org',
  ]
  podman(
    'run',
    '--detach',
    '--name',
    name,
    ...LIMITS,
    ...AS_COMPOSED,
    ...settings,
    '--volume',
    `${volume}:/data`,
    IMAGE,
  )
  await until(
    async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status === 200,
  )
}

test('the image runs without root, on a file system that it can not write, and keeps its data in its volume', async () => {
  const port = await freePort()
  const volume = `presale-test-${process.pid}`
  await start(`presale-test-${process.pid}-a`, volume, port)
  const inside = (...command: string[]) => podman('exec', names.at(-1) ?? '', ...command)
  expect(inside('id', '-u').trim()).toBe('10001')
  expect(inside('sh', '-c', 'touch /presale/x 2>&1 || true')).toMatch(/Read-only file system/)
  expect(inside('ls', '/presale/node_modules').split('\n')).not.toContain('vite')
  podman('healthcheck', 'run', names.at(-1) ?? '')
  const said = inside('node', 'dist/server/ledger-check.js')
  expect(said).toMatch(/rules hold/)

  podman('stop', '--time', '20', names.at(-1) ?? '')
  expect(podman('inspect', '--format', '{{.State.ExitCode}}', names.at(-1) ?? '').trim()).toBe('0')
  await start(`presale-test-${process.pid}-b`, volume, port)
  // A first start prints the owner's link; this is no first one.
  expect(podman('logs', names.at(-1) ?? '')).not.toMatch(/one-time link/)
})
