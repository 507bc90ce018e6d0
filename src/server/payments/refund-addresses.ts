import { type AddressNet, type AddressProblem, checkAddress } from '../../shared/addresses.ts'
import type { Network } from '../../shared/api/currencies.ts'
import { type BitcoinNetwork, bitcoinNetworks, scriptOfAddress } from './bitcoin/networks.ts'

/** Why an address can't take a refund on this chain's own network; null where it can. */
export function checkRefundAddress(
  network: Network,
  net: AddressNet,
  address: string,
): AddressProblem | null {
  const text = address.trim()
  const problem = checkAddress(network, text, { testnet: net !== 'main' })
  if (problem || !bitcoinNetworks.includes(network)) return problem
  try {
    // Main, test and regression network share some prefixes; what this network can pay decides.
    scriptOfAddress(network as BitcoinNetwork, net, text)
    return null
  } catch {
    return 'wrong_network'
  }
}
