import { z } from 'zod'
import { networks } from '../networks.ts'
import { linkToken } from './account-inputs.ts'
import { decimal } from './amount-inputs.ts'
import { unlocking, unsignedCall } from './contract-schemas.ts'
import { deliveryRoutes } from './delivery.ts'
import { deliveryAddressInput, signatureInput } from './delivery-inputs.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant } from './route-schemas.ts'

/** One address that a buyer named for the tokens. */
export const namedAddress = z.object({
  /** In EIP-55 form. */
  address: z.string(),
  /** Signed by the address itself, by a contract that stands there, or typed and confirmed by mail. */
  proof: z.enum(['signature', 'contract', 'typed']),
  /** A contract has this address on another network and not on that of the delivery: tokens could not be moved there. */
  lacksCode: z.boolean(),
  namedAt: instant,
})

export const deliveryAddress = z.object({
  /** The network of the delivery plan; null while none is chosen: then no address can be named. */
  chain: z
    .object({ network: z.enum(networks), chainId: z.number().int(), isFollowed: z.boolean() })
    .nullable(),
  /** Where the tokens of the next round go. */
  current: namedAddress.extend({ since: instant }).nullable(),
  /** A change whose time has not come. */
  waiting: namedAddress.extend({ countsFrom: instant }).nullable(),
  /** Typed, and its mailed link was not used yet. */
  unconfirmed: namedAddress.nullable(),
  /** Named for another network than that of the delivery (null: it is not known which), where none is named yet. It does not count. */
  elsewhere: z.object({ address: z.string(), network: z.enum(networks).nullable() }).nullable(),
  /** From when the announced round can be frozen with the address that counts then; null without one. */
  nextFreezeFrom: instant.nullable(),
  /** Own tokens in the lists of frozen rounds. */
  rounds: z.array(
    z.object({ number: z.number().int(), frozenAt: instant, address: z.string(), tokens: decimal }),
  ),
  /** How long a change waits. */
  changeHours: z.number().int(),
})

/** Own tokens in the list of a live round. */
export const ownClaim = z.object({
  round: z.number().int(),
  network: z.enum(networks),
  chainId: z.number().int(),
  distributor: z.string(),
  token: z.string(),
  account: z.string(),
  tokens: decimal,
  /** The schedule: a share at the start, in 1/10,000, nothing more until the cliff ends, then evenly. */
  startsAt: instant,
  startBps: z.number().int(),
  cliffEndsAt: instant,
  endsAt: instant,
  /** What the newest block shows; null while no node answers. */
  chain: z
    .object({
      height: z.number().int(),
      minedAt: instant,
      ...unlocking,
    })
    .nullable(),
  /** The transaction that claims it; anybody may send it, and the tokens go to the account alone. */
  call: unsignedCall,
})

const namingRefusals = [
  'delivery_network_other',
  'address_invalid',
  'delivery_address_ours',
  'delivery_address_same',
] as const

export const deliverySchemas = {
  address: {
    summary: 'Where the own tokens go, and what waits to become that.',
    reply: deliveryAddress,
  },
  claims: {
    summary:
      'Own tokens of live rounds: what is unlocked and claimed on chain, and the transaction that claims the rest.',
    reply: z.object({ items: z.array(ownClaim) }),
  },
  challenge: {
    summary: 'A text (EIP-4361) that proves an address once its wallet has signed it.',
    body: deliveryAddressInput,
    reply: z.object({ nonce: z.string(), message: z.string(), expiresAt: instant }),
    errors: ['too_many_requests', 'delivery_chain_missing', 'address_invalid'],
  },
  prove: {
    summary: 'Names the address that signed the text, or whose contract accepts the signature (EIP-1271).',
    body: signatureInput,
    reply: deliveryAddress,
    errors: [
      'delivery_chain_missing',
      'delivery_text_expired',
      'delivery_network_other',
      'smart_account_missing',
      'signature_wrong',
      'delivery_address_ours',
      'delivery_address_same',
    ],
  },
  type: {
    summary: 'Names a typed address, which counts once the mailed link is used.',
    body: deliveryAddressInput,
    reply: deliveryAddress,
    errors: ['too_many_requests', 'delivery_chain_missing', ...namingRefusals],
  },
  confirm: {
    summary: 'Confirms a typed address by the mailed link.',
    body: z.object({ token: linkToken }),
    reply: z.object({ address: z.string(), countsFrom: instant }),
    errors: ['too_many_requests', 'link_expired', 'delivery_network_other', 'delivery_address_ours'],
  },
  withdraw: {
    summary: 'Takes back an address that does not count yet.',
    reply: deliveryAddress,
  },
} as const satisfies Record<string, RouteSchemas>
export const deliveryEndpoints = endpoints(deliveryRoutes, deliverySchemas)
