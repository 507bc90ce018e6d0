import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Statement } from '../../src/server/database/database.ts'

/** A connection would silently run another text prepared under the same name. */
export function statement(name: string, text: string): Statement {
  const unique = `${name}_${createHash('sha256').update(text).digest('hex').slice(0, 8)}`
  assert(Buffer.byteLength(unique) <= 63, `PostgreSQL cuts names at 63 bytes: ${unique}`)
  return { name: unique, text }
}
