import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Statement } from '../../src/server/database/database.ts'

/**
 * A statement of a test, named apart from its use; the program writes its statements where it uses them (`sql`). A piece of the text's
 * hash ends the name: under one name a connection would silently run the text that it prepared first.
 */
export function statement(name: string, text: string): Statement {
  const unique = `${name}_${createHash('sha256').update(text).digest('hex').slice(0, 8)}`
  assert(Buffer.byteLength(unique) <= 63, `PostgreSQL cuts names at 63 bytes: ${unique}`)
  return { name: unique, text }
}
