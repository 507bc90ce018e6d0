/** `times`: multiple of a single network's budget. */
export interface Width {
  readonly subject: string
  readonly times: number
}

// Rules: RIGHT-25
/**
 * An IPv6 /64 also counts as its /56 (256 networks of a home) and /48 (65,536, of a company or hosted
 * server). Other addresses have one width.
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

/** Share of the common budget for networks that used little lately. */
export const RESERVED = 0.25
/**
 * A network used little if it took at most this share of its own budget, whatever its width. A network that
 * asks a little slower than its whole budget flows back is busy.
 */
export const LITTLE = 0.1
