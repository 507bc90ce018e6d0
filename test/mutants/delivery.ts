import { never, remove, replace } from './edit.ts'
import { embedded, mutantsOf } from './mutant.ts'

const addresses = 'src/server/delivery/delivery.test.ts'
const rounds = 'src/server/delivery/rounds.test.ts'
const byOrder = 'test/security-regressions/order-by-order-in-a-round.test.ts'

export const deliveryMutants = mutantsOf({
  'delivery-change-at-once': {
    says: 'An address counts at once.',
    edits: replace('delivery_rules', 'select 24, 30, 72', 'select 0, 30, 72'),
    killers: embedded(addresses),
  },
  'typed-address-keeps-the-former': {
    says: 'A new password that takes back a typed address leaves the former one, though its mail says that there is none.',
    edits: remove('withdraw_delivery_change', "or named_at > v_now - interval '1 day'"),
    killers: embedded('test/security-regressions/new-password-takes-back-addresses.test.ts'),
  },
  'delivery-text-twice': {
    says: 'A signed text serves whoever it was made for.',
    edits: remove('src/server/delivery/signed-addresses.ts:proveAddress', 'and user_id = ${by.userId}'),
    killers: embedded(addresses),
  },
  'delivery-any-signature': {
    says: 'An address is taken whoever signed.',
    edits: replace(
      'src/server/delivery/signed-addresses.ts:isSignedBy',
      'return await verifyMessage({ address, message, signature })',
      'return (await verifyMessage({ address, message, signature })) || true',
    ),
    killers: embedded(addresses),
  },
  'delivery-own-address': {
    says: 'The token contract of a currency is taken as a buyer’s address.',
    edits: never('is_contract_of_sale', 'p_key = lower(token_contract)'),
    killers: embedded(addresses),
  },
  'round-before-told': {
    says: 'A round is frozen though not everybody was told in time.',
    edits: remove('round_frozen_from', '+ make_interval(hours => notice_hours)'),
    killers: embedded(rounds),
  },
  'round-after-cut': {
    says: 'What was credited after the cut is in the round.',
    edits: never('tokens_for_rounds', 'p.posted_at > p_cut_at'),
    killers: embedded(rounds),
  },
  'round-granted-later': {
    says: 'What was granted after the cut is in the round.',
    edits: remove('tokens_for_rounds', 'and p.posted_at <= p_cut_at'),
    killers: embedded(rounds),
  },
  'round-lists-twice': {
    says: 'A second round lists an order again.',
    edits: replace('tokens_for_rounds', 'sum(d.purchased_tokens)', '0'),
    killers: embedded(byOrder),
  },
  'round-grant-twice': {
    says: 'A second round lists a grant again.',
    edits: remove(
      'tokens_for_rounds',
      'and not exists (select from delivery_round_parts d where d.posting_id = p.id)',
    ),
    killers: embedded(byOrder),
  },
  'round-not-final': {
    says: 'A round lists what a payment bought that is not final.',
    edits: remove('final_purchase', 'and (p.final_at is not null or is_in_round(p))'),
    killers: embedded(byOrder),
  },
  'round-escrow-order': {
    says: 'A round delivers what an escrow owes as well.',
    edits: replace(
      'orders_in_escrows',
      'and p.alive and p.block_height is not null',
      'and p.alive and p.block_height is null',
    ),
    killers: embedded(rounds),
  },
  'escrow-any-contract': {
    says: 'A payment is taken from a contract that is no escrow of the sale.',
    edits: replace(
      'src/server/payments/evm/escrow-logs.ts:readEscrowLogs',
      'prefixes.get(log.address.toLowerCase())',
      '[...prefixes.values()][0]',
    ),
    killers: embedded('src/server/payments/evm/escrow.test.ts'),
  },
  'round-waiting-address': {
    says: 'A round takes an address whose time has not come.',
    edits: remove('delivery_address_at', 'and counts_from <= p_at'),
    killers: embedded(rounds),
  },
  'round-other-network': {
    says: 'An address counts on whatever network the tokens come.',
    edits: remove('delivery_address_at', 'and chain_id = p_chain_id'),
    killers: embedded(rounds),
  },
  'live-short': {
    says: 'A round becomes live though tokens of its list are lacking.',
    edits: never('src/shared/distributor-code.ts:faultOfFunds', 'balance + claimed < terms.total'),
    killers: embedded('src/server/delivery/live.test.ts'),
  },
  'live-any-code': {
    says: 'A round becomes live whatever code stands at its address.',
    edits: remove(
      'src/shared/distributor-code.ts:faultOfCode',
      "if (blank(build, build.deployedBytecode) !== blank(build, code)) return 'distributor_other_code'",
    ),
    killers: embedded('src/server/delivery/live.test.ts'),
  },
  'live-any-maker': {
    says: 'A round becomes live whoever made its contract, and whatever ran before the code stood there.',
    edits: remove('src/shared/distributor-code.ts:distributorLook', '?? faultOfMaker(build, terms, named)'),
    killers: embedded('src/server/delivery/live.test.ts'),
  },
  'live-not-final': {
    says: 'A round becomes live by a block that is not final.',
    edits: replace(
      'src/server/payments/evm/evm-looks.ts:look',
      "which === 'latest' ? tip : ((await chain.finalizedHeight()) ?? tip - chain.finalDepth)",
      'tip',
    ),
    killers: embedded('src/server/delivery/live.test.ts'),
  },
  'allocated-reversed': {
    says: 'An order is taken back though a round has its tokens.',
    edits: replace(
      'debit_order',
      'having sum(purchased_tokens) > p_base or sum(bonus_tokens) > p_bonus',
      'having false',
    ),
    killers: embedded(byOrder),
  },
  'allocated-grant-reversed': {
    says: 'A grant is taken back though a round has it.',
    edits: never(
      'reverse_grant',
      'exists (select from delivery_round_parts d where d.posting_id = p_posting_id)',
    ),
    killers: embedded(rounds),
  },
  'allocated-reward-reversed': {
    says: 'A reward is taken back though a round has it.',
    edits: remove(
      'standing_referrals',
      'and not exists (select from delivery_round_parts p where p.posting_id = d.posting_id)',
    ),
    killers: embedded(byOrder),
  },
  'round-frozen-twice': {
    says: 'A round is frozen again.',
    edits: remove('round_refusal', "if p_round.state <> 'announced' then return 'round_state'; end if;"),
    killers: embedded(rounds),
  },
})
