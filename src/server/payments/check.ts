import type { LedgerRule } from '../ledger/check.ts'

/** The rules of payments, for `npm run ledger:check` beside those of the ledger: each query returns the rows that break its rule. */
export const paymentRules: readonly LedgerRule[] = [
  {
    name: 'chain_orders_stand_on_payments',
    says: 'An order approved by a chain stands on credited payments that lie in blocks and cover it, to the tolerance.',
    sql: `select o.id as order_id, o.crypto_amount, coalesce(sum(p.credited), 0) as credited
            from orders o left join payments p on p.order_id = o.id and p.credited > 0 and p.alive and p.block_height is not null
           where o.status = 'approved' and o.approved_via = 'chain' and o.detail <> 'under_review'
           group by o.id
          having coalesce(sum(p.credited), 0) < o.crypto_amount - shortfall_allowed(o.crypto_amount, o.rate, o.price_usd, settlement_rules()) - 0.000001
              or coalesce(sum(p.credited), 0) > o.crypto_amount + shortfall_allowed(o.crypto_amount, o.rate, o.price_usd, settlement_rules()) + 0.000001`,
  },
  {
    name: 'credited_payments_have_approved_orders',
    says: 'A payment is credited to an approved order only.',
    sql: `select p.id as payment_id, p.order_id, o.status, p.credited from payments p left join orders o on o.id = p.order_id
           where p.credited > 0 and o.status is distinct from 'approved'`,
  },
  {
    name: 'payments_pay_once',
    says: 'What a payment credits and owes never exceeds what it brought.',
    sql: 'select id as payment_id, amount, credited, owed from payments where credited + owed > amount or credited < 0 or owed < 0',
  },
  {
    name: 'payments_owe_their_refunds',
    says: 'What a payment owes is the sum of its refunds that stand.',
    sql: `select p.id as payment_id, p.owed, coalesce(sum(r.amount), 0) as refunds from payments p
            left join refunds r on r.payment_id = p.id and r.state <> 'written_off' group by p.id having p.owed <> coalesce(sum(r.amount), 0)`,
  },
  {
    name: 'refunds_are_in_the_ledger',
    says: 'What the ledger holds as owed and as paid is what the refunds say, by currency and buyer.',
    sql: `with folded as (
            select e.asset, e.user_id, sum(e.amount) as owed from entries e where e.account = 'refunds_owed' group by e.asset, e.user_id),
          due as (
            select currency as asset, user_id, sum(amount) filter (where state not in ('paid', 'written_off')) as owed from refunds group by currency, user_id)
          select coalesce(f.asset, d.asset) as asset, coalesce(f.user_id, d.user_id) as user_id, f.owed as ledger_owed, d.owed as refunds_owed
            from folded f full join due d on d.asset = f.asset and d.user_id = f.user_id
           where coalesce(f.owed, 0) <> coalesce(d.owed, 0)
          union all
          select coalesce(f.asset, d.asset), null, f.paid, d.paid
            from (select asset, sum(amount) as paid from entries where account = 'refunds_paid' group by asset) f
            full join (select currency as asset, sum(amount) filter (where state = 'paid') as paid from refunds group by currency) d on d.asset = f.asset
           where coalesce(f.paid, 0) <> coalesce(d.paid, 0)`,
  },
  {
    name: 'addresses_are_given_once',
    says: 'No watched address stands in two quotes, and each is one of its wallet, below its next index.',
    sql: `select q.address, count(*) as quotes from quotes q where q.watched group by q.address having count(*) > 1
          union all select a.address, a.index from wallet_addresses a join wallets w on w.id = a.wallet_id where a.index >= w.next_index`,
  },
  {
    name: 'confirmed_payments_have_enough_confirmations',
    says: 'A confirmed payment has the confirmations it needs, at least one.',
    sql: `select id as payment_id, confirmations, confirmations_needed from payments
           where confirmed and (confirmations < confirmations_needed or confirmations < 1 or block_height is null)`,
  },
]
