import { describe, expect, it } from 'vitest'
import { clockFace, remainingUntil } from './clock.ts'

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
