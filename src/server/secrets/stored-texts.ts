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
 * From SQL: sealed in base64, or clear behind `clear:` if an older program wrote it. No string to the
 * compiler, so that it cannot be shown unopened.
 */
export type StoredText = { readonly [unopened]: true } | null

const CLEAR = 'clear:'

export const storedName = fragment`case when u.name <> '' then 'clear:' || u.name else encode(u.name_sealed, 'base64') end`
export const storedPhone = fragment`case when u.phone is not null then 'clear:' || u.phone else encode(u.phone_sealed, 'base64') end`

export const storedAccountKey = fragment`case when w.account_key is not null then 'clear:' || w.account_key else encode(w.account_key_sealed, 'base64') end`
// Rules: RIGHT-17
/** Input of approval request `p`; a sealed one takes precedence over a clear one. */
export const storedInput = fragment`coalesce(p.payload ->> 'sealed', 'clear:' || (p.payload ->> 'input'))`

export const storedRefundAddress = fragment`case when r.address is not null then 'clear:' || r.address else encode(r.address_sealed, 'base64') end`
export const storedRefundFile = fragment`case when f.content is not null then 'clear:' || f.content else encode(f.content_sealed, 'base64') end`

/** Undefined if sealed. */
export function clearText(value: string): string | undefined {
  return value.startsWith(CLEAR) ? value.slice(CLEAR.length) : undefined
}

// Rules: RIGHT-16
/** '' for a deleted account or an unknown key. */
export function openName(secrets: Secrets, row: { reference: string; name: StoredText }): string {
  return openOrLack(secrets, 'name', row.name, row.reference) ?? ''
}

/** Null if missing or under an unknown key. */
export function openPhone(secrets: Secrets, row: { reference: string; phone: StoredText }): string | null {
  return openOrLack(secrets, 'phone', row.phone, row.reference)
}

/** Null under an unknown key. */
export function openAccountKey(secrets: Secrets, row: { id: number; account_key: StoredText }) {
  return openOrLack(secrets, 'account-key', row.account_key, String(row.id))
}

export function sealAccountKey(secrets: Secrets, id: number, key: string): Buffer {
  assert(!key.includes('prv'), 'no private key is kept')
  return secrets.encrypt('account-key', key, String(id))
}

/** JSON; null under an unknown key. */
export function openInput(secrets: Secrets, row: { id: string; input: StoredText }) {
  return openOrLack(secrets, 'approval-request', row.input, row.id)
}

/** Null if missing or under an unknown key. */
export function openRefundAddress(secrets: Secrets, row: { id: string; address: StoredText }) {
  return openOrLack(secrets, 'refund-address', row.address, row.id)
}

export function sealRefundAddress(secrets: Secrets, id: string, address: string): Buffer {
  return secrets.encrypt('refund-address', address, id)
}

/** SQL compares sealed addresses by this mark. */
export function markRefundAddress(secrets: Secrets, network: Network, address: string): string {
  return secrets.mac(REFUND_MARK, refundMarkText(network, address)).toString('base64url')
}

// Rules: RIGHT-18
/** All forms under which a row may hold the address, for the SQL function `goes_to`. */
export function allOfRefundAddress(secrets: Secrets, network: Network, address: string): string {
  const marks = secrets.macs(REFUND_MARK, refundMarkText(network, address))
  return [addressKeyOf(network, address), ...marks.map((mark) => mark.toString('base64url'))].join(' ')
}

const REFUND_MARK = 'refund address'
const refundMarkText = (network: Network, address: string) => `${network} ${addressKeyOf(network, address)}`

/** Null under an unknown key. */
export function openRefundFile(secrets: Secrets, row: { id: string; content: StoredText }) {
  return openOrLack(secrets, 'refund-file', row.content, row.id)
}

/** For the buyer with this reference; null for a missing or empty field. */
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

/** Throws as `Secrets.decrypt`. */
function openText(secrets: Secrets, purpose: SealedPurpose, text: StoredText, context: string) {
  if (text === null) return null
  const value = text as unknown as string
  return clearText(value) ?? secrets.decrypt(purpose, Buffer.from(value, 'base64'), context)
}

/** Null for an unknown key: accounts, orders and money keep working after its loss. */
function openOrLack(secrets: Secrets, purpose: SealedPurpose, text: StoredText, context: string) {
  try {
    return openText(secrets, purpose, text, context)
  } catch (error) {
    if (error instanceof UnknownKeyError) return null
    throw error
  }
}

// Rules: REFUND-14
/** Seals a hash of a deleted account's mailbox. */
export function sealMailbox(secrets: Secrets, userId: string, emailKey: string) {
  const text = hash('sha256', emailKey)
  return { sealed: secrets.encrypt('mailbox', text, userId), mark: markMailbox(secrets, text) }
}

/** SQL compares mailbox hashes by this mark. */
export const markMailbox = (secrets: Secrets, text: string): string =>
  secrets.mac(MAILBOX_MARK, text).toString('base64url')

/** Under every known key. */
export const marksOfMailbox = (secrets: Secrets, emailKey: string): string[] =>
  secrets.macs(MAILBOX_MARK, hash('sha256', emailKey)).map((mark) => mark.toString('base64url'))

const MAILBOX_MARK = 'mailbox of a deleted account'
