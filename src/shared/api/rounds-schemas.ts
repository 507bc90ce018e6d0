import { z } from 'zod'
import type { ErrorCode } from '../error-codes.ts'
import { networks } from '../networks.ts'
import { keptName } from '../texts-inputs.ts'
import { decimal } from './amount-inputs.ts'
import { chainRefusals, contractLook, release, unsignedCalls } from './contract-schemas.ts'
import { operatorRoundRoutes, roundRoutes } from './rounds.ts'
import { roundInput } from './rounds-inputs.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant, numberInPath } from './route-schemas.ts'

/** Why a contract is not the published distributor, or why it can't pay out yet. */
export const distributorFaults = [
  'distributor_missing',
  'distributor_other_code',
  'distributor_other_token',
  'distributor_other_root',
  'distributor_other_terms',
  'distributor_other_maker',
  'distributor_not_funded',
  'distributor_short',
] as const satisfies readonly ErrorCode[]

const round = z.object({
  number: z.number().int(),
  state: z.enum(['announced', 'cancelled', 'frozen', 'live']),
  /** Null of an older round that was never frozen. */
  network: z.enum(networks).nullable(),
  cutAt: instant,
  freezeFrom: instant,
  startsAt: instant,
  ...release,
  leftoverTo: z.string(),
  announcedAt: instant,
  /** The published list; null until the freeze. */
  file: z
    .object({
      frozenAt: instant,
      rows: z.number().int(),
      tokens: decimal,
      purchasedTokens: decimal,
      bonusTokens: decimal,
      grantedTokens: decimal,
      /** Of the Merkle tree over the rows. */
      root: z.string(),
      /** Of the file's bytes. */
      sha256: z.string(),
    })
    .nullable(),
  /** The contract that hands out the tokens, and the final block in which the server saw it whole; null until the round is live. */
  distributor: z
    .object({
      address: z.string(),
      chainId: z.number().int(),
      /** keccak256 of the code there. */
      codeHash: z.string(),
      height: z.number().int(),
      blockHash: z.string(),
      /** Whether a second node said the same. */
      secondNode: z.boolean(),
      liveAt: instant,
    })
    .nullable(),
  /** What the distributor held and had paid out in the newest final block that was looked at; null until the round is live. */
  look: z
    .object({
      height: z.number().int(),
      blockHash: z.string(),
      minedAt: instant,
      lookedAt: instant,
      held: decimal,
      claimed: decimal,
      /** From when what nobody claimed can leave for `leftoverTo`; what is lacking before that is a fault. */
      leftoverFrom: instant,
      /** Why this does not cover the list; null where it does. */
      fault: z.enum([...distributorFaults, 'distributor_reorganised']).nullable(),
      /** Why the newest look failed, an error's code; null where it did not. */
      failure: z.string().nullable(),
      /** Since when no look has succeeded; null where the last one did. */
      failingSince: instant.nullable(),
    })
    .nullable(),
})

export const roundDistributor = z.object({
  network: z.enum(networks),
  chainId: z.number().int(),
  address: z.string(),
  /** Where the distributor stands if `calls` make it. */
  expected: z.string(),
  /** Whether the token is one of the token factory, whose code is known. */
  isFactoryToken: z.boolean(),
  /** What an operator's own wallet signs, in this order; what is done already is left out. */
  calls: unsignedCalls(['factory', 'make', 'approve', 'fund']),
  /** Whether the chain lacks the keyless deployer, so that the contract can only be made by hand. */
  lacksDeployer: z.boolean(),
  latest: contractLook(distributorFaults),
  final: contractLook(distributorFaults),
})

const byNumber = z.object({ number: numberInPath })

/** One line of the public equation. */
export const equationLine = z.object({
  /** What owes it: a round's distributor, an escrow, nobody yet (held); or all that the ledger says, which the others add up to. */
  kind: z.enum(['distributor', 'escrow', 'held', 'ledger']),
  /** The round's number, or the stage's name. */
  name: keptName.nullable(),
  purchased: decimal,
  bonus: decimal,
  granted: decimal,
  tokens: decimal,
  /** What a distributor held and had paid out, or an escrow owed, in a final block; null where none has shown it. */
  shown: decimal.nullable(),
  /** What an escrow owed there for payments that the sale does not count, or not yet. */
  waiting: decimal.nullable(),
  height: z.number().int().nullable(),
  minedAt: instant.nullable(),
  lookedAt: instant.nullable(),
  /** Why it is not known what its contract shows now: the block is more than three hours old, or two nodes disagree. */
  unknown: z.enum(['stale', 'nodes_disagree']).nullable(),
  /** Null where no chain has to show anything, or `unknown` says why none does. */
  holds: z.boolean().nullable(),
})

export const equation = z.object({
  /** Null while of one line it is not known, and none is wrong. */
  holds: z.boolean().nullable(),
  items: z.array(equationLine),
  /** What was run for it. */
  sql: z.string(),
})

export const roundSchemas = {
  equation: {
    summary:
      'What was sold, given as bonus and granted, and by which contract it is owed, each by what its chain shows.',
    reply: equation,
  },
  list: {
    summary: 'Every delivery round, the newest first.',
    reply: z.object({ items: z.array(round) }),
  },
  proofs: {
    summary: 'The rows of an address in a frozen round, each with its Merkle proof.',
    params: byNumber,
    query: z.object({ address: z.string().regex(/^0x[0-9a-fA-F]{40}$/) }),
    reply: z.object({
      items: z.array(
        z.object({
          place: z.number().int(),
          account: z.string(),
          /** In the token's smallest units. */
          tokens: z.string(),
          proof: z.array(z.string()),
        }),
      ),
    }),
    errors: ['round_unknown'],
  },
} as const satisfies Record<string, RouteSchemas>
export const roundEndpoints = endpoints(roundRoutes, roundSchemas)

export const operatorRoundSchemas = {
  list: {
    summary: 'Every delivery round, and what the announced one would hold now.',
    reply: z.object({
      items: z.array(round),
      /** Of the announced round; null without one. */
      next: z
        .object({
          /** The earliest moment of the freeze; null while somebody who lacks an address is still to be told. */
          frozenFrom: instant.nullable(),
          buyers: z.number().int(),
          tokens: decimal,
          /** Buyers who hold tokens and have no address. */
          lacking: z.number().int(),
          told: z.number().int(),
        })
        .nullable(),
    }),
  },
  announce: {
    summary: 'Announces the next round: whoever lacks an address is told by mail.',
    body: roundInput,
    reply: round,
    errors: [
      'delivery_chain_missing',
      'address_invalid',
      'delivery_address_ours',
      'round_open',
      'round_too_early',
      'round_cut',
    ],
  },
  cancel: {
    summary: 'Takes an announced round back.',
    params: byNumber,
    reply: round,
    errors: ['round_unknown', 'round_state'],
  },
  freeze: {
    summary: 'Freezes a round: moves what its buyers hold from held to allocated and publishes the list.',
    params: byNumber,
    reply: round,
    errors: [
      'round_unknown',
      'round_state',
      'round_too_early',
      'delivery_chain_missing',
      'round_network',
      'delivery_token_missing',
      'delivery_address_ours',
      'soft_cap_open',
      'round_empty',
    ],
  },
  distributor: {
    summary:
      'What its chain shows of a frozen round’s distributor, and the transactions that are left to be signed.',
    params: byNumber,
    query: z.object({ address: z.string().trim().max(200).optional() }),
    reply: roundDistributor,
    errors: ['round_unknown', 'round_state', 'address_invalid', ...chainRefusals],
  },
  goLive: {
    summary:
      'Makes a frozen round live, once a final block shows its distributor as published and with all tokens in it.',
    params: byNumber,
    body: z.object({ address: z.string().trim().min(1).max(200) }),
    reply: round,
    errors: [
      'round_unknown',
      'round_state',
      'address_invalid',
      ...chainRefusals,
      'distributor_reorganised',
      ...distributorFaults,
      'round_network',
    ],
  },
} as const satisfies Record<string, RouteSchemas>
export const operatorRoundEndpoints = endpoints(operatorRoundRoutes, operatorRoundSchemas)
export const publicRound = round
