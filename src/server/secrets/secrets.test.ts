import { expect, test } from 'vitest'
import { hashToken, newToken, Secrets } from './secrets.ts'

const secrets = new Secrets({ secretKey: 'k'.repeat(32) })

test('what was encrypted is read back, and only with the same purpose, context and key', () => {
  const sealed = secrets.encrypt('totp', 'секрет', 'user:1')
  expect(secrets.decrypt('totp', sealed, 'user:1')).toBe('секрет')
  expect(() => secrets.decrypt('mail', sealed, 'user:1')).toThrow()
  expect(() => secrets.decrypt('totp', sealed, 'user:2')).toThrow()
  expect(() => new Secrets({ secretKey: 'x'.repeat(32) }).decrypt('totp', sealed, 'user:1')).toThrow()
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

test('a short SECRET_KEY is refused', () => {
  expect(() => new Secrets({ secretKey: 'short' })).toThrow(/SECRET_KEY/)
})

test('tokens are 256 bits and differ', () => {
  const token = newToken('bs_')
  expect(token).toMatch(/^bs_[\w-]{43}$/)
  expect(newToken('bs_')).not.toBe(token)
  expect(hashToken(token)).toHaveLength(32)
})
