import { beaconFor } from '../shared/analytics-beacons.ts'
import type { AnalyticsProvider } from '../shared/api/analytics.ts'

/** Whether the visitor agreed; without a yes nothing is counted. */
export function hasAgreedToCounting(): boolean {
  return /(?:^|; )consent=yes(?:;|$)/.test(document.cookie)
}

/** Whether the visitor answered at all, so that nobody is asked twice. */
export function hasAnsweredCounting(): boolean {
  return typeof document === 'undefined' || /(?:^|; )consent=(?:yes|no)(?:;|$)/.test(document.cookie)
}

/**
 * Tells the operator's providers for this page of the visit: one request each with origin and path. None of their scripts is
 * loaded, no cookie and no referrer goes with it, and a failure is ignored.
 */
export async function countVisit(path: string): Promise<void> {
  const answer = await fetch(`/api/v1/analytics?path=${encodeURIComponent(path)}`)
  if (!answer.ok) return
  const { items } = (await answer.json()) as { items: { provider: AnalyticsProvider; key: string }[] }
  for (const { provider, key } of items) {
    const beacon = beaconFor(provider, key, { origin: location.origin, path, visitId: crypto.randomUUID() })
    if (!beacon) continue
    fetch(beacon.url, {
      method: beacon.method,
      body: beacon.body,
      mode: 'no-cors',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      keepalive: true,
    }).catch(() => undefined)
  }
}
