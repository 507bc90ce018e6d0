import { isIPv4, isIPv6 } from 'node:net'
import { hostUrls } from '../database/primary.ts'

/** Settings with outgoing connections; `EXPLORER_URL` is only a link. */
const OUTWARD =
  /^(?:PRICE_\w+_URL|CHAIN_\w+_(?:RPC_URL|RPC_URL_2|ESPLORA_URL)|(?:MIGRATE_|READ_)?DATABASE_URL)$/

/** Modes of a postgres:// URL that require TLS. */
const sslModes = new Set(['require', 'verify-ca', 'verify-full'])

/**
 * Settings that would use plain text on the internet, a line each: nodes, price services and databases
 * without TLS. Exempt: this machine, private networks, `allowed`.
 */
export function plaintextFaults(
  environment: Readonly<Record<string, string | undefined>>,
  allowed: readonly string[],
): string[] {
  const all = Object.entries(environment).flatMap(([name, text = '']) =>
    hostUrls(text).map((url) => [name, url] as const),
  )
  return all.flatMap(([name, text]) => {
    if (!OUTWARD.test(name) || !URL.canParse(text)) return []
    const url = new URL(text)
    const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase()
    if (isEncrypted(url) || isNear(host) || allowed.includes(host)) return []
    const fix = url.protocol === 'http:' ? 'be https' : 'end in ?sslmode=verify-full'
    return [`${name} must ${fix}, or PLAINTEXT_HOSTS must name ${host}`]
  })
}

function isEncrypted(url: URL): boolean {
  if (url.protocol === 'https:') return true
  return url.protocol !== 'http:' && sslModes.has(url.searchParams.get('sslmode') ?? '')
}

/** This machine, a private network (RFC 1918, RFC 4193), or a name unknown to public DNS. */
function isNear(host: string): boolean {
  if (isIPv4(host)) return /^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./.test(host)
  if (isIPv6(host)) return host === '::1' || /^f[cd]/.test(host)
  return !host.includes('.') || /\.(?:localhost|local|internal|lan)$/.test(host)
}
