import { beaconSources } from '../../shared/analytics-beacons.ts'
import type { AnalyticsProvider } from '../../shared/api/analytics.ts'
import { afterFirstFrameHash } from './after-first-frame.ts'

// Rules: TEXT-17
/**
 * The policy of a preview: no script, no form, nothing that it could open, and no page but the site's own around it. It keeps the
 * site's origin, because fonts are given to nobody else.
 */
export const previewPolicy = (cssHash: string): string =>
  [
    "default-src 'none'",
    `style-src '${cssHash}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self'",
    "font-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-same-origin',
  ].join('; ')

/**
 * The policy of a public page: own files only, the one inline script and the one inlined stylesheet by their hashes. Style
 * attributes are allowed: widths of bars are figures. Only pages of `framers` may frame it.
 */
export function securityPolicy(
  cssHash: string,
  providers: readonly AnalyticsProvider[] = [],
  framers: readonly string[] = [],
): string {
  // Providers are told by requests of our own: none of their scripts ever runs here.
  const connect = providers.flatMap((provider) => beaconSources[provider])
  const list = (...sources: string[]) => [...new Set(sources)].join(' ')
  return [
    "default-src 'none'",
    `script-src 'self' '${afterFirstFrameHash}'`,
    `style-src '${cssHash}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self'",
    "manifest-src 'self'",
    "font-src 'self'",
    `connect-src ${list("'self'", ...connect)}`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${list(...framers) || "'none'"}`,
  ].join('; ')
}
