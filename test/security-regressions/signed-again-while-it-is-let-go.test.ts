import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { addBuyer, buy, withSale } from '../support/campaign.ts'
import { statement } from '../support/statement.ts'

const E = `0x${'1'.repeat(40)}`

// Releasing an order's room first checks without a lock whether it may still be paid (may_be_paid_in_escrow).
// A signature in between must keep its room. Renewing it does not write the order, so PostgreSQL does not
// check again. The test delays the release by a second after the check.
test('an order whose payment is signed again while its room is let go keeps it [HOLD-3, DELIVER-25]', () =>
  withSale(async (sale) => {
    const query = <T>(name: string, text: string, values: unknown[] = []) =>
      sale.db.query<T>(statement(`thief_${name}`, text), values)
    await query(
      'chain',
      "insert into chains (name, family, confirmation_rules, height, finalized_height) values ('ethereum', 'evm', '[]', 10, 5)",
    )
    await query(
      'escrow',
      `insert into escrows (stage_id, chain, chain_id, address, token, seller, treasury, cap_tokens, closes_at, deliver_by, review_seconds,
                            locks_first, start_bps, cliff_seconds, linear_seconds, assets, quote_key, code_hash, height, block_hash, mined_at, second_node)
       select id, 'ethereum', 1, $1, $1, $1, $1, 1000000, now() + interval '30 days', now() + interval '60 days', 86400, true, 10000, 0, 0,
              array['0x' || repeat('0', 40)], $1, '0x' || repeat('a', 64), 1, '0x' || repeat('b', 64), now(), false from stages`,
      [E],
    )
    const thief = await addBuyer(sale.db)
    await query('confirm', 'update users set confirmed_at = now()')
    const { number, token } = await buy(sale, thief, '40')
    await query(
      'place',
      `with o as (update orders set escrow_id = (select id from escrows), watched = true,
              place = concat_ws(':', 'ethereum', $2::text, '0x' || $1, $2::text, $2::text, $2::text, 1, 40000000000000000000) where id = $1
              returning escrow_id, place, currency_id)
       insert into wallet_addresses (escrow_id, order_key, address, address_key, currency_id)
       select escrow_id, concat_ws(':', 'ethereum', $2::text, '0x' || $1), place, place, currency_id from o`,
      [number, E],
    )
    const sign = async () =>
      (
        await query<{ refusal: string | null }>('sign', 'select refusal from sign_escrow_quote($1, $2)', [
          thief,
          token,
        ])
      )[0]?.refusal
    expect(await sign()).toBe(null)
    // Its ten minutes are over, and a final block is later than its end.
    await query('trigger', 'alter table escrow_signatures disable trigger user')
    await query('over', 'update escrow_signatures set valid_until = valid_until - 1200')
    await query('trigger_on', 'alter table escrow_signatures enable trigger user')
    await query(
      'final',
      "insert into chain_blocks values ('ethereum', 5, 'h5', 'h4', now() - interval '5 minutes')",
    )

    await query('as_is', 'alter function may_be_paid_in_escrow(bigint) rename to may_be_paid_as_it_is')
    await query(
      'slow',
      `create function may_be_paid_in_escrow(p_order_id bigint) returns boolean language plpgsql stable as $$
       begin perform pg_sleep(1); return may_be_paid_as_it_is(p_order_id); end $$`,
    )
    const letGo = query('let_go', "select settle_order(number) from ended_signatures('ethereum') as number")
    await delay(1_500)
    expect(await sign()).toBe(null)
    await letGo
    const state = await query('state', 'select held, may_be_paid_as_it_is(id) as "mayBePaid" from orders')
    expect(state).toEqual([{ held: true, mayBePaid: true }])
  }))
