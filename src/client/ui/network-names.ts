import { type Network, networkFacts } from '../../shared/networks.ts'

/** The name as a payer looks for it in a wallet; undefined for a network that has no name here. */
export function payersNetworkName(network: Network): string | undefined {
  const { name, standard } = networkFacts[network]
  return standard ? `${name} (${standard})` : name
}

/** What must stand beside an amount of a coin, so that nobody sends it on another network; undefined where it has but one. */
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
