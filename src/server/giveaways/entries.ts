import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { GiveawayReceipt, OwnGiveaway } from '../../shared/api/giveaways.ts'
import type { giveawayEntryInput } from '../../shared/api/giveaways-inputs.ts'
import type { ErrorCode } from '../../shared/error-codes.ts'
import { commitmentOf } from '../../shared/giveaway-draw.ts'
import { sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { readOnePublished, readPublished } from './giveaway-rows.ts'
import type { GiveawayParts } from './parts.ts'

export interface Entrant {
  readonly userId: string
  readonly reference: string
  readonly email: string
}

export async function enter(
  { db, secrets }: GiveawayParts,
  id: number,
  { userId, reference, email }: Entrant,
  { country, rulesSha256 }: z.output<typeof giveawayEntryInput>,
): Promise<GiveawayReceipt> {
  const giveaway = await readOnePublished(db, id)
  if (giveaway.rulesSha256 !== rulesSha256) refuse('giveaway_rules_other')
  const nonce = randomBytes(32).toString('hex')
  const commitment = commitmentOf(nonce, reference)
  const { mailbox } = await db.one<{ mailbox: string }>(
    sql`select mailbox_of(lower(btrim(${email}))) as mailbox`,
  )
  const marks = secrets.macs('giveaway_mailbox', `${id} ${mailbox}`)
  const { refusal } = await db.one<{ refusal: ErrorCode | null }>(
    sql`select enter_giveaway(${id}, ${userId}, ${marks}::bytea[], decode(${nonce}, 'hex'), decode(${commitment}, 'hex'), ${country})
               as refusal`,
  )
  if (refusal) refuse(refusal)
  const own = await readOwnOf({ db }, userId, id)
  return own.receipt ?? refuse('giveaway_unknown')
}

type Reading = Pick<GiveawayParts, 'db'>

interface EntryRow {
  readonly giveaway_id: string
  readonly entered_at: Date
  readonly reference: string
  readonly nonce: string
  readonly commitment: string
  readonly place: number | null
}

export async function readOwn({ db }: Reading, userId: string): Promise<OwnGiveaway[]> {
  const entries = await db.query<EntryRow>(
    sql`select e.giveaway_id, e.entered_at, u.reference, encode(e.nonce, 'hex') as nonce, encode(e.commitment, 'hex') as commitment, w.place
          from giveaway_entries e join users u on u.id = e.user_id
          left join giveaway_winners w on w.giveaway_id = e.giveaway_id and w.user_id = e.user_id
         where e.user_id = ${userId}`,
  )
  return (await readPublished(db)).map((giveaway) => {
    const entry = entries.find((row) => Number(row.giveaway_id) === giveaway.id)
    return {
      giveaway,
      receipt: entry
        ? {
            giveaway: giveaway.id,
            enteredAt: entry.entered_at.toISOString(),
            reference: entry.reference,
            nonce: entry.nonce,
            commitment: entry.commitment,
          }
        : null,
      win: giveaway.winners.find(({ place }) => place === entry?.place) ?? null,
    }
  })
}

async function readOwnOf(reading: Reading, userId: string, id: number): Promise<OwnGiveaway> {
  const own = (await readOwn(reading, userId)).find(({ giveaway }) => giveaway.id === id)
  return own ?? refuse('giveaway_unknown')
}

/** A repeat changes nothing. Throws giveaway_not_won, also after the deadline. */
export async function confirm({ db }: Reading, userId: string, id: number): Promise<OwnGiveaway> {
  const rows = await db.query(
    sql`update giveaway_winners set confirmed_at = coalesce(confirmed_at, clock_timestamp())
         where giveaway_id = ${id} and user_id = ${userId} and lapsed_at is null
           and (confirmed_at is not null or confirm_by >= clock_timestamp()) returning place`,
  )
  if (rows.length === 0) refuse('giveaway_not_won')
  return readOwnOf({ db }, userId, id)
}
