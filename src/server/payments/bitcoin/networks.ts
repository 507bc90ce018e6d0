import { Address, NETWORK, OutScript } from '@scure/btc-signer'
import type { AddressNet } from '../../../shared/addresses.ts'
import type { Network } from '../../../shared/api/currencies.ts'
import { assert } from '../../refusal.ts'

export type BitcoinNetwork = 'bitcoin' | 'litecoin' | 'dogecoin'
export const bitcoinNetworks: readonly Network[] = ['bitcoin', 'litecoin', 'dogecoin']

/** What btc-signer wants to know of a network. A coin without segwit has a prefix that no address can have. */
export interface AddressParameters {
  readonly bech32: string
  readonly pubKeyHash: number
  readonly scriptHash: number
  readonly wif: number
}

/** From each Core's chainparams.cpp. */
const parameters: Record<BitcoinNetwork, Record<AddressNet, AddressParameters>> = {
  bitcoin: {
    main: NETWORK,
    test: { bech32: 'tb', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef },
    regtest: { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef },
  },
  litecoin: {
    main: { bech32: 'ltc', pubKeyHash: 0x30, scriptHash: 0x32, wif: 0xb0 },
    test: { bech32: 'tltc', pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef },
    regtest: { bech32: 'rltc', pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef },
  },
  dogecoin: {
    main: { bech32: '-', pubKeyHash: 0x1e, scriptHash: 0x16, wif: 0x9e },
    test: { bech32: '-', pubKeyHash: 0x71, scriptHash: 0xc4, wif: 0xf1 },
    regtest: { bech32: '-', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef },
  },
}

export function addressParameters(network: BitcoinNetwork, net: AddressNet): AddressParameters {
  return parameters[network][net]
}

/** The output script that pays `address`. The address has been checked before; a wrong one is a bug. */
export function scriptOfAddress(network: BitcoinNetwork, net: AddressNet, address: string): Uint8Array {
  const decoded = Address(addressParameters(network, net)).decode(address)
  const script = OutScript.encode(decoded)
  assert(script.length > 0, 'an address has a script')
  return script
}
