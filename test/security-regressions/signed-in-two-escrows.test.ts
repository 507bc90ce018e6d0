import { expect, test } from 'vitest'
import { addBuyer, buy, type Sale, setGoal, withSale } from '../support/campaign.ts'
import { untilLocked } from '../support/race.ts'
import { statement } from '../support/statement.ts'

const address = (digit: number) => `0x${String(digit).repeat(40)}`
const query = <T>(sale: Pick<Sale, 'db'>, name: string, text: string, values: unknown[] = []) =>
  sale.db.query<T>(statement(`thief_${name}`, text), values)
const SIGN = statement('thief_sign', 'select refusal, valid_until from sign_escrow_quote($1, $2)')

/** An escrow of the open stage on a chain: a stage may have one on each (escrows_one_a_stage_and_chain). */
export async function openEscrow(sale: Sale, chain: string, digit: number): Promise<number> {
  await query(
    sale,
    'chain',
    `insert into chains (name, family, confirmation_rules, height, finalized_height) values ($1, 'evm', '[]', 10, 5) on conflict do nothing`,
    [chain],
  )
  const [row] = await query<{ id: number }>(
    sale,
    'escrow',
    `insert into escrows (stage_id, chain, chain_id, address, token, seller, treasury, cap_tokens, closes_at, deliver_by, review_seconds,
                          locks_first, start_bps, cliff_seconds, linear_seconds, assets, quote_key, code_hash, height, block_hash, mined_at, second_node)
     select id, $1, $2, $3, $3, $3, $3, 1000000, now() + interval '30 days', now() + interval '60 days', 86400, true, 10000, 0, 0,
            array['0x' || repeat('0', 40)], $3, '0x' || repeat('a', 64), 1, '0x' || repeat('b', 64), now(), false
       from stages returning id`,
    [chain, digit, address(digit)],
  )
  return row?.id ?? 0
}

export async function escrowOrder(
  sale: Sale,
  userId: string,
  escrowId: number,
  chain: string,
  digit: number,
) {
  await query(sale, 'confirm', 'update users set confirmed_at = now() where id = $1', [userId])
  const { number, token } = await buy(sale, userId, '40')
  await query(
    sale,
    'place',
    `with o as (update orders set escrow_id = $2, watched = true,
            place = concat_ws(':', $3::text, $4::text, '0x' || $1, $4::text, $4::text, $4::text, 1, 40000000000000000000) where id = $1
            returning place, currency_id)
     insert into wallet_addresses (escrow_id, order_key, address, address_key, currency_id)
     select $2, concat_ws(':', $3::text, $4::text, '0x' || $1), place, place, currency_id from o`,
    [number, escrowId, chain, address(digit)],
  )
  return { number, token, userId }
}

async function twoEscrows(sale: Sale) {
  return [await openEscrow(sale, 'ethereum', 1), await openEscrow(sale, 'bsc', 2)] as const
}

/** Signs the first; the second is asked for before the first has committed. */
async function signBoth(sale: Sale, [first, second]: { userId: string; token: string }[]) {
  let asked: Promise<{ refusal: string | null }[]> | undefined
  await sale.db.transaction(async (tx) => {
    await tx.query(SIGN, [first?.userId, first?.token])
    asked = sale.db.query(SIGN, [second?.userId, second?.token])
    await Promise.race([untilLocked(sale.db), asked])
  })
  return (await asked)?.[0]?.refusal
}

test('a buyer has one signature at a time, in whatever escrows [HOLD-3]', () =>
  withSale(async (sale) => {
    const [one, two] = await twoEscrows(sale)
    const ann = await addBuyer(sale.db)
    const orders = [
      await escrowOrder(sale, ann, one, 'ethereum', 1),
      await escrowOrder(sale, ann, two, 'bsc', 2),
    ]
    expect(await signBoth(sale, orders)).toBe('order_signed')
  }))

test('what is signed in all escrows of a stage takes at most half of what it has left [HOLD-3]', () =>
  withSale(async (sale) => {
    // 360 dollars are left, and each order takes 180.
    await setGoal(sale, '360')
    const [one, two] = await twoEscrows(sale)
    const orders = [
      await escrowOrder(sale, await addBuyer(sale.db), one, 'ethereum', 1),
      await escrowOrder(sale, await addBuyer(sale.db), two, 'bsc', 2),
    ]
    expect(await signBoth(sale, orders)).toBe('escrow_full')
  }))

test('what is signed takes at most half of the tokens that are left, too: a fallen price leaves more dollars than tokens [HOLD-3]', () =>
  withSale(async (sale) => {
    // 720 dollars of the goal are left, and 40 tokens of the share that is sold.
    await setGoal(sale, '720')
    await query(sale, 'supply', 'select set_capacity(1000000, 40, 1000000)')
    const thief = await escrowOrder(
      sale,
      await addBuyer(sale.db),
      await openEscrow(sale, 'ethereum', 1),
      'ethereum',
      1,
    )
    const [signed] = await sale.db.query<{ refusal: string | null }>(SIGN, [thief.userId, thief.token])
    await query(sale, 'supply_again', 'select set_capacity(2000000000, 450000000, 100000000)')
    expect(signed?.refusal).toBe('escrow_full')
  }))

test('what is signed takes the room that its order has, not what it asked for [HOLD-3]', () =>
  withSale(async (sale) => {
    await setGoal(sale, '400')
    const [one, two] = await twoEscrows(sale)
    const [first, second] = [
      await escrowOrder(sale, await addBuyer(sale.db), one, 'ethereum', 1),
      await escrowOrder(sale, await addBuyer(sale.db), two, 'bsc', 2),
    ]
    await sale.db.query(SIGN, [first.userId, first.token])
    await query(sale, 'less_room', 'select take_room(o, 10, 2, 0) from orders o where id = $1', [
      first.number,
    ])
    // 10 + 180 of 400 dollars.
    expect(await sale.db.query(SIGN, [second.userId, second.token])).toMatchObject([{ refusal: null }])
  }))

test('a buyer who pays nothing keeps tokens signed for an hour a day at most, with however many orders [HOLD-3]', () =>
  withSale(async (sale) => {
    const escrow = await openEscrow(sale, 'ethereum', 1)
    const [ann, bob] = [await addBuyer(sale.db), await addBuyer(sale.db)]
    const sign = async (order: { userId: string; token: string }) => {
      const [row] = await sale.db.query<{ refusal: string | null }>(SIGN, [order.userId, order.token])
      return row?.refusal
    }
    /** The signatures are over, as a final block says. */
    const letPass = async (interval: string) => {
      await query(sale, 'trigger', 'alter table escrow_signatures disable trigger user')
      await query(
        sale,
        'over',
        `update escrow_signatures set valid_until = valid_until - extract(epoch from $1::interval)::bigint,
                first_signed_at = first_signed_at - $1::interval`,
        [interval],
      )
      await query(sale, 'trigger_on', 'alter table escrow_signatures enable trigger user')
      await query(
        sale,
        'final',
        "insert into chain_blocks values ('ethereum', 5, 'h5', 'h4', now()) on conflict (chain, height) do update set mined_at = now()",
      )
    }
    const orders = [
      await escrowOrder(sale, ann, escrow, 'ethereum', 1),
      await escrowOrder(sale, ann, escrow, 'ethereum', 1),
    ]
    for (let time = 0; time < 3; time += 1)
      for (const order of orders) {
        expect(await sign(order)).toBe(null)
        await letPass('20 minutes')
      }
    for (const order of orders) expect(await sign(order)).toBe('too_many_requests')
    expect(await sign(await escrowOrder(sale, ann, escrow, 'ethereum', 1))).toBe('too_many_requests')
    expect(await sign(await escrowOrder(sale, bob, escrow, 'ethereum', 1))).toBe(null)
    await letPass('23 hours')
    expect(await sign(orders[0] ?? { userId: '', token: '' })).toBe(null)
    await query(sale, 'let_go', "select settle_order(number) from ended_signatures('ethereum') as number")
  }))
