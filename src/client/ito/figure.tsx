import type { ReactNode } from 'react'
import { cssColor, productColors } from '../../shared/product-colors.ts'

/*
 * Ito's parts in a box of 64 × 100: the coin's centre is (32, 25), the stem spans 50 to 88 and the shoes end
 * at 95. Outlines stay dark in both themes; parts on the page's own background use the text colour.
 */

export const inkLine = cssColor(productColors.light.ink)
const body = 'var(--accent)'
const gold = 'var(--now)'

export type Mood = 'happy' | 'glad' | 'curious' | 'worried' | 'asleep' | 'silly' | 'wow' | 'dizzy'

export const stemPath = 'M17 50h24a4 4 0 0 1 4 4v34H22V61h-5a4 4 0 0 1-4-4v-3a4 4 0 0 1 4-4z'
export const shoesPath = 'M14 95c0-5.5 3.5-8.5 8-8.5h9.5V95zM35 86.5h8.5c5 0 8.5 3 8.5 8.5H35z'

export function Stem() {
  return (
    <>
      <path d={shoesPath} fill="var(--ito-shoe)" />
      <path d={stemPath} fill={body} />
      <path d="M41 50a4 4 0 0 1 4 4v34h-6V50z" fill={inkLine} opacity="0.16" />
      <path d={stemPath} fill="none" stroke={inkLine} strokeWidth="3" strokeLinejoin="round" />
    </>
  )
}

export function Coin({
  mood,
  x = 32,
  y = 25,
  turn = 0,
}: {
  mood: Mood
  x?: number
  y?: number
  turn?: number
}) {
  return (
    <g transform={`translate(${x} ${y})${turn ? ` rotate(${turn})` : ''}`}>
      <circle cx="2.5" cy="1.5" r="20" fill={inkLine} />
      <circle r="20" fill={gold} stroke={inkLine} strokeWidth="3" />
      <circle
        r="16.2"
        fill="none"
        stroke={inkLine}
        strokeWidth="1.2"
        strokeDasharray="1.2 2.2"
        opacity="0.45"
      />
      <path
        d="M-13.5-9.5A16.5 16.5 0 0 1-4-16"
        fill="none"
        stroke="#fff"
        strokeWidth="3"
        strokeLinecap="round"
        opacity="0.85"
      />
      <Face mood={mood} />
    </g>
  )
}

const cheeks = (
  <g fill={body} opacity="0.7">
    <ellipse cx="-11" cy="4.5" rx="3" ry="2" />
    <ellipse cx="11" cy="4.5" rx="3" ry="2" />
  </g>
)

const openEyes = (dx = 0, dy = 0) => (
  <>
    <g fill={inkLine}>
      <ellipse cx={-6.2 + dx} cy={-2.5 + dy} rx="2.7" ry="3.8" />
      <ellipse cx={6.2 + dx} cy={-2.5 + dy} rx="2.7" ry="3.8" />
    </g>
    <g fill="#fff">
      <circle cx={-5.3 + dx} cy={-4 + dy} r="1.1" />
      <circle cx={7.1 + dx} cy={-4 + dy} r="1.1" />
    </g>
  </>
)

const line = {
  fill: 'none',
  stroke: inkLine,
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

const faces: Record<Mood, ReactNode> = {
  happy: (
    <>
      {cheeks}
      {openEyes()}
      <path d="M-4.5 5.5C-3 9 3 9 4.5 5.5" {...line} />
    </>
  ),
  glad: (
    <>
      {cheeks}
      <path d="M-9-1.5c.8-3.6 4.8-3.6 5.6 0M3.4-1.5c.8-3.6 4.8-3.6 5.6 0" {...line} strokeWidth="2.3" />
      <path d="M-6 4.5h12C5.5 11-5.5 11-6 4.5z" fill={inkLine} />
      <path d="M-2.8 8.6c1.6-1.4 4-1.4 5.6 0-1.4 1-4.2 1-5.6 0z" fill={body} />
    </>
  ),
  curious: (
    <>
      {cheeks}
      {openEyes(1.6, -1)}
      <path d="M-9.5-9.5c1.5-1.6 4-1.8 5.5-.8" {...line} strokeWidth="1.8" />
      <path d="M-1 7.5c1.6-1 3.6-1 5 0" {...line} />
    </>
  ),
  worried: (
    <>
      {openEyes(0, 0.5)}
      <path d="M-10-7.5l4.5-2.3M10-7.5L5.5-9.8" {...line} strokeWidth="1.8" />
      <path d="M-4.5 8.5C-3 5.4 3 5.4 4.5 8.5" {...line} />
      <path d="M13-9c2.2 2.8 2 5-.2 5s-2.2-2.4.2-5z" fill="#fff" stroke={inkLine} strokeWidth="1.2" />
    </>
  ),
  asleep: (
    <>
      <path d="M-9-1.5c1 2.6 4.6 2.6 5.6 0M3.4-1.5c1 2.6 4.6 2.6 5.6 0" {...line} />
      <ellipse cy="6.5" rx="1.8" ry="2" fill={inkLine} />
    </>
  ),
  silly: (
    <>
      {cheeks}
      <ellipse cx="-6.2" cy="-2.5" rx="2.7" ry="3.8" fill={inkLine} />
      <circle cx="-5.3" cy="-4" r="1.1" fill="#fff" />
      <path d="M3.4-3.6l5 1.8-5 1.8" {...line} strokeWidth="2.2" />
      <path d="M-5 4.5c2.5 1.6 7.5 1.6 10 0" {...line} />
      <path d="M-.5 5.8v3.4a2.4 2.4 0 0 0 4.8 0V5.4" fill={body} stroke={inkLine} strokeWidth="1.6" />
    </>
  ),
  wow: (
    <>
      {cheeks}
      {openEyes(0, -1)}
      <ellipse cy="7" rx="3" ry="3.6" fill={inkLine} />
    </>
  ),
  dizzy: (
    <>
      <path d="M-8.8-5.2l5.2 5.2m0-5.2l-5.2 5.2M3.6-5.2L8.8 0m0-5.2L3.6 0" {...line} />
      <path d="M-5 7c1.2-2 2.4-2 3.4 0s2.4 2 3.4 0 2-2 3.2 0" {...line} />
    </>
  ),
}

function Face({ mood }: { mood: Mood }) {
  return faces[mood]
}

export function Limb({ d }: { d: string }) {
  return (
    <>
      <path d={d} fill="none" stroke={inkLine} strokeWidth="8" strokeLinecap="round" strokeLinejoin="round" />
      <path d={d} fill="none" stroke={body} strokeWidth="3.4" strokeLinecap="round" strokeLinejoin="round" />
    </>
  )
}
