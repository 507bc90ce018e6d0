export const frameOriginsMax = 20

const shape =
  /^(?:https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*|http:\/\/(?:localhost|127\.0\.0\.1))(?::[1-9]\d{0,4})?$/

// Rules: TEXT-17
/**
 * True for an origin in the browser's spelling: https, or local for tests. A header uses it, so no wildcard,
 * path, credentials, non-ASCII letter or `null`.
 */
export const isFrameOrigin = (text: string): boolean =>
  text.length <= 200 && shape.test(text) && URL.canParse(text) && new URL(text).origin === text

/** Allows local origins only if the site is not on https. */
export const framersOf = (origins: readonly string[], publicUrl: string): string[] =>
  origins.filter(
    (origin) => isFrameOrigin(origin) && (origin.startsWith('https:') || !publicUrl.startsWith('https:')),
  )

/** Other texts than an address without a path stay unchanged. */
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
