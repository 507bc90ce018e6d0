import { hash } from 'node:crypto'
import { addressKeyOf } from '../../shared/addresses.ts'
import type { Network } from '../../shared/networks.ts'
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
// Rules: RIGHT-17
/** The input of the pending action `p`, for `openInput`. Nobody writes a clear one beside a sealed one: the sealed one is what was asked. */
export const storedInput = fragment`coalesce(p.payload ->> 'sealed', 'clear:' || (p.payload ->> 'input'))`

/** The address of the refund `r`, for `openRefundAddress`. */
export const storedRefundAddress = fragment`case when r.address is not null then 'clear:' || r.address else encode(r.address_sealed, 'base64') end`
/** The content of the file of refunds `f`, for `openRefundFile`. */
export const storedRefundFile = fragment`case when f.content is not null then 'clear:' || f.content else encode(f.content_sealed, 'base64') end`

/** The text behind `clear:`; undefined where the value is sealed. */
export function clearText(value: string): string | undefined {
  return value.startsWith(CLEAR) ? value.slice(CLEAR.length) : undefined
}

// Rules: RIGHT-16
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

/** A request for a second operator, as JSON; null where no known key opens it. */
export function openInput(secrets: Secrets, row: { id: string; input: StoredText }) {
  return openOrLack(secrets, 'approval-request', row.input, row.id)
}

/** The address that a refund goes to; null where none is named, and where no known key opens it. */
export function openRefundAddress(secrets: Secrets, row: { id: string; address: StoredText }) {
  return openOrLack(secrets, 'refund-address', row.address, row.id)
}

/** A refund's address, sealed for the row of this id. */
export function sealRefundAddress(secrets: Secrets, id: string, address: string): Buffer {
  return secrets.encrypt('refund-address', address, id)
}

/** By what SQL compares a refund's address once it is sealed. */
export function markRefundAddress(secrets: Secrets, network: Network, address: string): string {
  return secrets.mac(REFUND_MARK, refundMarkText(network, address)).toString('base64url')
}

// Rules: RIGHT-18
/** A refund's address as the function `goes_to` wants it: all that a row may hold of it. */
export function allOfRefundAddress(secrets: Secrets, network: Network, address: string): string {
  const marks = secrets.macs(REFUND_MARK, refundMarkText(network, address))
  return [addressKeyOf(network, address), ...marks.map((mark) => mark.toString('base64url'))].join(' ')
}

const REFUND_MARK = 'refund address'
const refundMarkText = (network: Network, address: string) => `${network} ${addressKeyOf(network, address)}`

/** A file of refunds; null where no known key opens it. */
export function openRefundFile(secrets: Secrets, row: { id: string; content: StoredText }) {
  return openOrLack(secrets, 'refund-file', row.content, row.id)
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

// Rules: REFUND-14
/** The hash of the mailbox that a deleted account had, sealed for the row of this id, and its mark. */
export function sealMailbox(secrets: Secrets, userId: string, emailKey: string) {
  const text = hash('sha256', emailKey)
  return { sealed: secrets.encrypt('mailbox', text, userId), mark: markMailbox(secrets, text) }
}

/** By what SQL compares the hash of a mailbox. */
export const markMailbox = (secrets: Secrets, text: string): string =>
  secrets.mac(MAILBOX_MARK, text).toString('base64url')

/** All marks that the accounts of a mailbox may have. */
export const marksOfMailbox = (secrets: Secrets, emailKey: string): string[] =>
  secrets.macs(MAILBOX_MARK, hash('sha256', emailKey)).map((mark) => mark.toString('base64url'))

const MAILBOX_MARK = 'mailbox of a deleted account'
