import { equationArguments } from '../../shared/figures.ts'
import type { LedgerRule } from '../ledger/check.ts'

// Rules: DELIVER-21, DELIVER-33, DELIVER-37
export const deliveryRules: readonly LedgerRule[] = [
  {
    name: 'allocations_fold_the_entries',
    says: 'What holdings call allocated is the sum of the entries, buyer by buyer, and no more than is held of each kind.',
    sql: `with fold as (
            select user_id, coalesce(sum(amount) filter (where account = 'allocated_purchased'), 0) as purchased,
                   coalesce(sum(amount) filter (where account = 'allocated_bonus'), 0) as bonus,
                   coalesce(sum(amount) filter (where account = 'allocated_granted'), 0) as granted
              from entries where account in ('allocated_purchased', 'allocated_bonus', 'allocated_granted') group by user_id)
          select coalesce(h.user_id, f.user_id) as user_id, h.allocated_purchased, f.purchased, h.allocated_bonus, f.bonus, h.allocated_granted, f.granted
            from holdings h full join fold f on f.user_id = h.user_id
           where (coalesce(h.allocated_purchased, 0), coalesce(h.allocated_bonus, 0), coalesce(h.allocated_granted, 0))
                 <> (coalesce(f.purchased, 0), coalesce(f.bonus, 0), coalesce(f.granted, 0))
              or h.allocated_purchased > h.purchased_tokens or h.allocated_bonus > h.bonus_tokens or h.allocated_granted > h.granted_tokens`,
  },
  {
    name: 'rounds_are_their_postings',
    says: 'A frozen round has one posting and a list, whose total is what moved from held to allocated; any other has neither.',
    sql: `select r.number as round, r.state, f.tokens as listed, p.moved, d.tokens as rows_tokens
            from delivery_rounds r
            left join delivery_round_files f on f.round = r.number
            left join (select p.round, -sum(e.amount) filter (where e.account = 'held_tokens') as moved
                         from postings p join entries e on e.posting_id = p.id where p.kind = 'round_frozen' group by p.round) p on p.round = r.number
            left join (select round, sum(tokens) as tokens, count(*) as count from delivery_round_rows group by round) d on d.round = r.number
           where case when r.state in ('frozen', 'live')
                      then (f.tokens, f.tokens, f.row_count) is distinct from (p.moved, d.tokens, d.count) or f.tokens is null
                      else num_nonnulls(f.tokens, p.moved, d.tokens) > 0 end`,
  },
  {
    name: 'live_rounds_were_seen',
    says: 'A live round has a distributor on its chain that held or had paid out the whole list when it was seen; no other round has one.',
    sql: `select r.number as round, r.state, r.chain_id, d.chain_id as seen_chain_id, d.balance, d.claimed, f.tokens
            from delivery_rounds r left join delivery_distributors d on d.round = r.number
            left join delivery_round_files f on f.round = r.number
           where (r.state = 'live') <> (d.round is not null)
              or d.chain_id <> r.chain_id or d.balance + d.claimed < f.tokens * 1e18`,
  },
  {
    name: 'distributors_cover_their_rounds',
    says: 'By the last look at a final block each live round’s distributor holds and has paid out at least what its list allocates.',
    sql: `select d.round, l.height, l.balance, l.claimed, l.fault
            from delivery_distributors d left join delivery_looks l on l.round = d.round where l.round is null or l.fault is not null`,
  },
  {
    name: 'escrows_owe_what_their_orders_have',
    says: 'An order that is paid in an escrow has exactly the tokens that the contract owes for it.',
    sql: `select i.order_id, o.place, i.purchased, i.bonus from orders_in_escrows() i
            join orders o on o.id = i.order_id
           where nullif(split_part(o.place, ':', 8), '')::numeric is distinct from (i.purchased + i.bonus) * 1e18`,
  },
  {
    name: 'escrows_owe_what_the_ledger_says',
    says: 'By the last look at a final block each escrow owes the orders that are paid there and nobody else, and has the tokens that it says it has.',
    sql: `select e.chain, e.address, l.height, l.state, l.owed, l.promised, l.balance, l.claimed, l.fault
            from escrow_looks l join escrows e on e.id = l.escrow_id where l.fault is not null`,
  },
  {
    name: 'the_equation_holds',
    says: 'What was sold, given as bonus and granted is in the lists of rounds, owed by escrows, or held for later: each token once.',
    sql: `with e as (select kind, purchased, bonus, granted, holds from public_equation(${equationArguments}))
          select kind, purchased, bonus, granted from e where (select not holds from e where kind = 'ledger')`,
  },
  {
    name: 'round_rows_are_their_entries',
    says: 'Each row of a round is what its posting moved of its buyer, kind by kind.',
    sql: `with moved as (
            select p.round, e.user_id, coalesce(sum(e.amount) filter (where e.account = 'allocated_purchased'), 0) as purchased,
                   coalesce(sum(e.amount) filter (where e.account = 'allocated_bonus'), 0) as bonus,
                   coalesce(sum(e.amount) filter (where e.account = 'allocated_granted'), 0) as granted
              from postings p join entries e on e.posting_id = p.id
             where p.kind = 'round_frozen' and e.user_id is not null group by p.round, e.user_id)
          select coalesce(d.round, m.round) as round, coalesce(d.user_id, m.user_id) as user_id, d.tokens, m.purchased + m.bonus + m.granted as moved
            from delivery_round_rows d full join moved m on m.round = d.round and m.user_id = d.user_id
           where (d.purchased_tokens, d.bonus_tokens, d.granted_tokens) is distinct from (m.purchased, m.bonus, m.granted)`,
  },
  {
    name: 'rounds_are_made_of_what_stands',
    says: 'Each row of a round is the sum of what it has of its buyer’s orders, grants and rewards; no order has fewer tokens than rounds have of it, nor do its final payments buy fewer, and no grant or reward of a round was taken back.',
    sql: `with parts as (
            select d.*, coalesce(o.user_id, p.user_id) as user_id
              from delivery_round_parts d left join orders o on o.id = d.order_id left join postings p on p.id = d.posting_id),
          added as (
            select round, user_id, sum(purchased_tokens) as purchased, sum(bonus_tokens) as bonus, sum(granted_tokens) as granted
              from parts group by round, user_id)
          select coalesce(r.round, a.round) as round, coalesce(r.user_id, a.user_id) as user_id, null::bigint as order_id, null::bigint as posting_id
            from delivery_round_rows r full join added a on a.round = r.round and a.user_id = r.user_id
           where (r.purchased_tokens, r.bonus_tokens, r.granted_tokens) is distinct from (a.purchased, a.bonus, a.granted)
          union all
          select null::integer, o.user_id, o.id, null from orders o join parts d on d.order_id = o.id group by o.id
          having o.status <> 'approved' or sum(d.purchased_tokens) > o.base_tokens or sum(d.bonus_tokens) > o.bonus_tokens
              or o.detail <> 'under_review' and sum(d.purchased_tokens) > (final_purchase(o)).base_tokens
                 and exists (select from payments p where p.order_id = o.id and p.credited > 0 and p.final_at is null)
          union all
          select d.round, d.user_id, null, d.posting_id from parts d join postings v on v.reverses_id = d.posting_id`,
  },
  {
    name: 'round_files_are_what_was_recorded',
    says: 'The list of each round has the recorded hash and root, and its rows are those of the round.',
    sql: `with listed as (
            select f.round, (r ->> 'place')::integer as place, r ->> 'account' as address, (r ->> 'tokens')::numeric as units
              from delivery_round_files f, jsonb_array_elements(convert_from(f.content, 'UTF8')::jsonb -> 'rows') r)
          select round, null as place, 'hash or root' as fault from delivery_round_files
           where sha256 <> encode(sha256(content), 'hex') or root <> '0x' || encode(substring(tree for 32), 'hex')
              or convert_from(content, 'UTF8')::jsonb #>> '{distributor,root}' <> root
          union all
          select coalesce(l.round, d.round), coalesce(l.place, d.place), 'row'
            from listed l full join delivery_round_rows d on d.round = l.round and d.place = l.place
           where (l.address, l.units) is distinct from (d.address, d.tokens * 1e18)`,
  },
]
