import type { Address, Hex } from 'viem'

/** One read of a chain's state: an account's code, or a contract call. */
export type StateRead = { readonly code: Address } | { readonly to: Address; readonly data: Hex }
