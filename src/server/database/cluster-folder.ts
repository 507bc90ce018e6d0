import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chown, mkdir, open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { StartError } from '../start-error.ts'
import { asUser, type PostgresBinaries, type PostgresUser } from './postgres-binaries.ts'

export interface Paths {
  base: string
  cluster: string
  superuserPassword: string
  ownerPassword: string
  runnerPassword: string
  log: string
  socket: string
  socketOfServer: string
}

export interface Secrets {
  superuser: string
  owner: string
  runner: string
}

/** `sun_path` has 108 bytes on Linux and 104 elsewhere; `/.s.PGSQL.5432` takes 14 of them. */
const SOCKET_FOLDER_LENGTH_MAX = 85
export const SUPERUSER = 'postgres'
export const OWNER_ROLE = 'presale'
export const RUNNING_ROLE = 'presale_server'
/**
 * The cluster as an inherited descriptor, because the server's user may be unable to traverse the path.
 * Before PostgreSQL 16 the server's working folder can change.
 */
export const INHERITED_FOLDER = '/proc/self/fd/3'

export async function preparePaths(dataDir: string): Promise<Paths> {
  try {
    await mkdir(join(dataDir, 'postgres'), { recursive: true })
    const base = join(await realpath(dataDir), 'postgres')
    const cluster = join(base, 'cluster')
    const inside = Buffer.byteLength(cluster) <= SOCKET_FOLDER_LENGTH_MAX
    const hash = createHash('sha256').update(cluster).digest('hex').slice(0, 16)
    const outside = join(tmpdir(), `presale-${hash}`)
    return {
      base,
      cluster,
      superuserPassword: join(base, 'superuser-password'),
      ownerPassword: join(base, 'password'),
      runnerPassword: join(base, 'server-password'),
      log: join(base, 'log'),
      socket: inside ? cluster : outside,
      // Relative to the server's working folder, the cluster: its user may be unable to traverse the path.
      socketOfServer: inside ? '.' : outside,
    }
  } catch (error) {
    throw unreadable(dataDir, error)
  }
}

/** The present user; for root the cluster's owner, else `postgres`, else `nobody`. */
export async function chooseUser(paths: Paths): Promise<PostgresUser | undefined> {
  const uid = process.getuid?.()
  const found = await stat(paths.cluster).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw unreadable(dirname(paths.base), error)
  })
  if (uid !== 0) {
    if (found && found.uid !== uid) {
      throw new StartError(
        `The data folder ${dirname(paths.base)} belongs to another user (uid ${found.uid}): start as that user, or as root`,
      )
    }
    return undefined
  }
  if (found && found.uid !== 0) return { uid: found.uid, gid: found.gid }
  const users = await readFile('/etc/passwd', 'utf8')
  for (const name of ['postgres', 'nobody']) {
    const line = users.split('\n').find((entry) => entry.startsWith(`${name}:`))
    const [, , userId, groupId] = line?.split(':') ?? []
    if (userId && groupId) return { uid: Number.parseInt(userId, 10), gid: Number.parseInt(groupId, 10) }
  }
  throw new StartError(
    'PostgreSQL does not run as root, and there is no other user: start as an ordinary user',
  )
}

/** Renamed from a temporary name: an interrupted start leaves no partial cluster. */
export async function makeCluster(
  paths: Paths,
  binaries: PostgresBinaries,
  user: PostgresUser | undefined,
): Promise<void> {
  const draft = join(paths.base, `cluster-${process.pid}`)
  const secret = join(paths.base, `password-${process.pid}`)
  try {
    await mkdir(draft, { mode: 0o700 })
    const password = await readPassword(paths, paths.superuserPassword)
    await writeFile(secret, `${password}\n`, { mode: 0o600 })
    if (user) {
      await chown(draft, user.uid, user.gid)
      await chown(secret, user.uid, user.gid)
    }
    const input = await open(secret, 'r')
    const folder = await open(draft, 'r')
    const [program, args] = asUser(user, join(binaries.binFolder, 'initdb'), [
      `--pgdata=${user ? INHERITED_FOLDER : draft}`,
      `--username=${SUPERUSER}`,
      '--pwfile=/dev/stdin',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--no-locale',
      '--data-checksums',
      '--no-instructions',
    ])
    const result = spawnSync(program, args, {
      cwd: '/',
      stdio: [input.fd, 'pipe', 'pipe', folder.fd],
      encoding: 'utf8',
      env: environment(),
    })
    await input.close()
    await folder.close()
    if (result.status !== 0) {
      const reason = (result.stderr || String(result.error ?? '')).trim().split('\n').at(-1)
      throw new StartError(`The database could not be made in ${dirname(paths.base)}: ${reason}`)
    }
    await rename(draft, paths.cluster)
  } catch (error) {
    // Another process was first; the lock decides who serves the cluster.
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return
    throw error instanceof StartError ? error : unreadable(dirname(paths.base), error)
  } finally {
    await rm(secret, { force: true })
    await rm(draft, { recursive: true, force: true })
  }
}

export async function readSecrets(paths: Paths): Promise<Secrets> {
  return {
    superuser: await readPassword(paths, paths.superuserPassword),
    owner: await readPassword(paths, paths.ownerPassword),
    runner: await readPassword(paths, paths.runnerPassword),
  }
}

async function readPassword(paths: Paths, file: string): Promise<string> {
  try {
    // `wx`: of two concurrent first starts one creates the file, and both read it.
    await writeFile(file, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unreadable(dirname(paths.base), error)
  }
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw unreadable(dirname(paths.base), error)
  })
}

export function urlsFrom(paths: Paths, secrets: Secrets, port?: string) {
  return {
    url: urlFrom(paths, RUNNING_ROLE, secrets.runner, OWNER_ROLE, port),
    ownerUrl: urlFrom(paths, OWNER_ROLE, secrets.owner, OWNER_ROLE, port),
    adminUrl: urlFrom(paths, SUPERUSER, secrets.superuser, SUPERUSER, port),
  }
}

function urlFrom(paths: Paths, role: string, password: string, database: string, port = '5432'): string {
  return `postgresql://${role}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(paths.socket)}`
}

/** Hides the program's environment, with its secrets, from the database server. */
export function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' }
}

function unreadable(dataDir: string, error: unknown): StartError {
  return new StartError(`The data folder ${dataDir} can't be used: ${(error as Error).message}`)
}
