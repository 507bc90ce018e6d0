-- The operator behind a grant or its reversal, the reason, and the request with its key and hash if it may be
-- repeated.
create type granted_by as (operator_id bigint, reason text, request_id text, key text, request_hash bytea);
