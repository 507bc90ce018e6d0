import { randomBytes } from 'node:crypto'

/**
 * 144 random bits after the second of creation in base 36, which sorts alike in every collation. Tokens made
 * together share pages of their index.
 */
export function newSortedToken(): string {
  return Math.floor(Date.now() / 1000).toString(36) + randomBytes(18).toString('base64url')
}
