-- What a block that is read again says of the refunds that it sent is asked of each such block.
create index refunds_by_block on refunds (chain, block_height) where block_height is not null;

-- What payments need that no order takes is asked at each look at a chain, among all that are not final yet.
create index payments_undecided on payments (chain) where final_at is null and fault is not null;
