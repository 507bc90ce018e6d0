import { isIP } from 'node:net'
import { reasonAgainstUrl } from './public-address.ts'

/*
 * Addresses that an operator names on a page: of nodes of chains and of rate sources. They lead by https to the public internet, or to a host
 * that the environment lists (`host:port`).
 */

/** Names below which a country gives out domains: `co.uk`, `com.br`. */
const SHARED = new Set(['ac', 'co', 'com', 'edu', 'go', 'gob', 'gov', 'ne', 'net', 'or', 'org'])

// Rules: RATE-5, SETTLE-26
/** What is shown of an address: its host. Path, query, user and password may be the key to it. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '')

/** Why an address can't be named, or null. */
export function reasonAgainstNamed(url: string, listed: readonly string[]): string | null {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return 'not an address'
  return isOutside(url, listed) ? reasonAgainstUrl(splitCredentials(url).endpoint) : null
}

/** Not one of the hosts that the environment lists. */
export const isOutside = (url: string, listed: readonly string[]): boolean =>
  !listed.includes(hostWithPort(url))

/**
 * Whose voice answers at an address: of names below one domain it is the same (`api.` and `pro-api.`), of hosts that the environment lists
 * each is its own. Too many names are taken for one rather than too few.
 */
export function voiceOf(url: string, listed: readonly string[]): string {
  if (!isOutside(url, listed)) return hostWithPort(url)
  const host = new URL(url).hostname.replace(/\.$/, '').toLowerCase()
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return host
  const labels = host.split('.')
  const [below = '', top = ''] = labels.slice(-2)
  return labels.slice(top.length === 2 && SHARED.has(below) ? -3 : -2).join('.')
}

/** User and password of an address as the header that they are sent in. */
export function splitCredentials(url: string): { endpoint: string; headers: Record<string, string> } {
  const parsed = new URL(url)
  const { username, password } = parsed
  parsed.username = ''
  parsed.password = ''
  if (!username) return { endpoint: parsed.href, headers: {} }
  const pair = `${decoded(username)}:${decoded(password)}`
  return {
    endpoint: parsed.href,
    headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
  }
}

/** A lone `%` stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function hostWithPort(url: string): string {
  const { host, hostname, port, protocol } = new URL(url)
  return (port ? host : `${hostname}:${protocol === 'https:' ? 443 : 80}`).toLowerCase()
}
