import type { Address, Hex } from 'viem'

/** One thing that is read of a chain's state: the code of an account, or what a contract answers. */
export type StateRead = { readonly code: Address } | { readonly to: Address; readonly data: Hex }
