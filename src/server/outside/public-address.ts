import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv6 } from 'node:net'

/** This machine, its networks and other non-public ranges (IANA special-purpose registries). */
const notPublic = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  notPublic.addSubnet(net, prefix, 'ipv4')

/** Global unicast `2000::/3` without ranges that embed other addresses. */
const publicV6 = new BlockList()
publicV6.addSubnet('2000::', 3, 'ipv6')
const notPublicV6 = new BlockList()
for (const [net, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const)
  notPublicV6.addSubnet(net, prefix, 'ipv6')

// Rules: TEXT-14
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  if (isIPv6(address)) return publicV6.check(address, 'ipv6') && !notPublicV6.check(address, 'ipv6')
  return !notPublic.check(address, 'ipv4')
}

export interface Resolved {
  readonly address: string
  readonly family: 4 | 6
}

/** All addresses of a host name; an IP address itself. */
export type Resolve = (hostname: string) => Promise<Resolved[]>

export const resolveHost: Resolve = async (hostname) => {
  const addresses = await lookup(hostname, { all: true, verbatim: true })
  return addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

/** Null if the URL can be used. Its host is resolved again before every connection. */
export function reasonAgainstUrl(text: string): string | null {
  if (!URL.canParse(text)) return 'not an address'
  const url = new URL(text)
  if (url.protocol !== 'https:') return 'not https'
  if (url.username || url.password) return 'has a name or password in it'
  // Ports of mail servers, logins and the like.
  if (url.port !== '' && Number(url.port) < 1_024) return 'not a port of the web'
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '')
  if (isIP(host) !== 0) return isPublicAddress(host) ? null : 'not on the public internet'
  if (
    !host.includes('.') ||
    /\.(localhost|local|internal|intranet|lan|home|corp|test|invalid|onion|arpa)$/i.test(host)
  )
    return 'not on the public internet'
  return null
}

/** The first address, if all are public: mixing in a private one is a way around the check. */
export async function publicAddressOf(
  hostname: string,
  resolve: Resolve,
  isPublic: (address: string) => boolean,
): Promise<Resolved> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const found = await resolve(host)
  const first = found[0]
  if (!first) throw new Error('the name has no address')
  if (!found.every(({ address }) => isPublic(address)))
    throw new Error('the address is not on the public internet')
  return first
}
