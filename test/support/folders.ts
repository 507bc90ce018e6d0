import { mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '../../src/server/is-alive.ts'

const MEMORY = '/dev/shm'
/** About three times a run's needs. */
const FREE_BYTES_MIN = 3_000_000_000
const ABANDONED_AFTER_MS = 2 * 60 * 60 * 1000

/** Makes a folder in memory if there is room, else on disk. The caller removes it. */
export async function makeFolder(what: string): Promise<string> {
  return mkdtemp(join(await parentFolder(), `presale-test-${process.pid}-${what}-`))
}

export function makeDiskFolder(what: string): Promise<string> {
  return mkdtemp(join(tmpdir(), `presale-test-${process.pid}-${what}-`))
}

async function parentFolder(): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => undefined)
  if (!memory) return tmpdir()
  await removeAbandoned()
  const free = Math.min(memory.bavail * memory.bsize, process.availableMemory())
  return free >= FREE_BYTES_MIN ? MEMORY : tmpdir()
}

/** Removes folders of killed runs, which would use up memory. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(MEMORY)) {
    const pid = /^presale-test-(\d+)-/.exec(name)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    const path = join(MEMORY, name)
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    )
    if (age > ABANDONED_AFTER_MS) await rm(path, { recursive: true, force: true })
  }
}
