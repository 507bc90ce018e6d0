export const frameOriginsMax = 20

const shape =
  /^(?:https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*|http:\/\/(?:localhost|127\.0\.0\.1))(?::[1-9]\d{0,4})?$/

// Rules: TEXT-17
/**
 * Whether this is one origin as browsers write it: https, or this machine for trying it out. It stands in a header, so nothing else
 * does: no wildcard, path, name and password, letter of another script, or `null`.
 */
export const isFrameOrigin = (text: string): boolean =>
  text.length <= 200 && shape.test(text) && URL.canParse(text) && new URL(text).origin === text

/** Those that may frame the checkout. Pages of the visitor's own machine may only where the site itself is not on https. */
export const framersOf = (origins: readonly string[], publicUrl: string): string[] =>
  origins.filter(
    (origin) => isFrameOrigin(origin) && (origin.startsWith('https:') || !publicUrl.startsWith('https:')),
  )

/** What was typed, or copied from where addresses stand, as the origin where it names no more than that; anything else stays. */
export function typedOrigin(text: string): string {
  const typed = text.trim()
  if (!URL.canParse(typed)) return typed
  const { origin, href } = new URL(typed)
  return href === `${origin}/` && isFrameOrigin(origin) ? origin : typed
}

/** Whose host plays the exchange guide's video in the page; undefined where the operator's list lacks it. */
export function videoOriginOf({
  exchangeVideoUrl,
  videoOrigins,
}: {
  exchangeVideoUrl: string | null
  videoOrigins: readonly string[]
}): string | undefined {
  if (!exchangeVideoUrl || !URL.canParse(exchangeVideoUrl)) return undefined
  const { origin } = new URL(exchangeVideoUrl)
  return isFrameOrigin(origin) && videoOrigins.includes(origin) ? origin : undefined
}
