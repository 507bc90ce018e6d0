import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { isYoungerThan } from '../clock.ts'
import type { Config } from '../config.ts'
import { StartError } from '../start-error.ts'

/** Within this time a running program notices changed keys. */
export const KEYS_FRESH_MS = 1_000
const LENGTH_MIN = 32

/**
 * The first key seals, the others (`SECRET_KEY_ALSO`, further lines of the file) only open. The first call
 * creates the key file.
 */
export function readSecretKeys({ dataDir, secretKey }: Config): readonly string[] {
  if (secretKey.kind === 'given') return [...new Set([secretKey.value, ...secretKey.also])]
  try {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(secretKey.path, newSecretKey(), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new StartError(`The data folder ${dataDir} can't be used: ${(error as Error).message}`)
    }
  }
  return [...new Set([...readKeyFile(secretKey.path), ...secretKey.also])]
}

// Rules: RIGHT-15
/** Checks the file once a second; returns a new array only if the keys changed. */
export function followSecretKeys(config: Config): () => readonly string[] {
  let keys = readSecretKeys(config)
  const { secretKey } = config
  if (secretKey.kind === 'given') return () => keys
  let changedAt = changeOf(secretKey.path)
  let lookedAt = Date.now()
  return () => {
    if (isYoungerThan(KEYS_FRESH_MS, lookedAt)) return keys
    lookedAt = Date.now()
    const now = changeOf(secretKey.path)
    if (now === undefined || now === changedAt) return keys
    keys = readSecretKeys(config)
    changedAt = now
    return keys
  }
}

export function newSecretKey(): string {
  return randomBytes(32).toString('base64url')
}

/** Replaces the file atomically. */
export function writeKeyFile(path: string, keys: readonly string[]): void {
  const draft = `${path}.${process.pid}.partial`
  writeFileSync(draft, `${keys.join('\n')}\n`, { mode: 0o600 })
  renameSync(draft, path)
}

function readKeyFile(path: string): string[] {
  let keys: string[]
  try {
    keys = readFileSync(path, 'utf8').trim().split(/\s+/)
  } catch (error) {
    throw new StartError(`${path} can't be read: ${(error as Error).message}`)
  }
  if (keys.every((key) => key.length >= LENGTH_MIN)) return keys
  throw new StartError(`${path} is damaged: put the key back, at least ${LENGTH_MIN} characters`)
}

/** Undefined for an unreadable file; the known keys stay. */
function changeOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat && `${stat.ino} ${stat.mtimeMs}`
}
