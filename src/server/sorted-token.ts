import { randomBytes } from 'node:crypto'

/**
 * A secret of 144 random bits, prefixed with the second of its creation in base 36, which sorts alike in
 * every collation. Tokens made together share pages of their index instead of being scattered.
 */
export function newSortedToken(): string {
  return Math.floor(Date.now() / 1000).toString(36) + randomBytes(18).toString('base64url')
}
