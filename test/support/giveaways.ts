import { bls12_381 } from '@noble/curves/bls12-381.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import { type Database, sql } from '../../src/server/database/database.ts'
import { Giveaways } from '../../src/server/giveaways/giveaways.ts'
import type { GiveawayDraft, PublishedRules } from '../../src/shared/api/giveaways.ts'
import { type Beacon, firstRoundAt, messageOfRound, timeOfRound } from '../../src/shared/giveaway-beacon.ts'
import { hashOfRules } from '../../src/shared/giveaway-draw.ts'
import { testSecrets } from './secrets.ts'
import type { TestServer } from './server.ts'

const HOUR = 3_600_000
const secret = hexToBytes('22'.repeat(32))

/** A beacon whose key the tests have. */
export const ownBeacon: Beacon = {
  chain: 'own',
  publicKey: bls12_381.shortSignatures.getPublicKey(secret).toHex(),
  genesis: 1_700_000_000,
  period: 3,
}
export const signatureOf = (round: number): string =>
  bls12_381.shortSignatures.sign(messageOfRound(round), secret).toHex()

/** Null before the round's time. */
export const signatureInTime = (round: number): string | null =>
  timeOfRound(ownBeacon, round) <= Date.now() ? signatureOf(round) : null

/** Giveaways with the tests' beacon, without mails. */
export const giveawaysOf = ({ url, database }: Pick<TestServer, 'url' | 'database'>) =>
  new Giveaways({
    db: database.db,
    secrets: testSecrets,
    beacon: ownBeacon,
    fetchSignature: async (round) => signatureInTime(round),
    publicUrl: url,
    sendMail: async () => {},
  })

export const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()

const texts = (en: string) => ({ en, ru: `Р: ${en}`, es: `E: ${en}`, ar: `ع: ${en}` })

export const giveawayDraft = (change: Partial<GiveawayDraft> = {}): GiveawayDraft => ({
  title: texts('A bicycle'),
  sponsor: 'Example Ltd',
  contact: 'prizes@example.org',
  prizes: [{ name: texts('A red bicycle'), valueUsd: '1500', count: 1, image: null }],
  declaresImageRights: false,
  rulesText: texts('One entry a person.'),
  privacyText: texts('Kept until the prize is handed over.'),
  countries: ['EE', 'DE', 'FR'],
  minimumAge: 18,
  opensAt: inHours(-1),
  closesAt: inHours(200),
  alternates: 2,
  confirmDays: 3,
  handOverDays: 30,
  drawHours: 2,
  ...change,
})

/** Moves a giveaway in time by rewriting its rules, with the tests' beacon. */
export async function moveTo(
  db: Database,
  id: number,
  hours: { opensAt: number; closesAt: number },
): Promise<void> {
  const { rules } = await db.one<{ rules: PublishedRules }>(sql`select rules from giveaways where id = ${id}`)
  const [opensAt, closesAt] = [inHours(hours.opensAt), inHours(hours.closesAt)]
  const round = firstRoundAt(ownBeacon, Date.parse(closesAt) + rules.drawHours * HOUR)
  const moved = { ...rules, beacon: ownBeacon, opensAt, closesAt, round }
  await db.transaction(async (tx) => {
    await tx.query(sql`alter table giveaways disable trigger giveaways_published_stay`)
    await tx.query(
      sql`update giveaways set rules = ${JSON.stringify(moved)}, sha256 = ${hashOfRules(moved)}, published_at = ${opensAt}, opens_at = ${opensAt},
                 closes_at = ${closesAt}, draw_at = ${new Date(timeOfRound(ownBeacon, round))} where id = ${id}`,
    )
    await tx.query(sql`alter table giveaways enable trigger giveaways_published_stay`)
  })
}

export async function untilDrawn(
  db: Database,
  giveaways: { run(): Promise<unknown> },
  id: number,
): Promise<void> {
  await moveTo(db, id, { opensAt: -5, closesAt: -1 })
  await giveaways.run()
  await db.query(sql`alter table giveaway_lists disable trigger giveaway_lists_append_only`)
  await db.query(
    sql`update giveaway_lists set fixed_at = fixed_at - interval '2 hours 59 minutes' where giveaway_id = ${id}`,
  )
  await db.query(sql`alter table giveaway_lists enable trigger giveaway_lists_append_only`)
  await moveTo(db, id, { opensAt: -7, closesAt: -3 })
}
