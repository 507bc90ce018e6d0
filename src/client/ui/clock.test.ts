import { describe, expect, it } from 'vitest'
import { clockFace, remainingUntil, secondsAway } from './clock.ts'

const at = (iso: string) => Date.parse(iso)

describe('remainingUntil', () => {
  it('splits what is left into days and a clock face', () => {
    const left = remainingUntil('2026-08-05T20:00:00Z', at('2026-08-03T18:58:57Z'))
    expect(left).toMatchObject({ days: 2, hours: 1, minutes: 1, seconds: 3, over: false })
    expect(clockFace(left)).toBe('01:01:03')
  })

  it('shows fifteen minutes as fifteen, not as a second more', () => {
    expect(clockFace(remainingUntil('2026-08-05T20:00:00.900Z', at('2026-08-05T19:45:00Z')))).toBe('00:15:00')
  })

  it('is over at the very moment and stays so', () => {
    expect(remainingUntil('2026-08-05T20:00:00Z', at('2026-08-05T20:00:00Z')).over).toBe(true)
    expect(remainingUntil('2026-08-05T20:00:00Z', at('2026-09-05T20:00:00Z'))).toMatchObject({
      leftMs: 0,
      over: true,
    })
  })
})

describe('secondsAway', () => {
  const now = at('2026-08-05T20:00:00Z')

  it('tells how long ago something was', () => {
    expect(secondsAway('2026-08-05T19:58:57Z', now, false)).toBe(-63)
  })

  it('never has lie ahead what has happened, however late the page learnt the time', () => {
    expect(secondsAway('2026-08-05T20:00:00.900Z', now, false)).toBe(0)
    expect(secondsAway('2026-08-05T20:00:05Z', now, false)).toBe(0)
  })

  it('tells how far ahead lies what may be to come', () => {
    expect(secondsAway('2026-08-05T20:00:05Z', now, true)).toBe(5)
  })
})
