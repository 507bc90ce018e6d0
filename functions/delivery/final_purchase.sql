-- Judges an approved order by its final payments and those with tokens in a round only. The rest may still be
-- reversed.
-- Rules: DELIVER-27
create or replace function final_purchase(o orders) returns judgement language sql stable as $$
  select judge(o, t, c.coin_decimals,
               array(select x from unnest(payments_to_judge(o)) x join payments p on p.id = x.id
                      where p.credited > 0 and (p.final_at is not null or is_in_round(p))
                      order by x.seen_at, x.id),
               o.base_tokens)
    from order_terms t, currencies c where t.id = o.terms_id and c.id = o.currency_id
$$;
