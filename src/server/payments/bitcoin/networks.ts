import { Address, OutScript } from '@scure/btc-signer'
import { type AddressNet, type CoreNetwork, networkFacts } from '../../../shared/networks.ts'
import { assert } from '../../refusal.ts'

/** What btc-signer wants to know of a network. A coin without segwit has a prefix that no address can have. */
export function addressParameters(network: CoreNetwork, net: AddressNet) {
  const { segwit, pubKeyHash, scriptHash, wif } = networkFacts[network].nets[net]
  return { bech32: segwit ?? '-', pubKeyHash, scriptHash, wif }
}

/** The output script that pays `address`. The address has been checked before; a wrong one is a bug. */
export function scriptOfAddress(network: CoreNetwork, net: AddressNet, address: string): Uint8Array {
  const decoded = Address(addressParameters(network, net)).decode(address)
  const script = OutScript.encode(decoded)
  assert(script.length > 0, 'an address has a script')
  return script
}
