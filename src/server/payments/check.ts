import type { Network } from '../../shared/networks.ts'
import { addressLeafHash } from '../journal/journal.ts'
import type { LedgerRule } from '../ledger/check.ts'
import {
  allOfRefundAddress,
  openRefundAddress,
  type Secrets,
  type StoredText,
  storedRefundAddress,
} from '../secrets/secrets.ts'
import { ACCOUNT_KEY, addressAt } from './account-keys.ts'
import { accountColumns, accountKeyOf, type StoredAccount } from './wallet-rows.ts'

/** With the key that the address should belong to. */
interface OpenAddress extends StoredAccount {
  readonly address: string | null
  readonly order_id: string | null
  readonly order_address: string | null
  readonly index: number
}

/** SQL: operators' refunds cover all confirmed payments of order `o` that are not owed themselves. */
const COVERED_BY_WORD = `(select sum(x.amount - x.owed) from payments x where x.order_id = o.id and x.alive and x.confirmed)
               <= (select sum(r.amount) from refunds r where r.order_id = o.id and r.payment_id is null and r.state <> 'written_off')`

// Rules: SETTLE-1, SETTLE-15, LATE-1, REFUND-5, RIGHT-18, LOG-13, LOG-14
/** For `npm run ledger:check`; queries return the rows that break a rule. */
export const paymentRules: readonly LedgerRule[] = [
  {
    name: 'own_coins_are_no_payments',
    says: 'No output stands as a payment and as change of an own wallet, and none is spent below the block that holds it.',
    sql: `select c.transaction_id, c.output, c.wallet_id, p.id as payment_id, c.height, c.spent_height
            from own_coins c left join payments p on p.chain = c.chain and p.transaction_id = c.transaction_id and p.output_key = c.output::text
           where p.id is not null or c.spent_height < c.height`,
  },
  {
    name: 'chain_orders_stand_on_payments',
    says: 'An order approved by a chain stands on credited payments that lie in blocks, or of which a round lists tokens, and are its coins, exactly; these buy its tokens, to the tolerance. What could not be settled waits.',
    sql: `select o.id as order_id, o.crypto_amount, coalesce(sum(p.credited), 0) as credited
            from orders o left join payments p on p.order_id = o.id and p.credited > 0 and (p.alive and p.block_height is not null or is_in_round(p))
           where o.status = 'approved' and o.approved_via = 'chain' and o.settle_error is null
           group by o.id
          having coalesce(sum(p.credited), 0) <> o.crypto_amount
              or o.base_tokens > (o.crypto_amount + shortfall_allowed((asked_of(o)).crypto_amount, o.rate, o.price_usd)) * o.rate + 0.00001`,
  },
  {
    name: 'purchases_stand_on_what_nodes_show',
    says: 'No purchase and no debt stands on a payment that as many nodes as it needs have lacked in two readings an hour apart; where that payment was final already, the loss is the seller’s.',
    sql: `select id as payment_id, order_id, output_key, amount, credited, owed, lower(lacking) as lacking_since from payments p
           where credited + owed > 0 and block_height is not null and not failed and is_lost(p)`,
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
    name: 'payments_are_accounted_for',
    says: 'A confirmed payment that stands is credited or owed, whole, or too little, or its order could not be settled.',
    sql: `select p.id as payment_id, p.order_id, o.status, o.detail, o.settle_at, p.amount, p.credited, p.owed
            from payments p left join orders o on o.id = p.order_id
           where p.alive and p.confirmed and p.credited + p.owed <> p.amount
             and not coalesce(o.status = 'rejected' and ${COVERED_BY_WORD}, false)
             and not coalesce(o.settle_error is not null, false)
             and not coalesce(p.credited = 0 and is_too_little(o, p.amount, p.late_rate), false)`,
  },
  {
    name: 'orders_settle_when_they_are_due',
    byJobs: true,
    says: 'No order is due for more than 5 minutes. Judged by the last order that changed.',
    sql: `select o.id as order_id, o.detail, o.settle_at
            from orders o, (select max(updated_at) - interval '5 minutes' as moment from orders) lately where o.settle_at < lately.moment`,
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
    name: 'refunds_are_paid_by_us',
    says: 'A refund that is paid says by whose word, and its transaction was named by an operator, spends an output of ours, or comes from a chain with senders of ours.',
    sql: `select r.id as refund_id, r.transaction_id, r.paid_via from refunds r
           where r.state = 'paid'
             and (r.paid_via is null or r.transaction_id is null or (r.paid_via = 'operator' and r.named_at is null)
                  or (r.named_at is null
                      and not exists (select from payments p where p.chain = r.chain and p.spent_by = r.transaction_id)
                      and not exists (select from chains c where c.name = r.chain and c.refund_senders <> '{}')))`,
  },
  {
    name: 'addresses_are_given_once',
    says: 'Each watched order has an address or a place that was given out, each address below its wallet’s next index.',
    sql: `select o.place as address, o.id as order_id from orders o where o.watched and not exists (select from wallet_addresses a where a.address = o.place)
          union all select a.address, a.index from wallet_addresses a join wallets w on w.id = a.wallet_id where a.index >= w.next_index`,
  },
  {
    name: 'addresses_are_the_announced_ones',
    says: 'Each address that a wallet gave is the one that was announced under its index.',
    sql: `select a.id as wallet_address_id, a.wallet_id, a.index, a.address
            from wallet_addresses a
            join wallet_announcements n on n.wallet_id = a.wallet_id and n.root is not null
             and a.index >= n.first_index and a.index < n.first_index + n.count
            left join wallet_tiles t on t.announcement = n.id and t.level = 0 and t.number = (a.index - n.first_index) / 256
           where substr(t.hashes, (a.index - n.first_index) % 256 * 32 + 1, 32) is distinct from leaf_of_address(n, a.index, a.address)
          union all
          select n.id, n.wallet_id, n.first_index, f.said ->> 'root' from wallet_announcements n
            left join journal_facts f on f.kind = 'wallet.announced' and f.subject = 'wallet_announcements/' || n.id
           where n.root is not null and f.said ->> 'root' is distinct from encode(n.root, 'hex')`,
  },
  {
    name: 'confirmed_payments_have_enough_confirmations',
    says: 'A confirmed payment has the confirmations it needs, at least one, and the word of a second node for its block where it needs that.',
    sql: `select id as payment_id, confirmations, confirmations_needed, block_hash, verified_hash from payments
           where confirmed and (confirmations < confirmations_needed or confirmations < 1 or block_height is null
                                or (needs_second and verified_hash is distinct from block_hash))`,
  },
]

export const sealedRules = (secrets: Secrets): readonly LedgerRule[] => [
  addressRule(secrets),
  announcementRule(secrets),
  refundMarkRule(secrets),
]

interface MarkedRefund {
  readonly id: string
  readonly chain: Network
  readonly address: StoredText
  readonly mark: string
}

/** The watcher finds a refund's payment by its mark alone. */
const refundMarkRule = (secrets: Secrets): LedgerRule => ({
  name: 'refund_addresses_have_their_marks',
  says: 'The address of a refund that is to be paid can be opened, and its mark is the one of this address.',
  sql: `select r.id::text, r.chain, ${storedRefundAddress.text} as address, r.address_mark as mark from refunds r
         where r.state in ('claimed', 'prepared', 'sent') and r.address is null`,
  breaks: (row: MarkedRefund) => {
    const address = openedOrNull(secrets, row)
    return (
      address === null ||
      !allOfRefundAddress(secrets, row.chain, address).split(' ').slice(1).includes(row.mark)
    )
  },
})

function openedOrNull(secrets: Secrets, row: MarkedRefund): string | null {
  try {
    return openRefundAddress(secrets, row)
  } catch {
    return null
  }
}

const addressRule = (secrets: Secrets): LedgerRule => ({
  name: 'open_addresses_follow_their_keys',
  says: 'The address of an open order is the one that its wallet’s key and its index give.',
  sql: `select a.address, a.index, ${accountColumns.text}, o.id as order_id, o.address as order_address
          from orders o left join wallet_addresses a on a.address = o.place left join wallets w on w.id = a.wallet_id
         where o.watched and o.escrow_id is null and o.status = 'pending' and o.expires_at > clock_timestamp()`,
  breaks: (row: OpenAddress) =>
    row.address === null
      ? row.order_id !== null
      : (row.order_address ?? row.address) !== row.address || addressOf(secrets, row) !== row.address,
})

interface AnnouncedPlace extends StoredAccount {
  readonly first_index: number
  readonly key_hash: Buffer
  readonly seed: Buffer
  readonly place: number
  readonly leaf: Buffer | null
}

/**
 * Deriving every leaf takes too long. Without the account key nobody can make any: both ends and a random one
 * suffice.
 */
const announcementRule = (secrets: Secrets): LedgerRule => ({
  name: 'announcements_follow_their_keys',
  says: 'The first, the last and one other announced address of each range are those that the wallet’s key gives.',
  sql: `select n.id as announcement_id, n.first_index, n.key_hash, n.seed, p.place, substr(t.hashes, p.place % 256 * 32 + 1, 32) as leaf, ${accountColumns.text}
          from wallet_announcements n join wallets w on w.id = n.wallet_id
         cross join lateral (select distinct place from unnest(array[0, n.count - 1, floor(random() * n.count)::integer]) place) p
          left join wallet_tiles t on t.announcement = n.id and t.level = 0 and t.number = p.place / 256
         where n.root is not null`,
  breaks: (row: AnnouncedPlace) => {
    const index = row.first_index + row.place
    const address = addressOf(secrets, { ...row, address: null, index })
    return address === null || row.leaf?.equals(addressLeafHash(row, index, address)) !== true
  },
})

/** Null if the account key can't be opened. */
function addressOf(
  secrets: Secrets,
  row: StoredAccount & Pick<OpenAddress, 'address' | 'index'>,
): string | null {
  try {
    const account = accountKeyOf(secrets, row)
    // A demo's wallet has no key.
    return ACCOUNT_KEY.test(account.key) ? addressAt(account, row.index) : row.address
  } catch {
    return null
  }
}
