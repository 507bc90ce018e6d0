import type { LedgerRule } from '../ledger/check.ts'

const newest = '(select max(id) from journal_logs)'

// Rules: LOG-1, LOG-2, LOG-11
export const journalRules: readonly LedgerRule[] = [
  {
    name: 'journal_says_every_row',
    says: 'Each posting, change of a setting and change of the price up to where the journal is settled is in it.',
    sql: `select s.source, r.id as row_id
            from journal_sources s
            join (select 'postings' as source, id from postings union all select 'campaign_changes', id from campaign_changes
                  union all select 'journal_facts', id from journal_facts union all select 'price_changes', id from price_changes) r
              on r.source = s.source and r.id > s.opened_id and r.id <= s.settled_id
            left join journal_entries j on j.log = s.log and j.source = s.source and j.row_id = r.id
           where s.log = ${newest} and j.place is null
             and not (s.source = 'journal_facts' and exists (
                   select from journal_facts f join journal_logs l on l.id = s.log
                    where f.id = r.id and f.kind in ('holdings.cut', 'holdings.summed') and f.said ->> 'origin' <> l.origin))`,
  },
  {
    name: 'journal_says_what_was_booked',
    says: 'An entry of the journal has the amounts, the stage and the way of its posting.',
    sql: `with booked as (
            select p.id, p.kind, min(e.stage_id) as stage,
                   abs(coalesce(sum(e.amount) filter (where e.account = 'buyer_purchased'), 0)) as base,
                   abs(coalesce(sum(e.amount) filter (where e.account = 'buyer_bonus'), 0)) as bonus,
                   abs(sum(e.amount) filter (where e.account = 'raised_on_chain')) as on_chain,
                   abs(sum(e.amount) filter (where e.account = 'raised_by_operator')) as by_operator,
                   abs(sum(e.amount) filter (where e.account = 'buyer_granted')) as granted,
                   abs(sum(e.amount) filter (where e.account = 'refunds_owed')) as owed,
                   abs(sum(e.amount) filter (where e.account = 'held_tokens')) as allocated
              from postings p left join entries e on e.posting_id = p.id group by p.id)
          select j.place as journal_entry, b.id as posting_id, j.entry
            from journal_entries j left join booked b on b.id = j.row_id cross join lateral (select j.entry::jsonb as said) x
           where j.log = ${newest} and j.source = 'postings'
             and case when b.kind in ('order_approved', 'order_reversed') then
                   ((said ->> 'base')::numeric, (said ->> 'bonus')::numeric, (said ->> 'usd')::numeric, (said ->> 'stage')::integer, said ->> 'way')
                   is distinct from (b.base, b.bonus, coalesce(b.on_chain, b.by_operator), b.stage, case when b.on_chain is null then 'operator' else 'chain' end)
                 when b.kind in ('grant', 'grant_reversed', 'referral', 'referral_reversed') then (said ->> 'tokens')::numeric is distinct from b.granted
                 when b.kind = 'round_frozen' then (said ->> 'tokens')::numeric is distinct from b.allocated
                 else (said ->> 'amount')::numeric is distinct from b.owed end`,
  },
  {
    name: 'journal_says_its_facts',
    says: 'An entry of the journal has what its fact says, and the newest fact of each subject is what stands.',
    sql: `select j.place::text as journal_entry, f.subject, j.entry
            from journal_entries j left join journal_facts f on f.id = j.row_id
           where j.log = ${newest} and j.source = 'journal_facts'
             and (j.entry::jsonb - array['v', 'kind', 'at', 'row', 'subject'], j.entry::jsonb ->> 'kind', j.entry::jsonb ->> 'subject')
                 is distinct from (f.said, f.kind, f.subject)
          union all
          select null, coalesce(s.subject, f.subject), coalesce(s.said, f.said)::text
            from facts_that_stand() s
            full join (select distinct on (subject) kind, subject, said from journal_facts order by subject, id desc) f on f.subject = s.subject
           where exists (select from journal_sources where source = 'journal_facts')
             and (s.subject is null or (s.kind, s.said) is distinct from (f.kind, f.said))
             and not (s.subject is null and (f.kind in ('actions.counted', 'holdings.cut', 'holdings.summed', 'currency.removed', 'announcement.withdrawn', 'document.withdrawn')
                                             or f.kind = 'payment.credited' and f.said ->> 'credited' = '0'))`,
  },
  {
    name: 'journal_sums_holdings',
    says: 'The newest tree of what buyers hold has a leaf for whoever held tokens where it was cut, of that much, and its sum is theirs.',
    sql: `select t.id as tree_id, h.user_id
            from holding_trees t
            join journal_facts f on f.kind = 'holdings.cut' and f.subject = 'holding_trees/' || t.id
            join journal_entries c on c.log = t.log and c.source = 'journal_facts' and c.row_id = f.id
           cross join lateral (
             select e.user_id, coalesce(sum(e.amount) filter (where e.account = 'buyer_purchased'), 0) as purchased,
                    coalesce(sum(e.amount) filter (where e.account = 'buyer_bonus'), 0) as bonus,
                    coalesce(sum(e.amount) filter (where e.account = 'buyer_granted'), 0) as granted
               from journal_entries j join entries e on e.posting_id = j.row_id
              where j.log = t.log and j.source = 'postings' and j.place < c.place
                and e.account in ('buyer_purchased', 'buyer_bonus', 'buyer_granted')
              group by e.user_id) h
            left join holding_leaves l on l.tree = t.id and l.user_id = h.user_id
           where t.id = (select max(id) from holding_trees where made_at is not null)
             and (h.purchased, h.bonus, h.granted) is distinct from (coalesce(l.purchased, 0), coalesce(l.bonus, 0), coalesce(l.granted, 0))
          union all
          select t.id, null from holding_trees t
           where t.id = (select max(id) from holding_trees where made_at is not null)
             and t.sum <> (select coalesce(sum(purchased + bonus + granted), 0) from holding_leaves where tree = t.id)`,
  },
  {
    name: 'journal_names_its_key',
    says: 'The key that signs the journal is the one that its newest entry about that names.',
    sql: `select l.vkey, j.entry from journal_logs l
           cross join lateral (select entry from journal_entries where log = l.id and source = 'journal' order by row_id desc limit 1) j
           where l.vkey is distinct from j.entry::jsonb ->> 'vkey'`,
  },
  {
    name: 'journal_is_its_tree',
    says: 'Each entry of the journal has its hash in the tree, and the newest checkpoint is of as many entries as there are.',
    sql: `select j.place as journal_entry, j.source, j.row_id
            from journal_entries j left join journal_tiles t on t.log = j.log and t.level = 0 and t.number = j.place / 256
           where j.log = ${newest}
             and substr(t.hashes, (j.place % 256)::integer * 32 + 1, 32) is distinct from sha256('\\x00'::bytea || convert_to(j.entry, 'UTF8'))
          union all
          select l.size, 'journal', max(c.size)
            from journal_logs l left join journal_checkpoints c on c.log = l.id
           where l.id = ${newest} group by l.id
          having max(c.size) is distinct from l.size
              or l.size <> (select count(*) from journal_entries j where j.log = l.id)`,
  },
]
