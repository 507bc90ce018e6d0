import { isIP } from 'node:net'
import { reasonAgainstUrl } from './public-address.ts'

/*
 * Operators name these on pages, for nodes and rate sources: https on the public internet, or a host listed
 * in the environment (`host:port`).
 */

/** Countries register domains under these second-level names: `co.uk`, `com.br`. */
const SHARED = new Set(['ac', 'co', 'com', 'edu', 'go', 'gob', 'gov', 'ne', 'net', 'or', 'org'])

// Rules: RATE-5, SETTLE-26
/** Path, query, user and password may be secret. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '')

export function reasonAgainstNamed(url: string, listed: readonly string[]): string | null {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return 'not an address'
  return isOutside(url, listed) ? reasonAgainstUrl(splitCredentials(url).endpoint) : null
}

export const isOutside = (url: string, listed: readonly string[]): boolean =>
  !listed.includes(hostWithPort(url))

/**
 * The provider behind an address: names below one domain share one (`api.`, `pro-api.`), each listed host is
 * its own. Prefers merging two providers to splitting one.
 */
export function voiceOf(url: string, listed: readonly string[]): string {
  if (!isOutside(url, listed)) return hostWithPort(url)
  const host = new URL(url).hostname.replace(/\.$/, '').toLowerCase()
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return host
  const labels = host.split('.')
  const [below = '', top = ''] = labels.slice(-2)
  return labels.slice(top.length === 2 && SHARED.has(below) ? -3 : -2).join('.')
}

/** User and password become a header. */
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

/** A lone `%` stays as it is. */
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
