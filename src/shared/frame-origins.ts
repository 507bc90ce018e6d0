export const frameOriginsMax = 20

const shape =
  /^(?:https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*|http:\/\/(?:localhost|127\.0\.0\.1))(?::[1-9]\d{0,4})?$/

// Rules: TEXT-17
/**
 * True for an origin in the browser's spelling: https, or a local one for tests. It is used in a header, so
 * no wildcard, path, credentials, non-ASCII letter or `null` is accepted.
 */
export const isFrameOrigin = (text: string): boolean =>
  text.length <= 200 && shape.test(text) && URL.canParse(text) && new URL(text).origin === text

/** Local origins are only allowed if the site itself is not on https. */
export const framersOf = (origins: readonly string[], publicUrl: string): string[] =>
  origins.filter(
    (origin) => isFrameOrigin(origin) && (origin.startsWith('https:') || !publicUrl.startsWith('https:')),
  )

/** Only of an address without a path; other texts stay unchanged. */
export function typedOrigin(text: string): string {
  const typed = text.trim()
  if (!URL.canParse(typed)) return typed
  const { origin, href } = new URL(typed)
  return href === `${origin}/` && isFrameOrigin(origin) ? origin : typed
}

/** Undefined unless the operator allows the video to play in the page. */
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
