import { randomBytes } from 'node:crypto'

/**
 * A secret of 144 random bits behind the second in which it was made, in digits and small letters, which every collation puts in their order.
 * So what is made together lies together in the index of its tokens; by chance alone, each would lie on a page of its own.
 */
export function newSortedToken(): string {
  return Math.floor(Date.now() / 1000).toString(36) + randomBytes(18).toString('base64url')
}
