import { type PublishedRules, prizeOf } from '../../shared/api/giveaways.ts'
import { isSignatureOfRound, randomnessOf } from '../../shared/giveaway-beacon.ts'
import { drawFrom, type GiveawayFile, rootOf, winnersOf } from '../../shared/giveaway-draw.ts'
import { pickText } from '../../shared/languages.ts'
import { type Database, sql } from '../database/database.ts'
import type { Language } from '../mail/mail-kinds.ts'
import { refuse } from '../refusal.ts'
import { openName, type StoredText, storedName } from '../secrets/secrets.ts'
import type { GiveawayParts } from './parts.ts'

// Rules: GIVE-3
/**
 * Idempotent, also concurrently. A failure does not delay other giveaways: a list that is fixed late is never
 * drawn.
 */
export async function runGiveaways(parts: GiveawayParts): Promise<void> {
  const { db } = parts
  const due = await db.query<{ id: number; step: 'fix' | 'draw' | 'tell' }>(
    sql`select g.id::int, case when l.giveaway_id is null then 'fix' when d.giveaway_id is null then 'draw' else 'tell' end as step
          from giveaways g
          left join giveaway_lists l on l.giveaway_id = g.id
          left join giveaway_draws d on d.giveaway_id = g.id
         where g.closes_at <= clock_timestamp()
           and case when l.giveaway_id is null then g.draw_at > clock_timestamp()
                    when d.giveaway_id is null then g.draw_at <= clock_timestamp() else true end
         order by l.giveaway_id is null desc, g.id`,
  )
  const faults: unknown[] = []
  for (const { id, step } of due)
    await doStep(parts, id, step).catch((error: unknown) => {
      faults.push(error)
    })
  if (faults.length > 1) throw new AggregateError(faults, 'several giveaways wait for what failed')
  if (faults.length > 0) throw faults[0]
}

async function doStep(parts: GiveawayParts, id: number, step: 'fix' | 'draw' | 'tell'): Promise<void> {
  if (step === 'fix') {
    await refuseKnownValue(parts, id)
    return fixList(parts.db, id)
  }
  if (step === 'draw') await draw(parts, id)
  await tellWinners(parts, id)
}

/**
 * Throws if the random value is already public: with a slow clock the list would be fixed too late, and the
 * draw prove nothing. If no server answers, the own clock decides.
 */
async function refuseKnownValue({ db, fetchSignature }: GiveawayParts, id: number): Promise<void> {
  const { rules } = await db.one<{ rules: PublishedRules }>(sql`select rules from giveaways where id = ${id}`)
  const { beacon, round } = rules
  const signature = await fetchSignature(round).catch(() => null)
  if (signature !== null && isSignatureOfRound(beacon, round, signature))
    throw new Error(
      `round ${round} is known, and by the clock here it is not due yet: no list is fixed any more`,
    )
}

/** Publishes the entries' commitments once the giveaway is closed, before the random value is known. */
async function fixList(db: Database, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    // An entry locks the row, so it is in the list; none follows.
    const due = await tx.maybeOne(
      sql`select id from giveaways where id = ${id} and closes_at <= clock_timestamp() for update`,
    )
    if (!due) return
    const { commitments } = await tx.one<{ commitments: string[] }>(
      sql`select coalesce(array_agg(encode(commitment, 'hex') order by commitment), '{}') as commitments
            from giveaway_entries where giveaway_id = ${id}`,
    )
    await tx.query(
      sql`insert into giveaway_lists (giveaway_id, fixed_at, commitments, root)
          select id, clock_timestamp(), ${commitments}, ${rootOf(commitments)} from giveaways
           where id = ${id} and draw_at > clock_timestamp() on conflict do nothing`,
    )
  })
}

async function draw({ db, fetchSignature }: GiveawayParts, id: number): Promise<void> {
  const { rules, commitments, root } = await db.one<{
    rules: PublishedRules
    commitments: string[]
    root: string
  }>(
    sql`select g.rules, l.commitments, l.root from giveaways g join giveaway_lists l on l.giveaway_id = g.id where g.id = ${id}`,
  )
  const signature = await fetchSignature(rules.round)
  if (signature === null) return
  if (!isSignatureOfRound(rules.beacon, rules.round, signature))
    throw new Error(`what was answered of round ${rules.round} is not signed by the network`)
  const count = winnersOf(rules) + rules.alternates
  const drawn = drawFrom(commitments, root, randomnessOf(signature), count)
  await db.query(
    sql`insert into giveaway_draws (giveaway_id, signature, commitments) values (${id}, ${signature.toLowerCase()}, ${drawn})
        on conflict do nothing`,
  )
}

interface ToldRow {
  readonly id: string
  readonly prize: number
  readonly confirm_by: Date
  readonly rules: PublishedRules
  readonly reference: string
  readonly email: string
  readonly name: StoredText
  readonly language: Language
  readonly is_demo: boolean
}

/** Also lets winners lapse. */
async function tellWinners({ db, secrets, publicUrl, sendMail }: GiveawayParts, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = await tx.query<ToldRow>(
      sql`select u.id, w.prize, w.confirm_by, g.rules, u.reference, u.email, ${storedName} as name, u.language, u.is_demo
            from tell_winners(${id}) w join giveaways g on g.id = w.giveaway_id join users u on u.id = w.user_id`,
    )
    for (const { prize, confirm_by: confirmBy, rules, email, language, is_demo: isDemo, ...row } of rows)
      if (!isDemo)
        await sendMail(tx, {
          kind: 'giveaway_won',
          to: email,
          language,
          name: openName(secrets, row),
          prize: pickText((prizeOf(rules, prize) ?? refuse('giveaway_unknown')).name, language).text,
          sponsor: rules.sponsor,
          confirmBy: confirmBy.toISOString(),
          link: `${publicUrl}/dashboard/giveaway`,
        })
  })
}

/** docs/giveaway.md. */
export async function readFile(db: Database, id: number): Promise<GiveawayFile> {
  const row = await db.maybeOne<{ file: GiveawayFile }>(
    sql`select jsonb_build_object(
          'v', 1, 'giveaway', g.id, 'rules', g.rules, 'rulesSha256', g.sha256,
          'fixed', case when l.giveaway_id is not null then jsonb_build_object(
            'at', to_char(l.fixed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'commitments', l.commitments, 'root', l.root) end,
          'drawn', case when d.giveaway_id is not null then jsonb_build_object(
            'signature', d.signature, 'commitments', d.commitments) end) as file
          from giveaways g
          left join giveaway_lists l on l.giveaway_id = g.id
          left join giveaway_draws d on d.giveaway_id = g.id
         where g.id = ${id} and g.published_at is not null`,
  )
  return row?.file ?? refuse('giveaway_unknown')
}
