/** The schedule of a round: a share at the start, in 1/10,000, nothing more until the cliff ends, then evenly. Moments in ISO form. */
export interface Schedule {
  readonly startsAt: string
  readonly startBps: number
  readonly cliffEndsAt: string
  readonly endsAt: string
}

/** How far a schedule is at a moment. */
export type Phase = 'before' | 'cliff' | 'evenly' | 'unlocked'

export function phaseOf({ startsAt, startBps, cliffEndsAt, endsAt }: Schedule, now: string): Phase {
  if (now < startsAt) return 'before'
  if (now >= endsAt || startBps === 10_000) return 'unlocked'
  return now < cliffEndsAt ? 'cliff' : 'evenly'
}
