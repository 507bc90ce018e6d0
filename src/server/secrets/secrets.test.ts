import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { readConfig } from '../config.ts'
import { followSecretKeys, KEYS_FRESH_MS, writeKeyFile } from './secret-keys.ts'
import { hashToken, newToken, Secrets, UnknownKeyError } from './secrets.ts'

const secrets = new Secrets({ keys: ['k'.repeat(32)] })

test('what was encrypted is read back, and only with the same purpose, context and key', () => {
  const sealed = secrets.encrypt('totp', 'секрет', 'user:1')
  expect(secrets.decrypt('totp', sealed, 'user:1')).toBe('секрет')
  expect(() => secrets.decrypt('mail', sealed, 'user:1')).toThrow()
  expect(() => secrets.decrypt('totp', sealed, 'user:2')).toThrow()
  expect(() => new Secrets({ keys: ['x'.repeat(32)] }).decrypt('totp', sealed, 'user:1')).toThrow(
    UnknownKeyError,
  )
})

test('a changed byte anywhere is refused', () => {
  const sealed = secrets.encrypt('totp', 'secret')
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => secrets.decrypt('totp', changed)).toThrow()
  }
  expect(() => secrets.decrypt('totp', sealed.subarray(0, 10))).toThrow()
})

test('the same text is never encrypted to the same bytes', () => {
  expect(secrets.encrypt('totp', 'a').equals(secrets.encrypt('totp', 'a'))).toBe(false)
})

test('what was sealed before values named their key is opened by any known key', () => {
  const sealed = Buffer.from('AfvfidNxh7kyYbd9KiyN7rWwB+qPjwHiXKGWllXS2L/NvsuOuDDNeFw=', 'base64')
  const rotated = new Secrets({ keys: ['n'.repeat(32), 'k'.repeat(32)] })
  expect(rotated.decrypt('totp', sealed, 'user:1')).toBe('секрет')
  expect(() => new Secrets({ keys: ['n'.repeat(32)] }).decrypt('totp', sealed, 'user:1')).toThrow(
    UnknownKeyError,
  )
})

test('all known keys open, the first one seals, and marks are known under each', () => {
  const before = secrets.encrypt('totp', 'secret', 'user:1')
  const rotated = new Secrets({ keys: ['n'.repeat(32), 'k'.repeat(32)] })
  expect(rotated.decrypt('totp', before, 'user:1')).toBe('secret')
  const after = rotated.encrypt('totp', 'secret', 'user:1')
  expect(after.toString('base64').slice(0, 8)).toBe(rotated.heads()[0])
  expect(before.toString('base64').slice(0, 8)).toBe(rotated.heads()[1])
  expect(() => secrets.decrypt('totp', after, 'user:1')).toThrow(UnknownKeyError)
  expect(rotated.macs('limits', 'x')[1]).toEqual(secrets.mac('limits', 'x'))
})

test('a running program takes on what the key file says now, and never sees half of it [RIGHT-15]', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const config = readConfig({ DATA_DIR: mkdtempSync(join(tmpdir(), 'presale-keys-')) })
    if (config.secretKey.kind !== 'file') throw new Error('a key file')
    const { path } = config.secretKey
    const keys = followSecretKeys(config)
    const running = new Secrets({ keys })
    const old = running.encrypt('totp', 'secret')
    const first = readFileSync(path, 'utf8')
    writeKeyFile(path, ['n'.repeat(40), first])
    expect(statSync(path).mode & 0o077).toBe(0)
    expect(keys()).toEqual([first])
    vi.advanceTimersByTime(KEYS_FRESH_MS)
    expect(keys()).toEqual(['n'.repeat(40), first])
    expect(running.decrypt('totp', old)).toBe('secret')
    expect(running.encrypt('totp', 'x').toString('base64').slice(0, 8)).toBe(
      new Secrets({ keys: ['n'.repeat(40)] }).heads()[0],
    )
  } finally {
    vi.useRealTimers()
  }
})

test('a short SECRET_KEY is refused', () => {
  expect(() => new Secrets({ keys: ['short'] })).toThrow(/SECRET_KEY/)
})

test('tokens are 256 bits and differ', () => {
  const token = newToken('bs_')
  expect(token).toMatch(/^bs_[\w-]{43}$/)
  expect(newToken('bs_')).not.toBe(token)
  expect(hashToken(token)).toHaveLength(32)
})
