import { fragment } from '../database/sql.ts'
import { assert } from '../refusal.ts'
import type { SealedPurpose } from './sealed-places.ts'
import type { Secrets } from './secrets.ts'
import { UnknownKeyError } from './unknown-key.ts'

declare const unopened: unique symbol
/**
 * A text as SQL hands it out: sealed, in base64, or behind `clear:`, which no base64 holds, where an older program left it so. Null where
 * there is none. It is no string to the compiler, so that nobody shows it unopened.
 */
export type StoredText = { readonly [unopened]: true } | null

const CLEAR = 'clear:'

/** The name of the buyer `u`, for `openName`. */
export const storedName = fragment`case when u.name <> '' then 'clear:' || u.name else encode(u.name_sealed, 'base64') end`
/** The telephone of the buyer `u`, for `openPhone`. */
export const storedPhone = fragment`case when u.phone is not null then 'clear:' || u.phone else encode(u.phone_sealed, 'base64') end`

/** The account key of the wallet `w`, for `openAccountKey`. */
export const storedAccountKey = fragment`case when w.account_key is not null then 'clear:' || w.account_key else encode(w.account_key_sealed, 'base64') end`
/** The input of the pending action `p`, for `openInput`. */
export const storedInput = fragment`case when p.payload ? 'input' then 'clear:' || (p.payload ->> 'input') else p.payload ->> 'sealed' end`

/** The text behind `clear:`; undefined where the value is sealed. */
export function clearText(value: string): string | undefined {
  return value.startsWith(CLEAR) ? value.slice(CLEAR.length) : undefined
}

/** A buyer's name; empty once the account is deleted, and where no known key opens it. */
export function openName(secrets: Secrets, row: { reference: string; name: StoredText }): string {
  return openOrLack(secrets, 'name', row.name, row.reference) ?? ''
}

/** A buyer's telephone; null where there is none, and where no known key opens it. */
export function openPhone(secrets: Secrets, row: { reference: string; phone: StoredText }): string | null {
  return openOrLack(secrets, 'phone', row.phone, row.reference)
}

/** A wallet's account key; null where no known key opens it. */
export function openAccountKey(secrets: Secrets, row: { id: number; account_key: StoredText }) {
  return openOrLack(secrets, 'account-key', row.account_key, String(row.id))
}

/** An account key, sealed for the row of this id. */
export function sealAccountKey(secrets: Secrets, id: number, key: string): Buffer {
  assert(!key.includes('prv'), 'no private key is kept')
  return secrets.encrypt('account-key', key, String(id))
}

/** What waits for a second operator, as JSON; null where no known key opens it. */
export function openInput(secrets: Secrets, row: { id: string; input: StoredText }) {
  return openOrLack(secrets, 'pending-action', row.input, row.id)
}

/** What is given of a buyer, sealed for the row of this reference; null where it is missing or empty. */
export function sealPerson(
  secrets: Secrets,
  reference: string,
  { name, phone }: { name?: string | null | undefined; phone?: string | null | undefined },
): { name: Buffer | null; phone: Buffer | null } {
  return {
    name: name ? secrets.encrypt('name', name, reference) : null,
    phone: phone ? secrets.encrypt('phone', phone, reference) : null,
  }
}

/** Opens what was stored for one purpose and row; null where there is nothing. Throws as `Secrets.decrypt` does. */
function openText(secrets: Secrets, purpose: SealedPurpose, text: StoredText, context: string) {
  if (text === null) return null
  const value = text as unknown as string
  return clearText(value) ?? secrets.decrypt(purpose, Buffer.from(value, 'base64'), context)
}

/** Who lost the key still has accounts, orders and money to go on with: a name that is lost with it stops none of that. */
function openOrLack(secrets: Secrets, purpose: SealedPurpose, text: StoredText, context: string) {
  try {
    return openText(secrets, purpose, text, context)
  } catch (error) {
    if (error instanceof UnknownKeyError) return null
    throw error
  }
}
