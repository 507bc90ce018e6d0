import { Address, OutScript } from '@scure/btc-signer'
import { type AddressNet, type CoreNetwork, networkFacts } from '../../../shared/networks.ts'
import { assert } from '../../refusal.ts'

/** For btc-signer. A coin without segwit gets an impossible prefix. */
export function addressParameters(network: CoreNetwork, net: AddressNet) {
  const { segwit, pubKeyHash, scriptHash, wif } = networkFacts[network].nets[net]
  return { bech32: segwit ?? '-', pubKeyHash, scriptHash, wif }
}

/** The address is checked; a wrong one is a bug. */
export function scriptOfAddress(network: CoreNetwork, net: AddressNet, address: string): Uint8Array {
  const decoded = Address(addressParameters(network, net)).decode(address)
  const script = OutScript.encode(decoded)
  assert(script.length > 0, 'an address has a script')
  return script
}
