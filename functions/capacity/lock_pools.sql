-- Locks all pools in a fixed order: stages by id, then the campaign.
create or replace function lock_pools() returns void language plpgsql as $$
begin
  perform 1 from stage_capacity order by stage_id for update;
  perform 1 from campaign_capacity for update;
end $$;
