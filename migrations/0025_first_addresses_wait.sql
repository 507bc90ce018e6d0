-- The first address for a buyer's tokens waits a day as a change does. What counted at once and is younger than that waits for the rest of its day.
update delivery_addresses set counts_from = confirmed_at + interval '24 hours' where counts_from < confirmed_at + interval '24 hours';
comment on column delivery_addresses.counts_from is 'A day after the confirmation.';
