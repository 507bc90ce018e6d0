import type { AnalyticsProvider } from './api/analytics.ts'

// Rules: TEXT-21
/**
 * One own request, never a provider's script, which could read the page. Sent are origin and path; no
 * query, referrer or cookie.
 */
export interface Beacon {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly body?: string
}

export interface PageView {
  /** `https://example.org` */
  readonly origin: string
  readonly path: string
  /** Random for every page view, so that it links nothing. */
  readonly visitId: string
}

/** `G-…` is Google Analytics 4, digits are a Meta Pixel, a domain is Plausible. */
export function providerOf(key: string): AnalyticsProvider {
  if (/^G-[A-Z0-9]{4,20}$/i.test(key)) return 'ga4'
  if (/^\d{10,20}$/.test(key)) return 'meta'
  if (/^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i.test(key)) return 'plausible'
  return 'other'
}

/** `connect-src` sources of a page's policy, by provider. */
export const beaconSources: Record<AnalyticsProvider, readonly string[]> = {
  plausible: ['https://plausible.io'],
  ga4: ['https://www.google-analytics.com'],
  meta: ['https://www.facebook.com'],
  other: [],
}

export function beaconFor(provider: AnalyticsProvider, key: string, view: PageView): Beacon | null {
  const page = `${view.origin}${view.path.split(/[?#]/, 1)[0]}`
  switch (provider) {
    case 'plausible':
      return {
        url: 'https://plausible.io/api/event',
        method: 'POST',
        // The browser sends no preflight for text/plain.
        body: JSON.stringify({ name: 'pageview', url: page, domain: key, referrer: null }),
      }
    case 'ga4': {
      const query = new URLSearchParams({
        v: '2',
        tid: key,
        cid: view.visitId,
        en: 'page_view',
        dl: page,
        npa: '1',
      })
      return { url: `https://www.google-analytics.com/g/collect?${query}`, method: 'POST' }
    }
    case 'meta': {
      const query = new URLSearchParams({ id: key, ev: 'PageView', dl: page, noscript: '1' })
      return { url: `https://www.facebook.com/tr?${query}`, method: 'GET' }
    }
    case 'other':
      return null
  }
}
