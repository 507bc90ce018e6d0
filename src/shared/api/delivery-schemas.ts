import { z } from 'zod'
import { networks } from '../networks.ts'
import { linkToken } from './account-inputs.ts'
import { decimal } from './amount-inputs.ts'
import { unlocking, unsignedCall } from './contract-schemas.ts'
import { deliveryRoutes } from './delivery.ts'
import { deliveryAddressInput, signatureInput } from './delivery-inputs.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant } from './route-schemas.ts'

export const namedAddress = z.object({
  /** In EIP-55 form. */
  address: z.string(),
  /** A typed address is confirmed by mail. */
  proof: z.enum(['signature', 'contract', 'typed']),
  /** A contract on another network but not on the delivery's, so tokens would be lost there. */
  lacksCode: z.boolean(),
  namedAt: instant,
})

export const deliveryAddress = z.object({
  /** The delivery network; null while none is chosen. */
  chain: z
    .object({ network: z.enum(networks), chainId: z.number().int(), isFollowed: z.boolean() })
    .nullable(),
  /** Gets the tokens of the next round. */
  current: namedAddress.extend({ since: instant }).nullable(),
  /** A change that does not count yet. */
  waiting: namedAddress.extend({ countsFrom: instant }).nullable(),
  /** A typed address whose mailed link was not used yet. */
  unconfirmed: namedAddress.nullable(),
  /** An address for another network (null: unknown) while none is named for this one. It does not count. */
  elsewhere: z.object({ address: z.string(), network: z.enum(networks).nullable() }).nullable(),
  /** When the announced round can be finalized with the then current address. */
  nextFreezeFrom: instant.nullable(),
  /** The buyer's tokens in finalized rounds. */
  rounds: z.array(
    z.object({ number: z.number().int(), frozenAt: instant, address: z.string(), tokens: decimal }),
  ),
  changeHours: z.number().int(),
})

/** The buyer's tokens in a live round's list. */
export const ownClaim = z.object({
  round: z.number().int(),
  network: z.enum(networks),
  chainId: z.number().int(),
  distributor: z.string(),
  token: z.string(),
  account: z.string(),
  tokens: decimal,
  /** The share at the start in 1/10,000; nothing more unlocks until the cliff ends, then linear. */
  startsAt: instant,
  startBps: z.number().int(),
  cliffEndsAt: instant,
  endsAt: instant,
  /** Null if no node answers. */
  chain: z
    .object({
      height: z.number().int(),
      minedAt: instant,
      ...unlocking,
    })
    .nullable(),
  /** Anybody may send it; the tokens go to the account. */
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
