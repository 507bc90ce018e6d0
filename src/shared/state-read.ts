import type { Address, Hex } from 'viem'

/** Reads an account's code, or calls a contract. */
export type StateRead = { readonly code: Address } | { readonly to: Address; readonly data: Hex }
