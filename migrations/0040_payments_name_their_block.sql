-- A payment is said with the block that holds it, so that any node finds it; said again where another block does.
drop trigger payments_are_said on payments;
create constraint trigger payments_are_said after insert or update of credited, block_hash on payments
  deferrable initially deferred for each row when (new.credited > 0) execute function say_payment();
