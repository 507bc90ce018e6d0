import type { z } from 'zod'
import type { Right } from '../roles.ts'
import type { channel, channelSchemas } from './channels-schemas.ts'
import { executes, routes } from './route.ts'

export const channelKinds = ['mail', 'telegram', 'webhook', 'push'] as const
export type ChannelKind = (typeof channelKinds)[number]

/** The right that each event for operators needs: outbox rows by kind. */
export const noticeRights = {
  order_created: 'orders:read',
  order_approved: 'orders:read',
  payment_to_decide: 'orders:read',
  refund_owed: 'orders:read',
  refund_claimed: 'orders:read',
  approval_waiting: 'any',
  currency_changed: 'any',
  campaign_changed: 'any',
} as const satisfies Record<string, Right | 'any'>
export type NoticeKind = keyof typeof noticeRights
export const noticeKinds = Object.keys(noticeRights) as [NoticeKind, ...NoticeKind[]]

export type Channel = z.infer<typeof channel>

export const channelRoutes = routes<typeof channelSchemas>()({
  list: { method: 'GET', path: '/operator/channels', audience: { operator: 'any' } },
  add: { method: 'POST', path: '/operator/channels', ...executes('channel.add') },
  update: { method: 'PUT', path: '/operator/channels/:id', ...executes('channel.update') },
  sendCode: { method: 'POST', path: '/operator/channels/:id/code', ...executes('channel.send-code') },
  prove: { method: 'POST', path: '/operator/channels/:id/proof', ...executes('channel.prove') },
  remove: { method: 'DELETE', path: '/operator/channels/:id', ...executes('channel.remove') },
})
