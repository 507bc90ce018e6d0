-- What was raised is told with its two parts wherever it is told, also where the soft cap was missed.

alter table campaign add column soft_cap_raised_on_chain_usd numeric(20, 2);
comment on column campaign.soft_cap_raised_on_chain_usd is 'Which part of soft_cap_raised_usd a chain had confirmed; the rest was approved by operators.';

update campaign c
   set soft_cap_raised_on_chain_usd = (
     select coalesce(sum(e.amount), 0) from entries e join postings p on p.id = e.posting_id
      where e.account = 'raised_on_chain' and p.posted_at <= c.soft_cap_missed_at)
 where c.soft_cap_missed_at is not null;
