import { beaconSources } from '../../shared/analytics-beacons.ts'
import type { AnalyticsProvider } from '../../shared/api/analytics.ts'
import { afterFirstFrameHash } from './after-first-frame.ts'

// Rules: TEXT-17
/** No scripts, forms or popups, framed only by the site, whose origin the fonts need. */
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
 * Own files, the one inline script and stylesheet by hash. Style attributes are allowed, because bar widths
 * are figures.
 */
export function securityPolicy(
  cssHash: string,
  providers: readonly AnalyticsProvider[] = [],
  framers: readonly string[] = [],
): string {
  // Providers get our own requests, but run no scripts here.
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
