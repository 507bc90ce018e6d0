import { decoded, drawn, type FoundText } from './addresses-in-texts.ts'
import { drawnText } from './plain-markup.ts'

/** A link as its reader follows or types it, and the place on the internet that it leads to; undefined for what no browser understands. */
interface Link {
  readonly text: string
  readonly url: URL | undefined
}

/** What has a scheme, then a mailbox, then what reads as a host, in letters of any script. */
const LINK =
  /[a-z][a-z0-9+.-]{0,20}:\/\/[^\s<>\x22\x27\x60[\]]{1,500}|(?:[\p{L}\p{N}._%+-]{1,64}@)?(?<![\p{L}\p{N}-])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,6}\.\p{L}{2,24}(?:[/?#:][^\s<>\x22\x27\x60[\]]{0,500})?/giu
/** The point or bracket that ends a sentence is no part of a link. */
const END = /[.,;:!?)\]}»*]+$/
/** Names of files, and of a library that is called after its ending: none of these endings is a domain. */
const FILE = /^[^@/]*\.(?:pdf|png|jpe?g|webp|svg|csv|json|txt|html?|js)$/i

function linksIn(text: string): Link[] {
  return [...drawn(text).matchAll(LINK)].flatMap(([found]) => {
    const link = found.replace(END, '')
    if (FILE.test(link)) return []
    // The markup's own bracket stands behind a link, and a browser cuts no bracket that was opened within.
    const whole = link.includes('(') ? link : (link.split(')', 1)[0] ?? link)
    const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(whole) ? whole : `https://${whole}`
    return [{ text: whole, url: URL.canParse(address) ? new URL(address) : undefined }]
  })
}

// Rules: TWO-24
/**
 * Returns the links in `texts` that lead neither to the site at `own` (its files apart) nor to a page that `listed` texts link to, nor below such a page, each once.
 * A mailbox is known by its whole address alone.
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
  // Of two spellings of one page the first one is shown, as it was written.
  return [
    ...new Map(foreign.toReversed().map(({ url, text }) => [url?.href ?? text, text])).values(),
  ].toReversed()
}

function leadsBelow(link: Link, known: Link): boolean {
  if (!link.url || !known.url || link.url.username || known.url.username) return link.text === known.text
  const [path, start] = [link.url.pathname, known.url.pathname]
  // Anybody who may upload a file has it there at once, and nobody confirmed it.
  if (path.startsWith('/uploads/')) return link.url.href === known.url.href
  return (
    hostOf(link.url) === hostOf(known.url) &&
    (path === start || path.startsWith(start.endsWith('/') ? start : `${start}/`))
  )
}

const hostOf = ({ protocol, host }: URL) =>
  `${protocol.replace(/^http:/, 'https:')}${host.replace(/^www\./, '')}`
