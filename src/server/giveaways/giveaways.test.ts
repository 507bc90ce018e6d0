import { beforeEach, describe, expect, test } from 'vitest'
import { buyerActor, executorOf } from '../../../test/support/actions.ts'
import { addBuyer, addOperator } from '../../../test/support/campaign.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import {
  ownBeacon as beacon,
  giveawayDraft,
  untilDrawn as giveawayUntilDrawn,
  inHours,
  moveTo as moveGiveaway,
  signatureInTime,
  signatureOf,
} from '../../../test/support/giveaways.ts'
import { refusalsOf, refused } from '../../../test/support/outcomes.ts'
import { peopleOf } from '../../../test/support/people.ts'
import { race, raceOf } from '../../../test/support/race.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import type { GiveawayDraft } from '../../shared/api/giveaways.ts'
import { giveawayInput } from '../../shared/api/giveaways-inputs.ts'
import { checkDraw, commitmentOf, hashOfRules } from '../../shared/giveaway-draw.ts'
import { sql } from '../database/database.ts'
import type { Mail } from '../mail/mail-kinds.ts'
import { Giveaways } from './giveaways.ts'

const { db } = await createTestDatabase({ holds: 'demo' })
const mails: Mail[] = []
/** The beacon's answer; null before its time. */
let answer: (round: number) => string | null
const giveaways = new Giveaways({
  db,
  secrets: testSecrets,
  beacon,
  fetchSignature: async (round) => answer(round),
  publicUrl: 'https://example.org',
  sendMail: async (_tx, mail) => void mails.push(mail),
})
const owner = await addOperator(db, 'owner')
const execute = executorOf(db, giveaways.actions, owner)

const both = (text: string) => ({ en: text, ru: `${text} по-русски` })
const draft = giveawayDraft()

beforeEach(async () => {
  mails.length = 0
  answer = signatureInTime
  // Ends earlier tests' giveaways, so that another may be published.
  const items = await giveaways.published()
  for (const { id, state } of items)
    if (state === 'open' || state === 'announced') await moveTo(id, { opensAt: -99, closesAt: -90 })
})

/** Publishes a giveaway; its times are hours from now. */
async function published(change: Partial<GiveawayDraft> = {}): Promise<number> {
  const { id, revision } = await execute('giveaway.add', { ...draft, ...change })
  await execute('giveaway.publish', { id, revision })
  return id
}

const moveTo = (id: number, hours: Parameters<typeof moveGiveaway>[2]) => moveGiveaway(db, id, hours)
const untilDrawn = (id: number) => giveawayUntilDrawn(db, giveaways, id)

async function entrant(email?: string) {
  const userId = await addBuyer(db)
  await db.query(sql`update users set confirmed_at = now() where id = ${userId}`)
  if (email) await db.query(sql`update users set email = ${email}, email_key = ${email} where id = ${userId}`)
  const row = await db.one<{ reference: string; email: string }>(
    sql`select reference, email from users where id = ${userId}`,
  )
  return { userId, ...row }
}
type Person = Awaited<ReturnType<typeof entrant>>

async function enter(id: number, person: Person, change: { country?: string; rulesSha256?: string } = {}) {
  const rulesSha256 = (await giveaways.file(id)).rulesSha256
  return giveaways.enter(id, person, { country: 'DE', ageConfirmed: true, rulesSha256, ...change })
}

const shown = async (id: number) => {
  const found = (await giveaways.published()).find((giveaway) => giveaway.id === id)
  if (!found) throw new Error('not published')
  return found
}

describe('a giveaway', () => {
  test('goes from its rules to a prize that was handed over, and anybody computes its draw again', async () => {
    const id = await published()
    const people = [await entrant(), await entrant(), await entrant(), await entrant()]
    for (const person of people) {
      const { nonce, reference, commitment } = await enter(id, person)
      expect(commitmentOf(nonce, reference)).toBe(commitment)
    }
    expect(await shown(id)).toMatchObject({ state: 'open', entries: 4, entriesOfBuyers: 0 })
    await giveaways.run()
    expect((await giveaways.file(id)).fixed).toBeNull()

    await untilDrawn(id)
    expect(await shown(id)).toMatchObject({ state: 'fixed', winners: [], overdue: [] })
    await giveaways.run()
    const file = await giveaways.file(id)
    expect(checkDraw(file)).toMatchObject({ faults: [], drawn: file.drawn?.commitments })
    expect(file.drawn?.commitments).toHaveLength(3)
    expect(mails).toMatchObject([{ kind: 'giveaway_won', prize: 'A red bicycle', sponsor: 'Example Ltd' }])

    const winner = people.find(({ email }) => email === mails[0]?.to)
    expect(winner).toBeDefined()
    const loser = people.find(({ email }) => email !== mails[0]?.to)
    await expect(giveaways.confirm(id, loser?.userId ?? '')).rejects.toEqual(refused('giveaway_not_won'))
    const hand = { id, place: 1, evidence: 'Given to the carrier, with its receipt.' }
    await expect(execute('giveaway.hand-over', hand)).rejects.toEqual(refused('giveaway_not_confirmed'))
    await giveaways.confirm(id, winner?.userId ?? '')
    await execute('giveaway.hand-over', hand)
    await expect(execute('giveaway.hand-over', hand)).rejects.toEqual(refused('giveaway_not_confirmed'))
    const [handed] = (await shown(id)).winners
    expect(handed).toMatchObject({ state: 'handed_over', place: 1, prize: 1, evidence: hand.evidence })
    expect(handed?.shownAs).toMatch(/^.•••@e•••\.org$/)
    await giveaways.run()
    expect(mails).toHaveLength(1)
  })

  test('gives a prize that nobody confirms to the alternates in order, and then to nobody [GIVE-5]', async () => {
    const id = await published({ alternates: 1 })
    for (const person of [await entrant(), await entrant(), await entrant()]) await enter(id, person)
    await untilDrawn(id)
    await giveaways.run()
    const late = sql`update giveaway_winners set confirm_by = now() - interval '1 minute' where giveaway_id = ${id} and lapsed_at is null`
    await db.query(late)
    const { user_id: userId } = await db.one<{ user_id: string }>(
      sql`select user_id from giveaway_winners where giveaway_id = ${id}`,
    )
    await expect(giveaways.confirm(id, userId)).rejects.toEqual(refused('giveaway_not_won'))
    await giveaways.run()
    expect((await shown(id)).winners).toMatchObject([
      { state: 'lapsed' },
      { state: 'told', place: 2, prize: 1 },
    ])
    await db.query(late)
    await giveaways.run()
    expect((await shown(id)).winners).toMatchObject([{ state: 'lapsed' }, { state: 'lapsed' }])
    expect((await shown(id)).prizesWithoutWinner).toEqual([1])
    expect(mails).toHaveLength(2)
  })

  test('is said to have failed, for ever, where its list was not fixed before the value was known, however many come after it [GIVE-3]', async () => {
    const id = await published()
    await enter(id, await entrant())
    await moveTo(id, { opensAt: -9, closesAt: -5 })
    await giveaways.run()
    expect(await shown(id)).toMatchObject({ state: 'failed', list: null, drawnAt: null, overdue: ['draw'] })
    expect(checkDraw(await giveaways.file(id)).faults).toEqual(['not_fixed'])
    // Another one can't be hidden behind many that nobody reads.
    await db.query(
      sql`insert into giveaways (rules, published_at, sha256, opens_at, closes_at, draw_at)
          select rules, published_at + interval '1 second', sha256, opens_at, closes_at, draw_at
            from giveaways cross join generate_series(1, 120) where id = ${id}`,
    )
    expect(await shown(id)).toMatchObject({ state: 'failed', overdue: ['draw'] })
  })

  test('is not drawn by what the network did not sign, and is late in public [GIVE-3]', async () => {
    const id = await published()
    await enter(id, await entrant())
    await untilDrawn(id)
    answer = (round) => signatureOf(round + 1)
    await expect(giveaways.run()).rejects.toThrow('not signed by the network')
    answer = () => null
    await giveaways.run()
    expect(await shown(id)).toMatchObject({ state: 'fixed', drawnAt: null })
  })
})

describe('several giveaways', () => {
  test('go on by themselves: one whose value nobody answers keeps no other from its list in time [GIVE-3]', async () => {
    const stuck = await published()
    await enter(stuck, await entrant())
    await untilDrawn(stuck)
    const next = await published()
    await enter(next, await entrant())
    await moveTo(next, { opensAt: -5, closesAt: -1 })
    answer = () => {
      throw new Error('no server of the beacon answered')
    }
    await expect(giveaways.run()).rejects.toThrow('no server of the beacon answered')
    expect(await shown(next)).toMatchObject({ state: 'fixed' })
    answer = signatureInTime
    await giveaways.run()
    expect(await shown(stuck)).toMatchObject({ state: 'drawn' })
  })
})

describe('an entry', () => {
  test('is one for each mailbox, by people with a confirmed address, from the countries of the rules [GIVE-2]', async () => {
    const id = await published()
    const ann = await entrant('ann.lee@gmail.com')
    await enter(id, ann)
    await expect(enter(id, ann)).rejects.toEqual(refused('giveaway_entered'))
    for (const alias of ['annlee@gmail.com', 'ann.lee+prize@googlemail.com'])
      await expect(enter(id, await entrant(alias))).rejects.toEqual(refused('giveaway_entered'))
    await expect(enter(id, await entrant(), { country: 'GB' })).rejects.toEqual(refused('giveaway_country'))
    const other = { rulesSha256: '0'.repeat(64) }
    await expect(enter(id, await entrant(), other)).rejects.toEqual(refused('giveaway_rules_other'))
    const unproven = await entrant()
    await db.query(sql`update users set confirmed_at = null where id = ${unproven.userId}`)
    await expect(enter(id, unproven)).rejects.toEqual(refused('giveaway_unconfirmed'))
    expect((await shown(id)).entries).toBe(1)
  })

  test('is none before the opening and from closing on', async () => {
    const id = await published({ opensAt: inHours(1) })
    await expect(enter(id, await entrant())).rejects.toEqual(refused('giveaway_not_open'))
    await moveTo(id, { opensAt: -2, closesAt: 0 })
    await expect(enter(id, await entrant())).rejects.toEqual(refused('giveaway_not_open'))
  })

  test('stands once, however often it is asked for at once [GIVE-2]', async () => {
    const id = await published()
    const person = await entrant()
    const outcomes = await raceOf(db, 5, () => enter(id, person))
    expect(refusalsOf(outcomes)).toEqual(Array(4).fill('giveaway_entered'))
  })

  test('made in the last instant is in the list, or refused [GIVE-2]', async () => {
    const id = await published()
    const people = await Promise.all(Array.from({ length: 6 }, () => entrant()))
    await moveTo(id, { opensAt: -2, closesAt: 0.2 / 3600 })
    const rulesSha256 = (await giveaways.file(id)).rulesSha256
    const outcomes = await race<unknown>(db, [
      ...people.map((person, index) => async () => {
        await new Promise((resolve) => setTimeout(resolve, index * 60))
        return giveaways.enter(id, person, { country: 'DE', ageConfirmed: true, rulesSha256 })
      }),
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 220))
        await giveaways.run()
      },
    ])
    await giveaways.run()
    const entered = outcomes.slice(0, 6).filter(({ status }) => status === 'fulfilled').length
    expect(refusalsOf(outcomes)).toEqual(Array(6 - entered).fill('giveaway_not_open'))
    expect((await giveaways.file(id)).fixed?.commitments).toHaveLength(entered)
  })

  test('goes with the account before closing; after it the prize goes to an alternate [GIVE-5]', async () => {
    const id = await published()
    const { accounts } = peopleOf(db)
    const remove = async (userId: string) => {
      await accounts.deleteAccount(buyerActor(userId), { proof: { isPasswordRight: true } })
      await db.query(sql`update users set deletion_due_at = now() where id = ${userId}`)
      await db.query(sql`update one_time_links set expires_at = now() where user_id = ${userId}`)
      await accounts.deleteDueAccounts()
    }
    const leaving = await entrant()
    await enter(id, leaving)
    await remove(leaving.userId)
    expect((await shown(id)).entries).toBe(0)

    const pair = [await entrant(), await entrant()]
    for (const person of pair) await enter(id, person)
    await untilDrawn(id)
    await giveaways.run()
    const winner = pair.find(({ email }) => email === mails[0]?.to)
    await remove(winner?.userId ?? '')
    await giveaways.run()
    expect((await shown(id)).winners).toMatchObject([{ state: 'lapsed' }, { state: 'told', place: 2 }])
    expect(checkDraw(await giveaways.file(id)).faults).toEqual([])
    const { country } = await db.one<{ country: string | null }>(
      sql`select country from giveaway_entries where user_id = ${winner?.userId ?? ''}`,
    )
    expect(country).toBeNull()
  })
})

describe('the draw', () => {
  test('happens once, and tells once, however many run it [GIVE-5]', async () => {
    const id = await published()
    for (const person of [await entrant(), await entrant(), await entrant()]) await enter(id, person)
    await untilDrawn(id)
    const outcomes = await raceOf(db, 4, () => giveaways.run())
    expect(refusalsOf(outcomes)).toEqual([])
    expect(mails).toHaveLength(1)
    expect((await shown(id)).winners).toHaveLength(1)
  })
})

describe('published rules', () => {
  test('stay as they are, whatever program is used [GIVE-1]', async () => {
    const id = await published()
    const change = { ...draft, id, revision: 2, sponsor: 'Somebody else' }
    await expect(execute('giveaway.update', change)).rejects.toEqual(refused('giveaway_published'))
    await expect(execute('giveaway.remove', { id })).rejects.toEqual(refused('giveaway_published'))
    for (const statement of [
      sql`update giveaways set rules = '{}' where id = ${id}`,
      sql`update giveaways set closes_at = closes_at + interval '1 day' where id = ${id}`,
      sql`delete from giveaways where id = ${id}`,
    ])
      await expect(db.query(statement)).rejects.toThrow()
    expect(hashOfRules((await giveaways.file(id)).rules)).toBe((await shown(id)).rulesSha256)
  })

  test('are whole, in time, and of one giveaway at a time', async () => {
    const add = (change: Partial<GiveawayDraft>) => execute('giveaway.add', { ...draft, ...change })
    const publish = async (change: Partial<GiveawayDraft>) => {
      const { id, revision } = await add(change)
      return execute('giveaway.publish', { id, revision })
    }
    await expect(publish({ rulesText: { en: 'Rules', ru: '' } })).rejects.toEqual(
      refused('giveaway_incomplete'),
    )
    // The rules must exist in enabled languages only.
    const language = async (on: string) =>
      db.query(sql`update campaign set settings = jsonb_set(settings, '{languages}', ${on}::jsonb)`)
    await language('["en", "ru", "es"]')
    const inTwo = {
      title: both('A bicycle'),
      prizes: draft.prizes.map((prize) => ({ ...prize, name: both('A bicycle') })),
      rulesText: both('Rules'),
      privacyText: both('Privacy'),
    }
    await expect(publish(inTwo)).rejects.toMatchObject({
      code: 'giveaway_incomplete',
      details: { missing: ['title', 'prizes', 'rulesText', 'privacyText'] },
    })
    await language('["en"]')
    await expect(publish({ rulesText: { en: 'Rules', ru: '' }, countries: [] })).rejects.toMatchObject({
      details: { missing: ['countries'] },
    })
    await language('["en", "ru"]')
    const image = { name: 'gone.webp', alt: both('A bicycle') }
    const pictured = draft.prizes.map((prize) => ({ ...prize, image }))
    await expect(publish({ prizes: pictured })).rejects.toEqual(refused('giveaway_incomplete'))
    await expect(publish({ prizes: pictured, declaresImageRights: true })).rejects.toEqual(
      refused('upload_unknown'),
    )
    await expect(publish({ closesAt: inHours(-0.5) })).rejects.toEqual(refused('giveaway_times'))
    const early = giveawayInput.safeParse({ ...draft, opensAt: inHours(3), closesAt: inHours(2) })
    expect(early.error?.issues).toMatchObject([{ path: ['closesAt'], message: 'closes_too_early' }])
    const { id, revision } = await add({})
    await execute('giveaway.update', { ...draft, id, revision })
    await expect(execute('giveaway.publish', { id, revision })).rejects.toEqual(refused('conflict'))
    await published()
    await expect(publish({})).rejects.toEqual(refused('giveaway_running'))
    const first = (await giveaways.all({ limit: 100 })).items.find((one) => one.id === id)
    expect(first).toMatchObject({ published: null, revision: revision + 1 })
    const newest = await giveaways.all({ limit: 1 })
    expect(newest.items).toHaveLength(1)
    const rest = await giveaways.all({ limit: 99, after: newest.next ?? undefined })
    expect([...newest.items, ...rest.items]).toEqual((await giveaways.all({ limit: 100 })).items)
    await execute('giveaway.remove', { id })
    for (const unknown of [id, 999_999])
      await expect(giveaways.file(unknown)).rejects.toEqual(refused('giveaway_unknown'))
  })
})
