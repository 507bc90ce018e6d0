import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { Credentials } from '../../src/server/credentials/credentials.ts'
import type { Database } from '../../src/server/database/database.ts'
import { Delivery } from '../../src/server/delivery/delivery.ts'
import type { Mail } from '../../src/server/mail/mail-kinds.ts'
import { EvmLooks } from '../../src/server/payments/evm/evm-looks.ts'
import { evmChecksum } from '../../src/shared/addresses.ts'
import { buyerActor, executorOf } from './actions.ts'
import { addBuyer, addOperator, brokenRules, buy, openSale, type Sale } from './campaign.ts'
import { withTestDatabase } from './database.ts'
import { limitsOf, testSecrets } from './people.ts'
import { statement } from './statement.ts'

const publicUrl = 'https://sale.example'
export const TOKEN = '0x52908400098527886E0F7030069857D2E4169EE7'
export const CHAIN_IDS = { ethereum: 31_337, polygon: 137 }
export const HOUR = 3_600_000
export const at = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()
export const addressOf = (n: number) =>
  evmChecksum(`0x${createHash('sha256').update(String(n)).digest('hex').slice(0, 40)}`)
export const plan = {
  cutAt: at(72),
  freezeFrom: at(73),
  startsAt: at(100),
  startBps: 1_000,
  cliffSeconds: 86_400,
  linearSeconds: 864_000,
  leftoverTo: addressOf(0),
}

export const chosen = statement(
  'test_round_settings',
  `update campaign set settings = jsonb_set(jsonb_set(settings, '{delivery,tokenContract}', to_jsonb($1::text)), '{softCapPolicy}', to_jsonb($2::text))`,
)
export const moved = statement(
  'test_round_moved',
  "update campaign set settings = jsonb_set(settings, '{delivery,chain}', to_jsonb($1::text))",
)
export const named = statement(
  'test_round_address',
  `insert into delivery_addresses (user_id, address, network, chain_id, proof, named_at, confirmed_at, counts_from)
   values ($1, $2, 'ethereum', ${CHAIN_IDS.ethereum}, 'typed', now(), now(), now() + make_interval(hours => $3))`,
)
export const aged = statement(
  'test_round_aged',
  `update delivery_addresses set confirmed_at = confirmed_at - make_interval(hours => $2),
          counts_from = counts_from - make_interval(hours => $2) where user_id = $1`,
)
export const passed = statement(
  'test_round_passed',
  `update delivery_rounds set freeze_from = now() - interval '1 minute', told_at = told_at - interval '80 hours',
          cut_at = now()`,
)
const allocated = statement(
  'test_round_allocated',
  'select (allocated_purchased + allocated_bonus + allocated_granted)::text as tokens from holdings where user_id = $1',
)

/** A delivery of tokens on Ethereum. `looks` answers for contracts; without it no chain is watched. */
async function openDelivery(db: Database, { sold = TOKEN, looks = unfollowed }: RoundsOptions) {
  const mails: Mail[] = []
  const limits = limitsOf(db, false)
  const sendMail = async (_tx: unknown, mail: Mail) => void mails.push(mail)
  const { links } = new Credentials({ db, secrets: testSecrets, limits, publicUrl, sendMail })
  const delivery = new Delivery({
    db,
    links,
    limits,
    secrets: testSecrets,
    publicUrl,
    sendMail,
    looks,
    evm: {
      chainIdOf: (network) =>
        network in CHAIN_IDS ? CHAIN_IDS[network as keyof typeof CHAIN_IDS] : undefined,
      isFollowed: () => true,
      acceptsSignature: async () => false,
      hasContract: async () => false,
      standsOnlyElsewhere: async () => false,
    },
  })
  await db.query(chosen, [sold, 'none'])
  const operatorId = await addOperator(db)
  const execute = executorOf(db, delivery.actions, operatorId)
  /** Announces a round, notifies everybody and lets the time pass. */
  const dueRound = async (other: Partial<typeof plan> = {}) => {
    const number = await execute('round.announce', { ...plan, ...other })
    await delivery.tellOfRound()
    await db.query(passed)
    return number
  }
  return { delivery, mails, operatorId, execute, dueRound }
}

/** Announces a round with these buyers' active addresses. Returns its finalization. */
export async function announceDue({ db }: Pick<Sale, 'db'>, ...userIds: string[]) {
  const { dueRound, execute } = await openDelivery(db, {})
  for (const userId of userIds) await db.query(named, [userId, addressOf(Number(userId) + 500), 0])
  const number = await dueRound()
  return () => execute('round.freeze', { number })
}

/** Finalizes a round with all active addresses, including these. */
export async function freezeNow(sale: Pick<Sale, 'db'>, ...userIds: string[]): Promise<void> {
  const freeze = await announceDue(sale, ...userIds)
  await freeze()
}

async function openRounds(sale: Sale, options: RoundsOptions) {
  const { db } = sale
  const { delivery, mails, operatorId, execute, dueRound } = await openDelivery(db, options)
  let serial = 0
  return {
    sale,
    db,
    delivery,
    mails,
    operatorId,
    execute,
    /** Adds a buyer with an approved order and an active address. */
    async buyer(tokens: string, { withAddress = true } = {}) {
      const id = await addBuyer(db)
      const { number } = await buy(sale, id, tokens)
      await sale.ledger.approve(String(number), { operatorId })
      const address = addressOf((serial += 1))
      if (withAddress) await db.query(named, [id, address, 0])
      return { id, order: String(number), address }
    },
    /** Types an address and uses the mailed link. */
    async name(userId: string, address: string) {
      await delivery.type(buyerActor(userId), address)
      const mail = mails.findLast(({ kind }) => kind === 'delivery_address_typed')
      const token = mail && 'link' in mail ? (mail.link.split('#token=')[1] ?? '') : ''
      await delivery.confirm(token)
    },
    dueRound,
    tokensOf: async (id: string) => (await db.one<{ tokens: string }>(allocated, [id])).tokens,
  }
}
export interface RoundsOptions {
  readonly sold?: string
  readonly looks?: Pick<EvmLooks, 'look' | 'hashAt'>
}
const unfollowed = new EvmLooks([])
export type Rounds = Awaited<ReturnType<typeof openRounds>>

/** Runs `work` on rounds of its own, then checks every rule. */
export const withRounds = (work: (rounds: Rounds) => Promise<void>, options: RoundsOptions = {}) =>
  withTestDatabase(
    async ({ db }) => {
      await work(await openRounds(await openSale(db), options))
      expect(await brokenRules(db)).toEqual([])
    },
    { holds: 'demo' },
  )

export async function fileOf(delivery: Delivery, round: number) {
  const { pieces, sha256 } = await delivery.openFile(round)
  let content = ''
  for await (const piece of pieces) content += piece.toString()
  expect(createHash('sha256').update(content).digest('hex')).toBe(sha256)
  return JSON.parse(content) as {
    network: string
    chainId: number
    distributor: Record<string, unknown>
    ways: Record<string, string>
    rows: { place: number; account: string; tokens: string }[]
  }
}
