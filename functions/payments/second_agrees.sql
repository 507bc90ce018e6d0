-- Returns whether the second node shows a refund's transfer (p_subject refund) or a payment's return by its
-- escrow (return) in block p_height. By its own head, the block has p_needed confirmations and, if p_final,
-- is final.
-- Rules: SETTLE-28
create or replace function second_agrees(
  p_subject text, p_id bigint, p_height bigint, p_needed integer, p_final boolean
) returns boolean language sql stable as $$
  select exists (
    select from second_words w join chains c on c.name = w.chain
     where w.subject = p_subject and w.id = p_id and w.height = p_height
       and c.second_height - p_height + 1 >= p_needed
       and (not p_final or p_height <= c.second_finalized))
$$;
