import { beaconFor } from '../shared/analytics-beacons.ts'
import type { AnalyticsProvider } from '../shared/api/analytics.ts'

export function hasAgreedToCounting(): boolean {
  return /(?:^|; )consent=yes(?:;|$)/.test(document.cookie)
}

export function hasAnsweredCounting(): boolean {
  return typeof document === 'undefined' || /(?:^|; )consent=(?:yes|no)(?:;|$)/.test(document.cookie)
}

/**
 * One request for each analytics provider of the page, with origin and path. Loads no scripts, sends no
 * cookie and no referrer, ignores failures.
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
