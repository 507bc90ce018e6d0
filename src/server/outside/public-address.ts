import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv6 } from 'node:net'

/** Where no webhook and no node that a page names may lead: this machine, its networks, and everything that is not the public internet (IANA's special-purpose registries). */
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

/** Global unicast is `2000::/3`; of it, what carries or names other addresses is left out. */
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

/** Every address of a host name; an address stands for itself. */
export type Resolve = (hostname: string) => Promise<Resolved[]>

export const resolveHost: Resolve = async (hostname) => {
  const addresses = await lookup(hostname, { all: true, verbatim: true })
  return addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

/** Why an address can't be used, or null. What the name leads to is asked again before every connection. */
export function reasonAgainstUrl(text: string): string | null {
  if (!URL.canParse(text)) return 'not an address'
  const url = new URL(text)
  if (url.protocol !== 'https:') return 'not https'
  if (url.username || url.password) return 'has a name or password in it'
  // Mail servers, logins and the like: a stranger's server gets no connection from here.
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

/**
 * The address to connect to: the first of the name's addresses, if all of them are public. A name with one private address among
 * its public ones is refused whole: it is how a check is got around.
 */
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
