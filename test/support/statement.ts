import assert from 'node:assert/strict'
import type { Statement } from '../../src/server/database/database.ts'

/** Two statements under one name would silently run the first one's text on a connection that has prepared it. */
const textByName = new Map<string, string>()

/** A statement of a test, named apart from its use; the program writes its statements where it uses them (`sql`). */
export function statement(name: string, text: string): Statement {
  const known = textByName.get(name)
  assert(known === undefined || known === text, `two statements are named ${name}`)
  assert(Buffer.byteLength(name) <= 63, `PostgreSQL cuts names at 63 bytes: ${name}`)
  textByName.set(name, text)
  return { name, text }
}
