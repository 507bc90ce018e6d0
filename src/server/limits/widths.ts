/** What a limit of networks counts a request by, and how many times what one network may take it allows. */
export interface Width {
  readonly subject: string
  readonly times: number
}

// Rules: RIGHT-25
/**
 * A network of IPv6 counts as the /64 that it is, and with its neighbours: one line at home has a /56 of 256 such networks, and a company or
 * a hosted server a /48 of 65,536. Any other address counts by itself.
 */
export function widthsOf(network: string): readonly Width[] {
  const own = { subject: network, times: 1 }
  if (!network.endsWith('::/64')) return [own]
  const [a, b, c, d = '0'] = network.split('::')[0]?.split(':') ?? []
  const line = (Number.parseInt(d, 16) & 0xff00).toString(16)
  return [
    own,
    { subject: `${a}:${b}:${c}:${line}::/56`, times: 2 },
    { subject: `${a}:${b}:${c}::/48`, times: 8 },
  ]
}

/** The part of what all networks may take together that only those get who have taken nothing lately. */
export const RESERVED = 0.25
