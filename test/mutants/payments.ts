import { always, never, remove, replace } from './edit.ts'
import { embedded, mutantsOf } from './mutant.ts'

const facts = 'src/server/payments/payment-rules.test.ts'
const again = 'src/server/payments/changed-circumstances.test.ts'
const wallets = 'src/server/payments/wallets.test.ts'
const settling = 'src/server/payments/settling.test.ts'
const contracts = 'test/security-regressions/coins-that-a-contract-sent.test.ts'
const dust = 'test/security-regressions/dust-asks-nobody.test.ts'
const moved = 'test/security-regressions/moved-by-one-node.test.ts'
const silence = 'test/security-regressions/silence-of-a-node.test.ts'
const times = 'test/security-regressions/time-of-one-node.test.ts'

export const paymentMutants = mutantsOf({
  'fixed-address-of-an-order': {
    says: 'A wallet’s address that an order has becomes the fixed address of a currency.',
    edits: never('keep_fixed_address', 'address_key = v_key and wallet_id is not null'),
    killers: embedded(wallets),
  },
  'silence-for-a-fact': {
    says: 'What a block lacks in one reading has failed.',
    edits: replace('lacks_for_good', "interval '1 hour'", "interval '0'"),
    killers: embedded(silence),
  },
  'silence-of-one-node-of-two': {
    says: 'What one node lacks has failed, though another one shows it.',
    edits: replace('is_lost', 'not p.needs_second or', 'true or'),
    killers: embedded(silence),
  },
  'refund-by-one-node': {
    says: 'A refund of many dollars is paid by the word of the first node alone.',
    edits: never('refresh_refunds', 'c.second'),
    killers: embedded('test/security-regressions/money-back-by-one-node.test.ts'),
  },
  'refund-undone-by-one-node': {
    says: 'A refund of many dollars is owed again because the first node lacks it.',
    edits: never('undo_lacking_refunds', '(confirmations_needed(r.chain, r.usd)).second'),
    killers: embedded('test/security-regressions/money-back-by-one-node.test.ts'),
  },
  'return-by-one-node': {
    says: 'What an escrow gave back counts by the word of the first node alone.',
    edits: always('count_returns', 'not p.needs_second or c.second_above_usd is null'),
    killers: embedded('test/security-regressions/money-back-by-one-node.test.ts'),
  },
  'refund-moved-by-one-node': {
    says: 'A paid refund moves to another block because a node lists it there too.',
    edits: never('record_refund_sending', "state = 'paid' and block_height <> t.height"),
    killers: embedded('test/security-regressions/money-back-by-one-node.test.ts'),
  },
  'refund-of-two-amounts': {
    says: 'What sends one refund sends another one because a node lists it with another amount.',
    edits: remove('record_refund_sending', 'amount <> t.amount or'),
    killers: embedded('test/security-regressions/kept-beside-one-refund-pays-another.test.ts'),
  },
  'sent-in-another-block': {
    says: 'What an address of the sale sent moves to another block because a node lists it there.',
    edits: remove(
      'note_coins_sent',
      'where coins_sent.height = excluded.height or coins_sent.lacking is not null',
    ),
    killers: embedded('test/security-regressions/moved-by-one-node.test.ts'),
  },
  'no-of-another-time': {
    says: 'What the second node lacked hours before counts beside what it lacks now.',
    edits: remove('note_lacking_block', 'update second_words w set lacking = null where … ;'),
    killers: embedded('test/security-regressions/money-back-by-one-node.test.ts'),
  },
  'no-beside-an-old-yes': {
    says: 'What the second node showed of a refund counts though it lacks it now.',
    edits: remove('src/server/payments/chain-store.ts:#noteWord', 'height = null,'),
    killers: embedded('test/security-regressions/money-back-by-one-node.test.ts'),
  },
  'late-and-worth-little': {
    says: 'A late payment that can’t buy needs the blocks and nodes of the locked rate.',
    edits: replace(
      'usd_of_payment',
      'abs(coalesce(p.late_rate, late_rate_of(p)))',
      'coalesce(p.late_rate, late_rate_of(p))',
    ),
    killers: embedded('test/security-regressions/worth-of-a-late-payment.test.ts'),
  },
  'return-that-its-block-lacks': {
    says: 'What an escrow gave back counts though its block lacks it.',
    edits: always('count_returns', 'p.return_lacking is null'),
    killers: embedded('test/security-regressions/money-back-by-one-node.test.ts'),
  },
  'lacking-and-final': {
    says: 'What its block lacks becomes final.',
    edits: replace('refresh_payments', 'and f.is_shown and f.is_deep', 'and f.is_deep'),
    killers: embedded(silence),
  },
  'another-amount-of-the-same-block': {
    says: 'One node changes what was counted by another amount of the same block.',
    edits: replace('note_payment_place', 'if not v_is_lost then', 'if false then'),
    killers: embedded(silence),
  },
  'balance-for-ever': {
    says: 'A balance that a node made up once buys for ever.',
    edits: remove(
      'record_balance',
      'perform note_lacking_balances(p_at.chain, a, -v_left) where v_sent = a.base_sent or v_left >= 0;',
    ),
    killers: embedded(silence),
  },
  'counted-twice-once-it-is-back': {
    says: 'A transfer that comes back is counted beside the balance that showed it meanwhile.',
    edits: never(
      'record_transfer',
      "exists (select from payments p where p.chain = t.chain and p.address = a.address and p.output_key = 'balance' and not p.failed and p.block_height >= t.height)",
    ),
    killers: embedded('test/security-regressions/left-out-and-back.test.ts'),
  },
  'moved-by-one-node': {
    says: 'A payment moves to another block because a node lists it there too.',
    edits: never(
      'note_payment_place',
      't.hash <> block_hash and (not needs_second or verified_hash = block_hash)',
    ),
    killers: embedded(moved),
  },
  'word-of-before-it-failed': {
    says: 'What both nodes lacked counts again by the word of the first one alone.',
    edits: replace(
      'note_payment_place',
      'case when not p.failed then p.verified_hash end',
      'p.verified_hash',
    ),
    killers: embedded(silence),
  },
  'balance-lacks-a-made-up-transfer': {
    says: 'A balance lacks the coins of a transfer that one node made up.',
    edits: never('note_lacking_balances', 'p.needs_second and p.verified_hash is distinct from p.block_hash'),
    killers: embedded(moved),
  },
  'sweep-left-out-once': {
    says: 'What one reading of its block leaves out was never sent.',
    edits: replace('known_balances', 'not lacks_for_good(s.lacking)', 's.lacking is null'),
    killers: embedded(contracts),
  },
  'word-of-a-node-that-is-gone': {
    says: 'A payment waits for a second node that operators removed.',
    edits: never('raise_payment_needs', '(select second_above_usd from chains where name = p_chain) is null'),
    killers: embedded('src/server/payments/evm/lying-node.test.ts'),
  },
  'reorganisation-of-one-node': {
    says: 'What counts by the word of two nodes is undone where one of them shows other blocks.',
    edits: never('src/server/payments/watcher.ts:#requireBothToUndo', 'shown === null || shown === hash'),
    killers: embedded('test/security-regressions/reorganisation-of-one-node.test.ts'),
  },
  'too-few-blocks-by-one-node': {
    says: 'What counts by the word of two nodes is undone where one of them shows too few blocks above it.',
    edits: remove(
      'src/server/payments/chain-store.ts:readHashCountedByTwo',
      'or ${last} - p.block_height + 1 < p.confirmations_needed',
    ),
    killers: embedded('test/security-regressions/reorganisation-of-one-node.test.ts'),
  },
  'final-no-more': {
    says: 'A node that says later that less is final takes confirmations back.',
    edits: replace(
      'payment_lacks',
      'p.block_height > coalesce(c.finalized_height, -1) and not p.confirmed',
      'p.block_height > coalesce(c.finalized_height, -1)',
    ),
    killers: embedded('src/server/payments/evm/lying-node.test.ts'),
  },
  'return-before-it-is-deep': {
    says: 'The room of what an escrow gives back is sold while its block is still read again.',
    edits: replace(
      'count_returns',
      'p_height - p.returned_height + 1 >= p_final_depth',
      'p_height - p.returned_height + 1 >= p.confirmations_needed',
    ),
    killers: embedded('test/security-regressions/money-back-by-one-node.test.ts'),
  },
  'counted-return-looked-at': {
    says: 'What an escrow gave back, and is deep, is undone because its block lacks it.',
    edits: [remove('note_returns', 'and p.fault is null'), remove('note_returns', 'and fault is null')],
    killers: embedded('src/server/payments/evm/escrow.test.ts'),
  },
  'time-of-one-node': {
    says: 'A payment that needs two nodes counts from the time that the first one says of its block.',
    edits: remove(
      'src/server/payments/chain-store.ts:#apply',
      ', mined_at = greatest(mined_at, least(clock_timestamp(), ${event.minedAt}))',
    ),
    killers: embedded(times),
  },
  'seen-as-one-node-says': {
    says: 'A payment that needs two nodes was seen when the first one says that its block was mined.',
    edits: replace('raise_payment_needs', 'then greatest(p.seen_at, p.recorded_at)', 'then p.seen_at'),
    killers: embedded(times),
  },
  'balance-of-another-block': {
    says: 'A second node that shows coins of a contract later than the first one agrees.',
    edits: replace(
      'src/server/payments/evm/second-node.ts:askBalance',
      'balances.findIndex(',
      'balances.findLastIndex(',
    ),
    killers: embedded(times),
  },
  'named-only-and-owed': {
    says: 'A refund whose transaction was only named is owed for a payment that is gone.',
    edits: remove(
      'write_off_refunds',
      "or (f.state = 'sent' and f.output_key is null and f.block_height is null)",
    ),
    killers: embedded(again),
  },
  'failed-sending-owed': {
    says: 'A refund whose transaction failed is owed for a payment that is gone.',
    edits: remove('forget_sending', 'return next r.order_id;'),
    killers: embedded(again),
  },
  'confirmations-boundary': {
    says: 'A payment of exactly the dollars of a rule’s boundary needs what smaller ones need.',
    edits: replace(
      'confirmations_needed',
      "p_usd < (r ->> 'belowUsd')::numeric",
      "p_usd <= (r ->> 'belowUsd')::numeric",
    ),
    killers: embedded(facts),
  },
  'seen-4-hours-before-its-block': {
    says: 'A payment counts from when it was seen, though no block held it within 3 hours of that.',
    edits: replace('settlement_rules', "interval '3 hours'", "interval '4 hours'"),
    killers: embedded(facts),
  },
  'lost-claim-stays-owed': {
    says: 'A refund that its buyer has claimed stays owed though its payment is gone.',
    edits: remove('write_off_refunds', ", 'claimed', 'prepared'"),
    killers: embedded(facts),
  },
  'payment-before-reservation': {
    says: 'A payment from before the address was reserved counts.',
    edits: replace(
      'record_transfer',
      'if t.height <= a.base_height and t.mined_at',
      'if false and t.height <= a.base_height and t.mined_at',
    ),
    killers: embedded(facts),
  },
  'larger-transfer-pays-refund': {
    says: 'Any larger transfer of ours pays a refund.',
    edits: replace(
      'refund_of_transfer',
      'r.amount = p_transfer.amount and',
      'r.amount <= p_transfer.amount and',
    ),
    killers: embedded(facts),
  },
  'stale-rate-of-late': {
    says: 'A late payment settles by a rate of a feed that was stale then.',
    edits: never('rate_at', "v_source = 'feed'"),
    killers: embedded(facts),
  },
  'one-confirmation-less': {
    says: 'A payment counts with one confirmation less than it needs.',
    edits: replace(
      'payment_lacks',
      'p_confirmations < p.confirmations_needed',
      'p_confirmations < p.confirmations_needed - 1',
    ),
    killers: embedded(settling),
  },
  'reorg-leaves-refund-paid': {
    says: 'A refund whose block is gone stays paid.',
    edits: remove('undo_blocks', ", 'paid'"),
    killers: embedded(facts),
  },
  'lost-payment-never-fails': {
    says: 'A payment that no node has had for a day keeps waiting.',
    edits: remove('refresh_payments', 'or coalesce(j.is_gone, false)'),
    killers: embedded(facts),
  },
  'attach-other-currency': {
    says: 'A payment of another currency is attached to an order.',
    edits: remove(
      'src/server/payments/payment-actions.ts:attach',
      '|| payment.currency_id !== order.currency_id',
    ),
    killers: embedded(facts),
  },
  'attached-needs-what-it-needed-alone': {
    says: 'What an operator attaches needs no more than its own dollars ask for.',
    edits: replace('raise_payment_needs', 'greatest((asked_of(o)).usd, 0, case', 'greatest(0, case'),
    killers: embedded('src/server/payments/settling-steps.test.ts'),
  },
  'refund-unconfirmed': {
    says: 'A payment is owed back before it has its confirmations.',
    edits: remove('src/server/payments/payment-actions.ts:refund', '!payment.is_enough ||'),
    killers: embedded(facts),
  },
  'refund-not-final': {
    says: 'A payment that needs a final block is confirmed, or owed back, without one.',
    edits: replace(
      'payment_lacks',
      'p.needs_finalized and p.block_height > coalesce(c.finalized_height, -1)',
      'p.needs_finalized and p.block_height < coalesce(c.finalized_height, -1)',
    ),
    killers: embedded(facts),
  },
  'foreign-by-the-rate-of-the-order': {
    says: 'What a payment in another coin is worth counts for nothing.',
    edits: replace('raise_payment_needs', 'when p.alive then greatest(', 'when true then greatest('),
    killers: embedded(facts),
  },
  'refund-prepared-after-mined': {
    says: 'A refund whose transaction is in a block is prepared again.',
    edits: replace(
      'src/server/payments/refund-files.ts:lockDue',
      "(r.state = 'sent' and r.block_height is null)",
      "(r.state in ('sent', 'paid'))",
    ),
    killers: embedded(facts),
  },
  'refund-marked-by-one-key': {
    says: 'While the key is replaced, the payment of a refund that is sealed under the old one is not found.',
    edits: replace(
      'src/server/secrets/stored-texts.ts:allOfRefundAddress',
      'const marks = secrets.macs(REFUND_MARK, refundMarkText(network, address))',
      'const marks = [secrets.mac(REFUND_MARK, refundMarkText(network, address))]',
    ),
    killers: embedded('src/server/secrets/reseal.test.ts'),
  },
  'refund-confirmed-unseen': {
    says: 'A refund is sent to another address than the second operator saw.',
    edits: remove('src/server/payments/refund-actions.ts:lockSeen', 'address !== seen.address ||'),
    killers: embedded('src/server/payments/second-operator.test.ts'),
  },
  'spent-coins-again': {
    says: 'The transaction of a refund spends coins that are spent.',
    edits: replace(
      'src/server/payments/unsigned-transaction.ts:unspentCoins',
      'and (p.spent_by is null or',
      'and (true or',
    ),
    killers: embedded(facts),
  },
  'final-spends-unwatched': {
    says: 'A resumed chain that spends the coins of a final payment otherwise leaves it to come back.',
    edits: replace('src/server/payments/chain-store.ts:readInputs', 'and c.takes_new_chain', 'and false'),
    killers: embedded('src/server/payments/bitcoin/litecoin.test.ts'),
  },
  'orphaned-waits-for-ever': {
    says: 'A payment that a reorganisation removed never fails, though no node has it.',
    edits: replace(
      'note_mempool',
      'not failed and replaced_by is null and (missing_since',
      'final_at is null and alive and (missing_since',
    ),
    killers: embedded(settling),
  },
  'final-before-the-chain-says': {
    says: 'Blocks of a new chain history are final up to the height of the old one.',
    edits: replace(
      'undo_blocks',
      'set finalized_height = p_height',
      'set finalized_height = finalized_height',
    ),
    killers: embedded(facts),
  },
  'coins-of-a-round-buy-again': {
    says: 'Another transaction buys again with the coins that bought what a round has.',
    edits: remove('record_transfer', 'perform take_place_of_lost(t, a.address);'),
    killers: embedded('test/security-regressions/lost-beside-what-a-round-has.test.ts'),
  },
  'coins-paid-back-owed-again': {
    says: 'Coins that were paid back once are owed again by another transaction.',
    edits: replace('take_place_of_lost', "(r.state = 'paid' or r.state", '(false or r.state'),
    killers: embedded('test/security-regressions/lost-beside-what-a-round-has.test.ts'),
  },
  'watcher-reads-unfenced': {
    says: 'A process that no longer leads a chain reads where the chain was left.',
    edits: replace(
      'src/server/payments/chain-store.ts:readPosition',
      'takes_new_chain from chains where name = ${this.#chain} and epoch = ${epoch}`',
      'takes_new_chain from chains where name = ${this.#chain} and ${epoch}::bigint >= 0`',
    ),
    killers: embedded(facts),
  },
  'watcher-writes-unfenced': {
    says: 'A process that no longer leads a chain writes.',
    edits: [
      replace(
        'src/server/payments/chain-store.ts:readPosition',
        'takes_new_chain from chains where name = ${this.#chain} and epoch = ${epoch}`',
        'takes_new_chain from chains where name = ${this.#chain} and ${epoch}::bigint >= 0`',
      ),
      replace(
        'src/server/payments/chain-store.ts:#hold',
        'and epoch = ${epoch} for update`',
        'and ${epoch}::bigint >= 0 for update`',
      ),
    ],
    killers: [embedded(facts), embedded('src/server/payments/watchers.test.ts')],
  },
  'address-of-unchecked-wallet': {
    says: 'An address is given out from a wallet that nobody compared.',
    edits: remove('src/server/payments/wallets.ts:#takeRun', 'and w.checked_at is not null'),
    killers: embedded('src/server/payments/wallets.test.ts'),
  },
  'unchecked-wallet-assigned': {
    says: 'A currency is put on a wallet that nobody compared.',
    edits: remove(
      'src/server/payments/wallet-actions.ts:assignWallet',
      "if (wallet && wallet.checkedAt === null) refuse('wallet_not_checked')",
    ),
    killers: embedded('src/server/http/payments.test.ts'),
  },
  'changed-amount-stays-confirmed': {
    says: 'An amount that nobody has confirmed is credited, because the one before was confirmed.',
    edits: remove('change_payment_amount', ', confirmed = false'),
    killers: embedded('src/server/payments/evm/lying-node.test.ts'),
  },
  'first-block-of-a-liar': {
    says: 'What the first node said of its first block binds for good.',
    edits: replace(
      'chain_is_in_use',
      'select exists (select from payments where chain = p_chain)',
      'select exists (select from chains where name = p_chain)',
    ),
    killers: embedded('src/server/payments/chain-nodes.test.ts'),
  },
  'first-block-never-binds': {
    says: 'A node with another first block takes over a chain on which something was paid.',
    edits: replace(
      'chain_is_in_use',
      'select exists (select from payments where chain = p_chain)',
      'select exists (select from payments where chain is null)',
    ),
    killers: embedded('src/server/payments/chain-nodes.test.ts'),
  },
  'balance-of-then-is-nothing': {
    says: 'An address of which the node has forgotten what it held when it was given out is said to have held nothing.',
    edits: replace(
      'note_base',
      'p_height = p_given_at or p_balance <= since',
      'p_height >= p_given_at or p_balance <= since',
    ),
    killers: embedded('test/security-regressions/balance-of-then-forgotten.test.ts'),
  },
  'balance-of-now-for-that-of-then': {
    says: 'What an address holds now stands for what it held when it was given out.',
    edits: replace('note_base', 'then p_balance else 0 end', 'then p_balance else p_balance end'),
    killers: embedded('test/security-regressions/balance-of-then-forgotten.test.ts'),
  },
  'coins-that-come-back-are-new': {
    says: 'Coins that a contract sent in time and a reorganisation moved are first seen when they came back.',
    edits: replace(
      'record_balance',
      'orphaned_at is not null and not failed',
      'orphaned_at is not null and failed',
    ),
    killers: embedded(contracts),
  },
  'coins-of-hours-later-come-back': {
    says: 'Coins that a contract sends hours later are first seen when those were that a reorganisation took.',
    edits: remove('record_balance', 'and seen_at >= p_at.mined_at - (settlement_rules()).confirm_within'),
    killers: embedded(contracts),
  },
  'part-that-comes-back-is-new': {
    says: 'Coins of one block that a reorganisation put into two are first seen, in part, when they came back.',
    edits: replace('record_balance', 'least(seen_at, v_seen)', 'seen_at'),
    killers: embedded(contracts),
  },
  'sent-nothing-before-it-was-given-out': {
    says: 'An address is said to have sent nothing before it was given out, so no coins of contracts count there.',
    edits: replace('note_base', 'base_sent = p_sent - since.sent', 'base_sent = 0'),
    killers: embedded(contracts),
  },
  'refund-to-an-address-of-today': {
    says: 'A refund is prepared for an address that was named within the last day.',
    edits: replace(
      'refund_is_due',
      'coalesce(r.claimed_at <= clock_timestamp() - (settlement_rules()).change_address, false)',
      'r.claimed_at is not null',
    ),
    killers: embedded(facts),
  },
  'refund-of-a-payment-that-may-go': {
    says: 'A refund is prepared before its payment is final.',
    edits: remove('refund_is_due', 'and p.final_at is not null'),
    killers: embedded(facts),
  },
  'another-address-counts-from-the-first': {
    says: 'Another address of a refund counts a day after the first one was named.',
    edits: replace(
      'src/server/payments/refunds.ts:#writeAddress',
      'claimed_at = clock_timestamp()',
      'claimed_at = coalesce(claimed_at, clock_timestamp())',
    ),
    killers: embedded(facts),
  },
  'swept-coins-never-came': {
    says: 'What an address sent is not added to what it holds, so nothing that comes after a sweep counts.',
    edits: replace('known_balances', 'select s.height, -s.cost, 1', 'select s.height, 0, 1'),
    killers: embedded(contracts),
  },
  'coins-came-when-they-were-seen': {
    says: 'Coins that a contract sent count from the block at which somebody looked.',
    edits: replace(
      'src/server/payments/evm/balance-rises.ts:Search',
      'return middle > this.#low ? middle : null',
      'return middle > this.#high.height ? middle : null',
    ),
    killers: embedded(contracts),
  },
  'every-rise-in-one-poll': {
    says: 'Small coins of contracts to own addresses make one poll ask the node tens of thousands of times.',
    edits: remove('src/server/payments/evm/balance-rises.ts:findRises', '.slice(0, left)'),
    killers: embedded('src/server/payments/evm/balance-rises.test.ts'),
  },
  'sweep-as-the-first-node-says': {
    says: 'A second node confirms coins by what the first node says that the address sent.',
    edits: replace('src/server/payments/evm/second-node.ts:askBalance', 'isHeld && isSent', 'isHeld'),
    killers: embedded(contracts),
  },
  'second-node-needs-old-states': {
    says: 'A second node that has forgotten a block never confirms what a contract sent in it.',
    edits: replace(
      'src/server/payments/chain-store.ts:readUnverified',
      'greatest(c.height, p.block_height)',
      'p.block_height',
    ),
    killers: embedded(contracts),
  },
  'key-of-another-transaction': {
    says: 'A refund keeps the place of its transfer in a transaction that no longer sends it.',
    edits: replace(
      'mark_refund_sent',
      'case when transaction_id = p_transaction_id then output_key end',
      'output_key',
    ),
    killers: embedded('test/security-regressions/one-file-again-for-two-refunds.test.ts'),
  },
  'named-before-what-nothing-sends': {
    says: 'Our transfer sends a refund for which an operator named another transaction.',
    edits: replace(
      'refund_of_transfer',
      'coalesce(r.transaction_id = p_transfer.transaction_id, false) desc',
      '(r.transaction_id = p_transfer.transaction_id) desc nulls last',
    ),
    killers: embedded('test/security-regressions/one-transfer-of-two-that-look-alike.test.ts'),
  },
  'paid-by-word-and-again': {
    says: 'A transaction that paid one refund by the word of operators pays another one.',
    edits: replace('refund_of_transfer', "f.paid_via = 'operator'", "f.paid_via = 'nobody'"),
    killers: embedded('test/security-regressions/owed-in-another-token.test.ts'),
  },
  'base-above-the-fork': {
    says: 'What an address held when it was given out is not asked again where that block is gone.',
    edits: replace('undo_blocks', 'a.base_height > p_height', 'a.base_height > p_height + 1000'),
    killers: embedded('test/security-regressions/paid-before-the-address-was-given-out.test.ts'),
  },
  'base-of-a-block-that-is-gone': {
    says: 'What an address held in a block that a reorganisation removed stands for what it held when it was given out.',
    edits: remove('note_base', 'and coalesce(a.base_height, p_given_at) = p_given_at'),
    killers: embedded('test/security-regressions/paid-before-the-address-was-given-out.test.ts'),
  },
  'owed-by-an-old-height': {
    says: 'A transfer of the reading in which money becomes owed pays it.',
    edits: remove(
      'src/server/payments/chain-store.ts:write',
      'await tx.query(sql`update chains set height = ${last.height} where name = ${this.#chain}`)',
    ),
    killers: embedded('test/security-regressions/refund-paid-by-the-reading-that-owes-it.test.ts'),
  },
  'given-in-another-asset': {
    says: 'A payment in another asset, which names its order, is given to an order of its own coin.',
    edits: replace(
      'src/server/payments/payment-actions.ts:attach',
      "fault !== 'unmatched'",
      'fault === null',
    ),
    killers: embedded('src/server/payments/payment-rules.test.ts'),
  },
  'given-to-a-later-order': {
    says: 'A payment that names no order is given to one that was made after it was seen.',
    edits: replace(
      'src/server/payments/payment-actions.ts:attach',
      'order.created_at > payment.first_seen',
      'order.created_at > new Date()',
    ),
    killers: embedded('src/server/payments/payment-rules.test.ts'),
  },
  'given-to-an-order-of-operators': {
    says: 'A payment on a chain is given to an order that operators confirm.',
    edits: replace('src/server/payments/payment-actions.ts:attach', 'o.watched and', 'true and'),
    killers: embedded('src/server/payments/payment-rules.test.ts'),
  },
  'approved-beside-its-chain': {
    says: 'An operator approves an order that its chain confirms.',
    edits: remove('approve_orders', "when v.watched and p_via <> 'chain' then 'order_on_chain'"),
    killers: embedded('test/security-regressions/chain-or-operators.test.ts'),
  },
  'transfer-for-two-refunds': {
    says: 'One transfer that is named for two refunds pays the second one too.',
    edits: replace('src/server/payments/chain-store.ts', '${event.outputKey}', "'named'"),
    killers: embedded('test/security-regressions/one-transfer-for-two-refunds.test.ts'),
  },
  'coins-under-another-key': {
    says: 'A transfer of coins that is named has another key than its block gives it, and pays a second refund.',
    edits: replace(
      'src/server/payments/evm/named-transfer.ts:readNamedTransfers',
      "['value', BigInt",
      "['named', BigInt",
    ),
    killers: embedded('test/security-regressions/one-transfer-for-two-refunds.test.ts'),
  },
  'gain-for-two-refunds': {
    says: 'What contracts bring to an address in one block pays every refund for which a transaction of that block is named.',
    edits: replace('refund_of_transfer', "p_transfer.output_key = 'named' and exists", 'false and exists'),
    killers: embedded('test/security-regressions/one-transfer-for-two-refunds.test.ts'),
  },
  'gain-with-what-was-sent-directly': {
    says: 'What others send directly in the same block counts as brought by the named transaction of a contract.',
    edits: replace(
      'src/server/payments/evm/named-transfer.ts:unitsOfContracts',
      'units - BigInt(value)',
      'units - 0n * BigInt(value)',
    ),
    killers: embedded('test/security-regressions/one-transfer-for-two-refunds.test.ts'),
  },
  'refund-paid-before-it-was-owed': {
    says: 'A transfer in a block of before a refund was owed pays it.',
    edits: remove('refund_of_transfer', 'and coalesce(p_transfer.height > r.from_height, true)'),
    killers: embedded('test/security-regressions/one-transfer-for-two-refunds.test.ts'),
  },
  'decimals-of-one-node': {
    says: 'A token counts in the decimals that the first node alone says.',
    edits: replace(
      'src/server/payments/evm/evm-chain.ts:tokenDecimals',
      'this.#second ? [this.#rpc, this.#second] : [this.#rpc]',
      '[this.#rpc]',
    ),
    killers: embedded('src/server/payments/evm/decimals.test.ts'),
  },
  'senders-over-a-change': {
    says: 'The addresses that refunds are paid from are replaced over a change that was not seen.',
    edits: replace(
      'src/server/payments/refund-actions.ts:refuseOtherSenders',
      'if (seen !== undefined && seen !== revision)',
      'if (seen !== undefined && seen < 0)',
    ),
    killers: embedded('src/server/payments/second-operator.test.ts'),
  },
  'wallet-over-a-change': {
    says: 'A currency is put on a wallet over a change that was not seen.',
    edits: replace(
      'src/server/payments/wallet-actions.ts:refuseOtherRevision',
      'if (seen !== undefined && seen !== row.revision)',
      'if (seen !== undefined && seen < 0)',
    ),
    killers: embedded('src/server/payments/second-operator.test.ts', 'src/server/http/payments.test.ts'),
  },
  'index-for-two': {
    says: 'Orders that are made at once get one address.',
    edits: remove('src/server/payments/wallets.ts:#takeIndexes', '+ nth'),
    killers: embedded('src/server/payments/wallets.test.ts'),
  },
  'run-counted-as-one': {
    says: 'Of addresses that were taken together all but the first are given away again.',
    edits: [
      replace(
        'src/server/payments/wallets.ts:#takeRun',
        'next_index = next_index + ${count} where',
        'next_index = next_index + 1 where',
      ),
      replace(
        'src/server/payments/wallets.ts:#takeRun',
        'returning next_index - ${count} as index',
        'returning next_index - 1 as index',
      ),
    ],
    killers: embedded('src/server/payments/wallets.test.ts'),
  },
  'address-of-a-chain-unread': {
    says: 'An address is given out while nobody can tell what it got before.',
    edits: always('src/server/payments/wallets.ts:#takeRun', 'c.height is not null'),
    killers: embedded('src/server/payments/wallets.test.ts'),
  },
  'address-of-the-wallet-before': {
    says: 'An order takes the money to a wallet that was just replaced.',
    edits: replace(
      'draft_orders',
      'and (k.wallet_id is distinct from r.wallet_id or c.height is null)',
      'and (c.height is null)',
    ),
    killers: embedded('src/server/payments/wallets.test.ts'),
  },
  'address-beside-a-change': {
    says: 'An order takes the money to a wallet that is being replaced at that moment.',
    edits: replace(
      'create_orders',
      'perform from currencies where id in (select currency_id from unnest(p_requests)) order by id for key share',
      'perform from currencies where id in (select currency_id from unnest(p_requests)) order by id',
    ),
    killers: embedded('src/server/payments/wallets.test.ts'),
  },
  'spend-on-another-chain': {
    says: 'What is spent on one chain replaces a payment on another, whose inputs have the same names.',
    edits: remove('record_spend', "and chain || '' = p_chain"),
    killers: embedded(facts, settling),
  },
  'spent-by-itself': {
    says: 'A payment that spends its own input counts as replaced.',
    edits: remove('record_spend', 'and transaction_id <> p_by'),
    killers: embedded(facts, settling),
  },
  'mined-and-replaced': {
    says: 'A payment that lies in a block counts as replaced by what spends its input elsewhere.',
    edits: remove('record_spend', 'and block_height is null'),
    killers: embedded(facts, settling),
  },
  'own-spend-fails-unmined': {
    says: 'A payment failed though no block holds it yet.',
    edits: remove('record_spend', 'and p_height is not null'),
    killers: embedded(facts, settling),
  },
  'own-spend-never-fails': {
    says: 'A payment whose block moved nothing to us is waited for.',
    edits: replace('record_spend', 'set failed = true, block_height', 'set failed = false, block_height'),
    killers: embedded(facts, settling),
  },
  'replaced-unsaid': {
    says: 'An order waits for a payment that another transaction replaced.',
    edits: replace(
      'record_spend',
      'set replaced_by = p_by, missing_since',
      'set replaced_by = null, missing_since',
    ),
    killers: embedded(facts, settling),
  },
  'more-than-ordered-needs-no-more': {
    says: 'Payments that bring more than was ordered need no more than the order does.',
    edits: replace('raise_payment_needs', 'then greatest(s.usd, usd_of_payment(o, p.*))', 'then 0'),
    killers: embedded(facts, settling),
  },
  'late-needs-of-the-locked-rate': {
    says: 'A late payment needs the confirmations of its dollars at the locked rate, whatever it buys.',
    edits: replace('usd_of_payment', ', abs(coalesce(p.late_rate, late_rate_of(p)))', ''),
    killers: embedded(facts),
  },
  'parts-unmined-raise-needs': {
    says: 'What no block holds yet has other parts wait.',
    edits: replace(
      'raise_payment_needs',
      'o.id and p.alive and p.block_height is not null',
      'o.id and p.alive',
    ),
    killers: embedded(facts, settling),
  },
  'counting-block-settles': {
    says: 'Each block settles every order whose payment it confirms once more.',
    edits: always('refresh_payments', 'j.is_gone is true or j.is_final or j.is_confirmed <> j.was_confirmed'),
    killers: embedded(settling),
  },
  'confirmed-by-the-need-before': {
    says: 'A payment stays confirmed by what it needed before.',
    edits: replace(
      'raise_payment_needs',
      'update payments p … confirmed = false',
      'update payments p … confirmed = p.confirmed',
    ),
    killers: embedded(facts, settling),
  },
  'second-of-parts-unasked': {
    says: 'Parts that need the second node’s word only together go without it.',
    edits: remove('raise_payment_needs', 'or n.second'),
    killers: embedded(facts, settling),
  },
  'undecided-needs-of-then': {
    says: 'A payment of another coin keeps the needs of its first amount when its block executes it with more.',
    edits: replace('raise_payment_needs', 'and is_to_decide(p)', 'and false'),
    killers: embedded(again),
  },
  'written-off-for-ever': {
    says: 'What was written off as dust stays so when its block says that it brought much.',
    edits: remove('change_payment_amount', ', written_off_at = null, written_off_reason = null'),
    killers: embedded(again),
  },
  'dust-of-another-coin-asks': {
    says: 'Dust of another listed coin asks operators for a decision each.',
    edits: never('payment_fault', 'usd_of_coin(…) < (settlement_rules()).least_usd'),
    killers: embedded(dust),
  },
  'dust-for-ever': {
    says: 'Dust of another coin stays dust when its block says that it brought much.',
    edits: replace(
      'change_payment_amount',
      "in ('wrong_asset', 'unmatched', 'dust')",
      "in ('wrong_asset', 'unmatched')",
    ),
    killers: embedded(dust),
  },
  'another-amount-than-was-seen': {
    says: 'A second operator writes off another amount than was shown.',
    edits: replace(
      'src/server/payments/payment-actions.ts:lockPayment',
      'if (seen && seen.amount !== row.amount)',
      'if (seen && !row)',
    ),
    killers: embedded('src/server/payments/second-operator.test.ts'),
  },
  'first-seen-again': {
    says: 'A payment that a reorganisation moved is first seen when it came back.',
    edits: remove('first_seen_of', 'p.first_seen_at,'),
    killers: embedded(again),
  },
  'named-once': {
    says: 'A refund that was found by the transaction which an operator named is never found again after a reorganisation.',
    edits: replace('undo_refund', "nullif(output_key, 'named')", 'output_key'),
    killers: embedded(again),
  },
  'lacking-refund-stays-paid': {
    says: 'A refund stays paid though its block, read again, does not send it.',
    edits: replace(
      'src/server/payments/chain-store.ts:#undoLackingRefunds',
      'if (ids.length === 0) return',
      'if (ids.length >= 0) return',
    ),
    killers: embedded(again),
  },
  'refund-of-another-amount-read-again': {
    says: 'A refund stays paid though its block, read again, sends another amount.',
    edits: replace('undo_lacking_refunds', 'and t.amount = f.amount and goes_to', 'and goes_to'),
    killers: embedded(again),
  },
  'refund-before-it-is-final': {
    says: 'A refund is paid before its block is final, whatever its dollars ask for.',
    edits: remove('refresh_refunds', 'and (not c.finalized or f.block_height <= v_finalized)'),
    killers: embedded(again),
  },
  'prepared-twice-for-a-reorganisation': {
    says: 'What was prepared is owed anew, and paid twice, where its payment was gone for a while.',
    edits: replace('owe_refund', 'and claimed_at is not null', 'and claimed_at is null'),
    killers: embedded(again),
  },
  'claimed-and-sent-unseen': {
    says: 'What was claimed and sent while its payment was gone is not known to send it.',
    edits: remove('note_other_transfer', 'or r.claimed_at is not null'),
    killers: embedded(again),
  },
  'claimed-and-not-looked-for': {
    says: 'The address of what was claimed is not looked for while nothing is owed.',
    edits: remove(
      'src/server/payments/chain-store.ts:#readRefundAddresses',
      "or (r.state = 'written_off' and r.claimed_at is not null)",
    ),
    killers: embedded(again),
  },
  'blocks-passed-over': {
    says: 'Blocks beyond 500 transfers are passed over, with the payments in them.',
    edits: replace(
      'src/server/payments/chain-follower.ts:#readEvents',
      'upToTransfers(read, TRANSFERS_AT_ONCE) … const last: Cursor | Block = blocks.at(-1)',
      'upToTransfers(read, TRANSFERS_AT_ONCE) … const last: Cursor | Block = read.at(-1)',
    ),
    killers: embedded('src/server/payments/chain-follower.test.ts'),
  },
  'busy-block-never-read': {
    says: 'A block of 500 transfers is never read.',
    edits: replace(
      'src/server/payments/chain-follower.ts:upToTransfers',
      'blocks.slice(0, end + 1)',
      'blocks.slice(0, end)',
    ),
    killers: embedded('src/server/payments/chain-follower.test.ts'),
  },
  'reorg-in-parts': {
    says: 'What a reorganisation undid is settled before what took its place is read.',
    edits: replace(
      'src/server/payments/chain-follower.ts:#readEvents',
      'events.length > 0 ? read : upToTransfers',
      'false ? read : upToTransfers',
    ),
    killers: embedded('src/server/payments/chain-follower.test.ts'),
  },
  'tip-before-its-blocks': {
    says: 'What is final and what waits is told as of a tip whose blocks are not read yet.',
    edits: replace(
      'src/server/payments/chain-follower.ts:#readEvents',
      'const to = Math.min(tip, … if (last.height === tip)',
      'const to = Math.min(tip, … if (to === tip)',
    ),
    killers: embedded('src/server/payments/chain-follower.test.ts'),
  },
  'part-taken-for-all': {
    says: 'Between the parts of a busy reading the watcher rests.',
    edits: replace(
      'src/server/payments/chain-follower.ts:read',
      'isBehind: hasBlocks && last.height < tip }',
      'isBehind: hasBlocks && last.height > tip }',
    ),
    killers: embedded('src/server/payments/chain-follower.test.ts'),
  },
})
