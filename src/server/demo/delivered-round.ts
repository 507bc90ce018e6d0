import type { Address } from 'viem'
import { type Database, sql } from '../database/database.ts'
import { system } from '../unit-of-work/unit-of-work.ts'
import type { DemoChain } from './demo-token.ts'
import { makeFinal, send } from './local-chain.ts'

/**
 * To all holders with an address, through every step until live. Moves the waiting days into the past, which
 * only a demo's database allows.
 */
export async function deliverDemoRound({ context, rpc }: DemoChain, seller: Address): Promise<void> {
  const { actions, db, delivery } = context
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const number = await actions.execute(delivery.actions['round.announce'], system, {
    cutAt: inHours(72),
    freezeFrom: inHours(73),
    startsAt: inHours(-1),
    startBps: 10_000,
    cliffSeconds: 0,
    linearSeconds: 0,
    leftoverTo: seller,
  })
  await delivery.tellOfRound()
  await moveIntoPast(db, number)
  await actions.execute(delivery.actions['round.freeze'], system, { number })
  const { address, calls } = await delivery.distributor(number)
  for (const call of calls) await send(rpc, seller, call)
  await makeFinal(rpc)
  await actions.execute(delivery.actions['round.go-live'], system, { number, address })
}

async function moveIntoPast(db: Database, number: number): Promise<void> {
  await db.query(
    sql`update delivery_rounds set cut_at = now(), freeze_from = now() - interval '1 minute', told_at = now() - interval '5 days'
         where number = ${number} and (select is_demo from campaign)`,
  )
}
