import { embedded, type Mutant } from './mutant.ts'

const addresses = 'src/server/delivery/delivery.test.ts'
const rounds = 'src/server/delivery/rounds.test.ts'

/** Where tokens go, and the rounds in which they are delivered. */
export const deliveryMutants: readonly Mutant[] = [
  {
    id: 'delivery-change-at-once',
    says: 'An address counts at once.',
    edits: [['functions/delivery/delivery_rules.sql', 'select 24, 30, 72', 'select 0, 30, 72']],
    killers: [embedded(addresses)],
  },
  {
    id: 'delivery-text-twice',
    says: 'A signed text serves whoever it was made for.',
    edits: [
      [
        'src/server/delivery/signed-addresses.ts',
        'where nonce = ${nonce} and user_id = ${by.userId} and expires_at',
        'where nonce = ${nonce} and expires_at',
      ],
    ],
    killers: [embedded(addresses)],
  },
  {
    id: 'delivery-any-signature',
    says: 'An address is taken whoever signed.',
    edits: [
      [
        'src/server/delivery/signed-addresses.ts',
        '    return await verifyMessage({ address, message, signature })',
        '    return (await verifyMessage({ address, message, signature })) || true',
      ],
    ],
    killers: [embedded(addresses)],
  },
  {
    id: 'delivery-own-address',
    says: 'The address of a currency is taken as a buyer’s.',
    edits: [
      [
        'functions/delivery/is_address_of_sale.sql',
        'where p_key in (lower(address), lower(token_contract))',
        'where false',
      ],
    ],
    killers: [embedded(addresses)],
  },
  {
    id: 'round-before-told',
    says: 'A round is frozen though not everybody was told in time.',
    edits: [
      [
        'functions/delivery/round_frozen_from.sql',
        'p_round.told_at + make_interval(hours => notice_hours)',
        'p_round.told_at',
      ],
    ],
    killers: [embedded(rounds)],
  },
  {
    id: 'round-after-cut',
    says: 'What was credited after the cut is in the round.',
    edits: [
      ['functions/delivery/cut_of_round.sql', 'where p.posted_at > p_round.cut_at and', 'where false and'],
    ],
    killers: [embedded(rounds)],
  },
  {
    id: 'round-escrow-order',
    says: 'A round delivers what an escrow owes as well.',
    edits: [
      [
        'functions/escrow/orders_in_escrows.sql',
        'and p.alive and p.block_height is not null',
        'and p.alive and p.block_height is null',
      ],
    ],
    killers: [embedded(rounds)],
  },
  {
    id: 'escrow-any-contract',
    says: 'A payment is taken from a contract that is no escrow of the sale.',
    edits: [
      [
        'src/server/payments/evm/escrow-logs.ts',
        'prefixes.get(log.address.toLowerCase())',
        '[...prefixes.values()][0]',
      ],
    ],
    killers: [embedded('src/server/payments/evm/escrow.test.ts')],
  },
  {
    id: 'round-waiting-address',
    says: 'A round takes an address whose time has not come.',
    edits: [['functions/delivery/delivery_address_at.sql', 'and counts_from <= p_at', '']],
    killers: [embedded(rounds)],
  },
  {
    id: 'round-other-network',
    says: 'An address counts on whatever network the tokens come.',
    edits: [['functions/delivery/delivery_address_at.sql', 'and chain_id = p_chain_id and', 'and']],
    killers: [embedded(rounds)],
  },
  {
    id: 'live-short',
    says: 'A round becomes live though tokens of its list are lacking.',
    edits: [['src/shared/distributor-code.ts', 'if (balance + claimed < terms.total)', 'if (false)']],
    killers: [embedded('src/server/delivery/live.test.ts')],
  },
  {
    id: 'live-any-code',
    says: 'A round becomes live whatever code stands at its address.',
    edits: [
      [
        'src/shared/distributor-code.ts',
        "if (blank(build, build.deployedBytecode) !== blank(build, code)) return 'distributor_other_code'",
        '',
      ],
    ],
    killers: [embedded('src/server/delivery/live.test.ts')],
  },
  {
    id: 'live-any-maker',
    says: 'A round becomes live whoever made its contract, and whatever ran before the code stood there.',
    edits: [['src/shared/distributor-code.ts', ' ?? faultOfMaker(build, terms, named)', '']],
    killers: [embedded('src/server/delivery/live.test.ts')],
  },
  {
    id: 'live-not-final',
    says: 'A round becomes live by a block that is not final.',
    edits: [
      [
        'src/server/payments/evm/evm-looks.ts',
        "which === 'latest' ? tip : ((await chain.finalizedHeight()) ?? tip - chain.finalDepth)",
        'tip',
      ],
    ],
    killers: [embedded('src/server/delivery/live.test.ts')],
  },
  {
    id: 'allocated-reversed',
    says: 'An order is taken back though a round has its tokens.',
    edits: [
      [
        'functions/ledger/debit_order.sql',
        'if h.purchased_tokens - o.base_tokens < h.allocated_purchased',
        'if false and h.purchased_tokens - o.base_tokens < h.allocated_purchased',
      ],
      [
        'functions/ledger/debit_order.sql',
        'or h.bonus_tokens - o.bonus_tokens < h.allocated_bonus then',
        'or false and h.bonus_tokens - o.bonus_tokens < h.allocated_bonus then',
      ],
    ],
    killers: [embedded(rounds)],
  },
  {
    id: 'round-frozen-twice',
    says: 'A round is frozen again.',
    edits: [
      [
        'functions/delivery/round_refusal.sql',
        "if p_round.state <> 'announced' then return 'round_state'; end if;",
        '',
      ],
    ],
    killers: [embedded(rounds)],
  },
]
