import { pushRoutes } from '../../shared/api/push.ts'
import { call } from './call.ts'

/** What the server needs to send to this browser, as its own push service gave it. */
export interface OwnPushTarget {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

const READY_MS = 10_000

/** Why a browser can't have notices: it knows none, its user said no to this site, or its push service gives no address. */
export type NoNotices = 'unknown' | 'denied' | 'no_address'

export const knowsNotices = () =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** SHA-256 of the address of this browser, in hexadecimal, by which it knows its own row; null where it has none. Asks nobody. */
export async function ownMark(): Promise<string | null> {
  if (!knowsNotices() || Notification.permission !== 'granted') return null
  const registration = await navigator.serviceWorker.getRegistration('/')
  const subscription = await registration?.pushManager.getSubscription()
  return subscription ? markOf(subscription.endpoint) : null
}

/** Asks whoever clicked whether this site may show notices, and the browser where it takes them. */
export async function subscribeHere(): Promise<OwnPushTarget | NoNotices> {
  if (!knowsNotices()) return 'unknown'
  // First: some browsers ask only in the turn of the click.
  if ((await Notification.requestPermission()) !== 'granted') return 'denied'
  const { publicKey } = await call(pushRoutes.key)
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  try {
    await navigator.serviceWorker.register('/service-worker.js')
    const { pushManager } = await readyInTime()
    // One that is bound to another key, of a site that stood here before, gives way.
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

/** A worker that could not be installed is never ready. */
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
