-- Returns the current log entry of everything that the transparency log covers. A missing entry was
-- forgotten.
-- Rules: LOG-2
create or replace function facts_that_stand() returns table (kind text, subject text, said jsonb)
language sql stable as $$
  select 'currency.set', 'currencies/' || k.id, currency_fact(k) from currencies k
  union all
  select 'payment.credited', 'payments/' || p.id, payment_fact(p) from payments p where p.credited > 0
  union all
  select 'announcement.published', 'announcements/' || a.id, announcement_fact(a)
    from announcements a where a.published_at is not null
  union all
  select 'document.published', 'documents/' || d.id, document_fact(d) from documents d
  union all
  select 'legal.published', 'legal_texts/' || t.kind || '.' || t.version, legal_fact(t) from legal_texts t
  union all
  select 'round.live', 'delivery_distributors/' || d.round, live_round_fact(d) from delivery_distributors d
  union all
  select 'giveaway.published', 'giveaways/' || g.id, giveaway_fact(g)
    from giveaways g where g.published_at is not null
  union all
  select 'giveaway.fixed', 'giveaway_lists/' || l.giveaway_id, giveaway_list_fact(l) from giveaway_lists l
  union all
  select 'wallet.announced', 'wallet_announcements/' || n.id, wallet_fact(n)
    from wallet_announcements n where n.root is not null
$$;
