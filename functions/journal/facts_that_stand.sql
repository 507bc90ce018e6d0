-- Returns the current log entry of everything that the transparency log covers, by table. A missing entry was
-- forgotten. Drafts have no entry; hashes and formats are as in docs/journal.md.
-- Rules: LOG-2, GIVE-4
create or replace function facts_that_stand() returns table (source text, kind text, subject text, said jsonb)
language sql stable as $$
  select 'currencies', 'currency.set', 'currencies/' || k.id, jsonb_build_object(
           'currency', k.code, 'network', k.network, 'contract', nullif(k.token_contract, ''),
           'address', case when k.watched then '' else k.address end,
           'wallet', case when k.watched then k.wallet_id end,
           'isAccepted', k.switched_off_at is null, 'isPaused', k.paused_at is not null)
    from currencies k
  union all
  select 'payments', 'payment.credited', 'payments/' || p.id, payment_fact(p)
    from payments p where p.credited > 0
  union all
  select 'announcements', 'announcement.published', 'announcements/' || a.id, jsonb_build_object(
           'announcement', a.id, 'publishedAt', instant_of(a.published_at),
           'sha256', hash_of_local_texts(a.title, a.body))
    from announcements a where a.published_at is not null
  union all
  select 'documents', 'document.published', 'documents/' || d.id,
         jsonb_build_object('document', d.id, 'sha256', encode(u.sha256, 'hex'))
    from documents d join uploads u on u.id = d.upload_id
  union all
  select 'legal_texts', 'legal.published', 'legal_texts/' || t.kind || '.' || t.version,
         jsonb_build_object('text', t.kind, 'version', t.version, 'sha256', hash_of_local_texts(t.body))
    from legal_texts t
  union all
  select 'delivery_distributors', 'round.live', 'delivery_distributors/' || d.round, jsonb_build_object(
           'round', d.round, 'chainId', d.chain_id, 'contract', d.address, 'token', r.token,
           'codeHash', d.code_hash, 'height', d.height, 'blockHash', d.block_hash)
    from delivery_distributors d join delivery_rounds r on r.number = d.round
  union all
  select 'giveaways', 'giveaway.published', 'giveaways/' || g.id,
         jsonb_build_object('giveaway', g.id, 'sha256', g.sha256, 'drawAt', instant_of(g.draw_at))
    from giveaways g where g.published_at is not null
  union all
  select 'giveaway_lists', 'giveaway.fixed', 'giveaway_lists/' || l.giveaway_id, jsonb_build_object(
           'giveaway', l.giveaway_id, 'entries', cardinality(l.commitments), 'root', l.root)
    from giveaway_lists l
  union all
  select 'wallet_announcements', 'wallet.announced', 'wallet_announcements/' || n.id, jsonb_build_object(
           'wallet', w.id, 'family', w.family, 'script', w.script, 'net', w.net,
           'key', encode(n.key_hash, 'hex'), 'first', n.first_index, 'count', n.count,
           'root', encode(n.root, 'hex'))
    from wallet_announcements n join wallets w on w.id = n.wallet_id where n.root is not null
$$;
