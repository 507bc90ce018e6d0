import type { liveEvents } from './live-schemas.ts'

export type LiveEventName = keyof typeof liveEvents
export const livePath = '/api/v1/live'
