import { type Network, networkFacts } from '../../shared/networks.ts'

/** The name in wallets; undefined without one. */
export function payersNetworkName(network: Network): string | undefined {
  const { name, standard } = networkFacts[network]
  return standard ? `${name} (${standard})` : name
}

/** Undefined if the coin has only one network. */
export function networkTag({
  network,
  fullName,
}: {
  network: Network
  fullName: string
}): string | undefined {
  const { name, standard } = networkFacts[network]
  return name === fullName ? undefined : (standard ?? name)
}
