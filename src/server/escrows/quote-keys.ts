import type { Address, Hex, PrivateKeyAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Queryable, sql } from '../database/database.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'

interface KeyRow {
  id: number
  address: Address
  key_encrypted: Buffer
}

/** Null before the first key. */
export async function readQuoteKey(tx: Queryable): Promise<Address | null> {
  return (await newestKey(tx))?.address ?? null
}

export async function openQuoteKey(tx: Queryable, secrets: Secrets): Promise<PrivateKeyAccount | null> {
  const row = await newestKey(tx)
  return (
    row &&
    privateKeyToAccount(secrets.decrypt('quote-key', row.key_encrypted, String(row.id)).toString() as Hex)
  )
}

// Rules: DELIVER-18
export async function ensureQuoteKey(unit: UnitOfWork, secrets: Secrets): Promise<Address> {
  await unit.query(sql`lock table quote_keys in share row exclusive mode`)
  return (await readQuoteKey(unit)) ?? makeQuoteKey(unit, secrets)
}

export async function makeQuoteKey(unit: UnitOfWork, secrets: Secrets): Promise<Address> {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  const { id } = await unit.one<{ id: number }>(
    sql`select nextval(pg_get_serial_sequence('quote_keys', 'id'))::integer as id`,
  )
  await unit.query(
    sql`insert into quote_keys (id, address, key_encrypted, made_by) overriding system value
        values (${id}, ${address}, ${secrets.encrypt('quote-key', key, String(id))}, ${unit.actor.operatorId})`,
  )
  await unit.audit('escrow.key', { type: 'escrow', id: '' }, { after: { address } })
  return address
}

async function newestKey(tx: Queryable): Promise<KeyRow | null> {
  const row = await tx.maybeOne<KeyRow>(
    sql`select id, address, key_encrypted from quote_keys order by id desc limit 1`,
  )
  return row ?? null
}
