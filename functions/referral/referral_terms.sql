-- The current terms of the referral programme; nulls while it is off.
create or replace function referral_terms(
  out percent numeric, out "mostTokensEach" numeric, out "mostTokens" numeric, out "countriesExcluded" text[]
) language sql stable as $$
  select t.* from campaign,
         jsonb_to_record(nullif(settings -> 'referral', 'null')) as t(
           percent numeric, "mostTokensEach" numeric, "mostTokens" numeric, "countriesExcluded" text[])
$$;
