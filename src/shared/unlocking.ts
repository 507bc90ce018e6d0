/**
 * A schedule: a share at the start, in 1/10,000, nothing more until the cliff ends, then linear. Times in ISO
 * form.
 */
export interface Schedule {
  readonly startsAt: string
  readonly startBps: number
  readonly cliffEndsAt: string
  readonly endsAt: string
}

export type Phase = 'before' | 'cliff' | 'evenly' | 'unlocked'

export function phaseOf({ startsAt, startBps, cliffEndsAt, endsAt }: Schedule, now: string): Phase {
  if (now < startsAt) return 'before'
  if (now >= endsAt || startBps === 10_000) return 'unlocked'
  return now < cliffEndsAt ? 'cliff' : 'evenly'
}

export function scheduleFrom(
  deliveredAt: string,
  {
    startBps,
    cliffSeconds,
    linearSeconds,
  }: Readonly<Record<'startBps' | 'cliffSeconds' | 'linearSeconds', number>>,
): Schedule {
  const at = (seconds: number) => new Date(Date.parse(deliveredAt) + seconds * 1000).toISOString()
  return {
    startsAt: deliveredAt,
    startBps,
    cliffEndsAt: at(cliffSeconds),
    endsAt: at(cliffSeconds + linearSeconds),
  }
}

/** Converts to 1/10,000; undefined if the percent is invalid or has more than two decimals. */
export function bpsOfPercent(percent: string): number | undefined {
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(percent)) return undefined
  const [whole, hundredths = ''] = percent.split('.')
  const bps = Number(`${whole}${hundredths.padEnd(2, '0')}`)
  return bps <= 10_000 ? bps : undefined
}

export const percentOfBps = (bps: number) => String(bps / 100)
