import { decoded, drawn, type FoundText } from './addresses-in-texts.ts'
import { drawnText } from './plain-markup.ts'

/** A link as typed or clicked; without URL if browsers reject it. */
interface Link {
  readonly text: string
  readonly url: URL | undefined
}

/** A URL with a scheme, a mailbox, or a host name in any script. */
const LINK =
  /[a-z][a-z0-9+.-]{0,20}:\/\/[^\s<>\x22\x27\x60[\]]{1,500}|(?:[\p{L}\p{N}._%+-]{1,64}@)?(?<![\p{L}\p{N}-])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,6}\.\p{L}{2,24}(?:[/?#:][^\s<>\x22\x27\x60[\]]{0,500})?/giu
/** Trailing punctuation is not part of a link. */
const END = /[.,;:!?)\]}»*]+$/
/** Endings of files, not of domains. */
const FILE = /^[^@/]*\.(?:pdf|png|jpe?g|webp|svg|csv|json|txt|html?|js)$/i

function linksIn(text: string): Link[] {
  return [...drawn(text).matchAll(LINK)].flatMap(([found]) => {
    const link = found.replace(END, '')
    if (FILE.test(link)) return []
    // The markup's closing bracket follows the link; browsers keep brackets opened inside.
    const whole = link.includes('(') ? link : (link.split(')', 1)[0] ?? link)
    const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(whole) ? whole : `https://${whole}`
    return [{ text: whole, url: URL.canParse(address) ? new URL(address) : undefined }]
  })
}

// Rules: TWO-24
/**
 * Links that lead neither to the site at `own` (except its uploads) nor to or below a page linked in
 * `listed`. A mailbox must match as a whole.
 */
export function foreignLinks(
  texts: readonly FoundText[],
  listed: readonly FoundText[],
  own: string,
): string[] {
  const known = [{ text: own, url: new URL(own) }, ...listed.flatMap(({ text }) => linksIn(text))]
  const foreign = texts
    .flatMap(({ text }) => {
      const { words, links } = drawnText(text)
      return [text, decoded(text), words, ...links]
    })
    .flatMap(linksIn)
    .filter((link) => !known.some((one) => leadsBelow(link, one)))
  // The first spelling of a page is returned.
  return [
    ...new Map(foreign.toReversed().map(({ url, text }) => [url?.href ?? text, text])).values(),
  ].toReversed()
}

function leadsBelow(link: Link, known: Link): boolean {
  if (!link.url || !known.url || link.url.username || known.url.username) return link.text === known.text
  const [path, start] = [link.url.pathname, known.url.pathname]
  // Only the exact link matches: uploads are published without a confirmation, a referral link brings
  // somebody tokens, and a query can name any page of a site.
  if (known.url.search || EXACT.test(path)) return link.url.href === known.url.href
  return (
    hostOf(link.url) === hostOf(known.url) &&
    (path === start || path.startsWith(start.endsWith('/') ? start : `${start}/`))
  )
}

const EXACT = /^\/uploads\/|^(?:\/[a-z]{2})?\/r\//i

const hostOf = ({ protocol, host }: URL) =>
  `${protocol.replace(/^http:/, 'https:')}${host.replace(/^www\./, '')}`
