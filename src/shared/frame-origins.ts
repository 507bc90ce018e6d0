export const frameOriginsMax = 20

const shape =
  /^(?:https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*|http:\/\/(?:localhost|127\.0\.0\.1))(?::[1-9]\d{0,4})?$/

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
