import type { z } from 'zod'
import type { pushDevice, pushSchemas } from './push-schemas.ts'
import { routes } from './route.ts'

export const pushKinds = ['orders', 'news'] as const
export type PushKind = (typeof pushKinds)[number]
export type PushDevice = z.infer<typeof pushDevice>

export const pushRoutes = routes<typeof pushSchemas>()({
  key: { method: 'GET', path: '/push-key', audience: 'visitor' },
  list: { method: 'GET', path: '/account/push-devices', audience: 'buyer' },
  keep: { method: 'PUT', path: '/account/push-devices', audience: 'buyer' },
  // Sent by the browser's service worker, whoever is signed in.
  confirm: { method: 'POST', path: '/push-confirmations', audience: 'visitor' },
  remove: { method: 'DELETE', path: '/account/push-devices/:id', audience: 'buyer' },
})
