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
  /** Null for an older round that was never finalized. */
  network: z.enum(networks).nullable(),
  cutAt: instant,
  freezeFrom: instant,
  startsAt: instant,
  ...release,
  leftoverTo: z.string(),
  announcedAt: instant,
  /** Null before finalization. */
  file: z
    .object({
      frozenAt: instant,
      rows: z.number().int(),
      tokens: decimal,
      purchasedTokens: decimal,
      bonusTokens: decimal,
      grantedTokens: decimal,
      /** The Merkle root over the rows. */
      root: z.string(),
      /** Of the file's bytes. */
      sha256: z.string(),
    })
    .nullable(),
  /** Null until a final block showed it complete and the round is live. */
  distributor: z
    .object({
      address: z.string(),
      chainId: z.number().int(),
      /** keccak256 of the code there. */
      codeHash: z.string(),
      height: z.number().int(),
      blockHash: z.string(),
      secondNode: z.boolean(),
      liveAt: instant,
    })
    .nullable(),
  /** The state in the newest polled final block; null until the round is live. */
  look: z
    .object({
      height: z.number().int(),
      blockHash: z.string(),
      minedAt: instant,
      lookedAt: instant,
      held: decimal,
      claimed: decimal,
      /** Unclaimed tokens may then go to `leftoverTo`; missing tokens before are a fault. */
      leftoverFrom: instant,
      /** Why the contract does not cover the list. */
      fault: z.enum([...distributorFaults, 'distributor_reorganised']).nullable(),
      /** The error code of the newest poll. */
      failure: z.string().nullable(),
      failingSince: instant.nullable(),
    })
    .nullable(),
})

export const roundDistributor = z.object({
  network: z.enum(networks),
  chainId: z.number().int(),
  address: z.string(),
  /** The address if `calls` deploy it. */
  expected: z.string(),
  /** True for a token of the factory, whose code is known. */
  isFactoryToken: z.boolean(),
  /** Calls for the operator's wallet, in order. */
  calls: unsignedCalls(['factory', 'make', 'approve', 'fund']),
  /** Without the keyless deployer the contract must be deployed by hand. */
  lacksDeployer: z.boolean(),
  latest: contractLook(distributorFaults),
  final: contractLook(distributorFaults),
})

const byNumber = z.object({ number: numberInPath })

export const equationLine = z.object({
  /** The debtor of the tokens; nobody yet: `held`; `ledger` is the total of the others. */
  kind: z.enum(['distributor', 'escrow', 'held', 'ledger']),
  /** The round's number or the stage's name. */
  name: keptName.nullable(),
  purchased: decimal,
  bonus: decimal,
  granted: decimal,
  tokens: decimal,
  /** Shown by a final block: a distributor's balance and payouts, or an escrow's debt. */
  shown: decimal.nullable(),
  /** Tokens paid for in the escrow that the sale does not count, or not yet. */
  waiting: decimal.nullable(),
  height: z.number().int().nullable(),
  minedAt: instant.nullable(),
  lookedAt: instant.nullable(),
  /** A block older than three hours, or two nodes disagree. */
  unknown: z.enum(['stale', 'nodes_disagree']).nullable(),
  /** Null if no chain is involved, or if `unknown`. */
  holds: z.boolean().nullable(),
})

export const equation = z.object({
  /** Null if a line is unknown and none is wrong. */
  holds: z.boolean().nullable(),
  items: z.array(equationLine),
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
      /** The announced round. */
      next: z
        .object({
          /** Null while buyers without an address must still be notified. */
          frozenFrom: instant.nullable(),
          buyers: z.number().int(),
          tokens: decimal,
          /** Buyers with tokens but without an address. */
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
