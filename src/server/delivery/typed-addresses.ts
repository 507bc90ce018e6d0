import type { ErrorCode } from '../../shared/error-codes.ts'
import { type Queryable, sql } from '../database/database.ts'
import type { Language } from '../mail/mail-kinds.ts'
import { refuse } from '../refusal.ts'
import { openName, type StoredText, storedName } from '../secrets/secrets.ts'
import { type BuyerActor, holdAccess } from '../unit-of-work/unit-of-work.ts'
import {
  type AddressParts,
  checkedAddress,
  type DeliveryChain,
  readChain,
  requireChain,
} from './address-rows.ts'

interface NewAddress {
  readonly address: string
  readonly proof: 'signature' | 'contract' | 'typed'
  readonly message: string | null
  readonly signature: string | null
  readonly lacksCode: boolean
}

interface Outcome {
  refusal: ErrorCode | null
  id: string
  counts_from: Date | null
}

interface Reader {
  email: string
  name: string
  language: Language
}

// Rules: DELIVER-2
export async function typeAddress(parts: AddressParts, actor: BuyerActor, given: string): Promise<void> {
  await parts.limits.take('delivery_address_account', actor.userId)
  const chain = await requireChain(parts)
  const address = checkedAddress(chain, given)
  const lacksCode = await parts.evm.standsOnlyElsewhere(chain.network, address)
  await parts.db.transaction((tx) =>
    nameAddress(parts, tx, actor, chain, {
      address,
      proof: 'typed',
      message: null,
      signature: null,
      lacksCode,
    }),
  )
}

/** Mails the link of a typed address, or the time from which a proved one counts. */
export async function nameAddress(
  parts: AddressParts,
  tx: Queryable,
  actor: BuyerActor,
  { network, chainId }: DeliveryChain,
  { lacksCode, ...proved }: NewAddress,
): Promise<void> {
  // Again, because a buyer's own contract can delay the nodes' answer.
  await holdAccess(tx, actor)
  const { userId } = actor
  const { address } = proved
  const row = JSON.stringify({ ...proved, network, chain_id: chainId, lacks_code: lacksCode })
  const outcome = await tx.one<Outcome>(
    sql`select refusal, id, counts_from
          from name_delivery_address(${userId}, jsonb_populate_record(null::delivery_addresses, ${row}::jsonb))`,
  )
  if (outcome.refusal) refuse(outcome.refusal)
  if (outcome.counts_from) return mailCounts(parts, tx, userId, address, outcome.counts_from)
  const { email, name, language } = await readReader(parts, tx, userId)
  const token = await parts.links.create(tx, 'delivery_address', { kind: 'user', id: userId }, email)
  const link = `${parts.publicUrl}/confirm-delivery#token=${token}`
  await parts.sendMail(tx, { kind: 'delivery_address_typed', to: email, language, name, address, link })
}

export async function confirmAddress(
  parts: AddressParts,
  token: string,
): Promise<{ address: string; countsFrom: string }> {
  return parts.db.transaction(async (tx) => {
    const { holder, email } = await parts.links.use(tx, 'delivery_address', token)
    const outcome = await tx.one<Outcome>(
      sql`select refusal, id, counts_from from confirm_delivery_address(${holder.id}, ${email})`,
    )
    if (outcome.refusal) refuse(outcome.refusal)
    const { address, counts_from: countsFrom } = await tx.one<{ address: string; counts_from: Date }>(
      sql`select address, counts_from from delivery_addresses where id = ${outcome.id}`,
    )
    await mailCounts(parts, tx, holder.id, address, countsFrom)
    return { address, countsFrom: countsFrom.toISOString() }
  })
}

/** Mailed, because a thief may prefer the previous address. */
export async function withdrawChange(parts: AddressParts, actor: BuyerActor): Promise<void> {
  const chain = await readChain(parts)
  const { userId } = actor
  await parts.db.transaction(async (tx) => {
    await holdAccess(tx, actor)
    const { any } = await tx.one<{ any: boolean }>(sql`select withdraw_delivery_change(${userId}) as any`)
    await parts.links.revoke(tx, { kind: 'user', id: userId }, ['delivery_address'])
    if (!any) return
    const { address } = await tx.one<{ address: string | null }>(
      sql`select (select address from delivery_addresses
                   where id = delivery_address_at(${userId}, ${chain?.chainId ?? null}, clock_timestamp())) as address`,
    )
    const { email, name, language } = await readReader(parts, tx, userId)
    await parts.sendMail(tx, { kind: 'delivery_change_withdrawn', to: email, language, name, address })
  })
}

async function mailCounts(
  parts: AddressParts,
  tx: Queryable,
  userId: string,
  address: string,
  countsFrom: Date,
): Promise<void> {
  const { email, name, language } = await readReader(parts, tx, userId)
  const mail = { to: email, language, name, address, countsFrom: countsFrom.toISOString() }
  await parts.sendMail(tx, { kind: 'delivery_address_named', ...mail })
}

async function readReader({ secrets }: AddressParts, tx: Queryable, userId: string): Promise<Reader> {
  const { reference, name, ...row } = await tx.one<
    Omit<Reader, 'name'> & { reference: string; name: StoredText }
  >(sql`select u.reference, u.email, ${storedName} as name, u.language from users u where u.id = ${userId}`)
  return { ...row, name: openName(secrets, { reference, name }) }
}
