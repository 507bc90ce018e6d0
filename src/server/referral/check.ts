import type { LedgerRule } from '../ledger/check.ts'

export const referralRules: readonly LedgerRule[] = [
  {
    name: 'referrals_are_decided_once',
    says: 'Each reward is of one decided order, goes to who brought its buyer, and is no more than the share, by the terms, of base tokens that the order had bought.',
    sql: `select p.id as posting_id, p.user_id, d.order_id, e.amount, d.base_tokens as base, r.percent
            from postings p
            left join entries e on e.posting_id = p.id and e.account = 'buyer_granted'
            left join referral_decisions d on d.posting_id = p.id
            left join orders o on o.id = d.order_id
            left join referrals r on r.friend_id = o.user_id
           where p.kind = 'referral'
             and (d.order_id is null or r.referrer_id is distinct from p.user_id or d.referrer_id <> p.user_id
                  or not exists (select from postings a join entries b on b.posting_id = a.id and b.account = 'buyer_purchased'
                                  where a.order_id = d.order_id and a.id < p.id and b.amount >= d.base_tokens)
                  or coalesce(e.amount <= 0 or e.amount > trunc(d.base_tokens * r.percent / 100, 6), true))`,
  },
  {
    name: 'referrals_decide_each_token_once',
    says: 'The base tokens of an order that are decided, those of rewards that went back left out, are no more than it ever had bought.',
    sql: `select d.order_id, sum(d.base_tokens) as decided
            from referral_decisions d
           where not exists (select from postings v where v.reverses_id = d.posting_id)
           group by d.order_id
          having sum(d.base_tokens) > (select max(b.amount) from postings a join entries b on b.posting_id = a.id and b.account = 'buyer_purchased'
                                        where a.order_id = d.order_id)`,
  },
  {
    name: 'referrals_stand_with_their_orders',
    says: 'A reward stands until its order was debited or something showed that its two accounts are one person’s; then it may go back, whole, unless a delivery round has it.',
    sql: `select p.id as posting_id, d.order_id, o.status, v.id as reversal, f.refusal
            from postings p
            join referral_decisions d on d.posting_id = p.id
            join orders o on o.id = d.order_id
            left join postings v on v.reverses_id = p.id
            left join delivery_round_parts k on k.posting_id = p.id
            left join referrals_found f on f.friend_id = o.user_id
           where p.kind = 'referral'
             and (num_nonnulls(v.id, k.posting_id) > 1
                  or v.id is null and o.status <> 'approved' and k.posting_id is null
                  or v.id is not null and f.refusal is null
                     and not exists (select from postings q where q.order_id = d.order_id and q.kind = 'order_reversed' and q.id > p.id and q.id < v.id)
                  or v.id is not null and (v.kind, v.user_id) is distinct from ('referral_reversed', p.user_id)
                  or v.id is not null and (select sum(amount) from entries where posting_id in (p.id, v.id) and account = 'buyer_granted') <> 0)
          union all
          select p.id, null, null, null, null from postings p
           where p.kind = 'referral_reversed'
             and not exists (select from postings r where r.id = p.reverses_id and r.kind = 'referral')`,
  },
  {
    name: 'referrals_keep_their_limits',
    says: 'Nobody stands credited with more for bringing buyers than the most generous terms of their friends allow one person, and all together no more than these allow all.',
    sql: `with standing as (
            select p.user_id, sum(e.amount) as tokens
              from postings p join entries e on e.posting_id = p.id and e.account = 'buyer_granted'
             where p.kind in ('referral', 'referral_reversed') group by p.user_id)
          select s.user_id, s.tokens, (select max(most_tokens_each) from referrals r where r.referrer_id = s.user_id) as most
            from standing s
           where s.tokens < 0 or s.tokens > coalesce((select max(most_tokens_each) from referrals r where r.referrer_id = s.user_id), 0)
          union all
          select null, sum(tokens), (select max(most_tokens) from referrals) from standing
          having sum(tokens) > coalesce((select max(most_tokens) from referrals), 0)`,
  },
]
