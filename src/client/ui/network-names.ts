import { type Network, networkFacts } from '../../shared/networks.ts'

/** A network's name in wallets; undefined if it has none. */
export function payersNetworkName(network: Network): string | undefined {
  const { name, standard } = networkFacts[network]
  return standard ? `${name} (${standard})` : name
}

/**
 * The network to show beside an amount, so that nobody uses another one; undefined if the coin has only one.
 */
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
