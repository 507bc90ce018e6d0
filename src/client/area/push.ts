import { pushRoutes } from '../../shared/api/push.ts'
import { call } from './call.ts'

export interface OwnPushTarget {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

const READY_MS = 10_000

/** Why there are no notices: unsupported, blocked by the user, or no address from the push service. */
export type NoNotices = 'unknown' | 'denied' | 'no_address'

export const knowsNotices = () =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** Hex SHA-256 of this browser's push address, null if there is none. Shows no prompt. */
export async function ownMark(): Promise<string | null> {
  if (!knowsNotices() || Notification.permission !== 'granted') return null
  const registration = await navigator.serviceWorker.getRegistration('/')
  const subscription = await registration?.pushManager.getSubscription()
  return subscription ? markOf(subscription.endpoint) : null
}

export async function subscribeHere(): Promise<OwnPushTarget | NoNotices> {
  if (!knowsNotices()) return 'unknown'
  // First, because some browsers prompt only within the click's event.
  if ((await Notification.requestPermission()) !== 'granted') return 'denied'
  const { publicKey } = await call(pushRoutes.key)
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  try {
    await navigator.serviceWorker.register('/service-worker.js')
    const { pushManager } = await readyInTime()
    // A subscription with another key, left by an earlier site on this host, is replaced.
    const subscription = await pushManager.subscribe(options).catch(async () => {
      await (await pushManager.getSubscription())?.unsubscribe()
      return pushManager.subscribe(options)
    })
    const { endpoint, keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON()
    return { endpoint: endpoint ?? '', p256dh, auth }
  } catch {
    return 'no_address'
  }
}

/** Waits with a timeout: a service worker that failed to install never becomes ready. */
function readyInTime(): Promise<ServiceWorkerRegistration> {
  return new Promise((resolve, reject) => {
    setTimeout(reject, READY_MS)
    navigator.serviceWorker.ready.then(resolve, reject)
  })
}

async function markOf(endpoint: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint))
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
