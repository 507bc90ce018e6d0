import type { ReactNode } from 'react'
import { inkLine } from './figure.tsx'

/*
 * The outfits by level, lowest first. `back` is drawn behind the body, `front` over everything. A level does
 * not wear the lower levels' outfits.
 */

const outline = {
  stroke: inkLine,
  strokeWidth: 2.4,
  strokeLinejoin: 'round',
  strokeLinecap: 'round',
} as const

const bronze = 'oklch(0.66 0.115 55)'
const silver = 'oklch(0.83 0.012 220)'
const platinum = 'oklch(0.42 0.045 168)'
const ice = 'oklch(0.86 0.085 212)'
const royal = 'oklch(0.5 0.13 300)'
const gold = 'oklch(0.84 0.165 88)'
const paper = 'oklch(0.97 0.014 100)'

export interface Costume {
  back?: ReactNode
  front: ReactNode
}

const scarf: Costume = {
  front: (
    <>
      <path d="M41 52l6 3-1 17-8 .5z" fill={bronze} {...outline} />
      <path d="M39 67.5l7.6-.5" {...outline} stroke={paper} />
      <path
        d="M15 46.5c8 4.5 26 4.5 34 0 2.6 2.5 2.8 6 .4 8.4-9 5-26 5-34.8 0-2.4-2.4-2.2-5.9.4-8.4z"
        fill={bronze}
        {...outline}
      />
      <path d="M22 49.8l-1 6.4M30 51l-.4 7M38 50.4l.8 6.8" {...outline} stroke={paper} />
    </>
  ),
}

const cap: Costume = {
  front: (
    <>
      <path
        d="M13 17.5C13.5 6.5 21 .8 32 .8S50.5 6.5 51 17.5c-12-3.6-26-3.6-38 0z"
        fill={silver}
        {...outline}
      />
      <path
        d="M13 17.5c9-2.8 18-3.5 27-2.2 9 .6 17 2 20.5 5.4.8 2-.6 3-2.8 2.6C43 19.5 27 18 15.5 21c-2.4.4-3.4-1.2-2.5-3.5z"
        fill={inkLine}
        {...outline}
      />
      <circle cx="32" cy="1.6" r="2.4" fill={inkLine} />
      <path
        d="M24 2.8c-2.4 3.6-3.4 7.6-3.4 11.8M40 2.8c2.2 3 3.2 7 3.4 11.4"
        fill="none"
        {...outline}
        strokeWidth="1.4"
        opacity="0.5"
      />
      <path d="M30 6.6h4.2M32 6.6v6M29.8 12.6h4.4" {...outline} strokeWidth="2" />
    </>
  ),
}

const shades: Costume = {
  front: (
    <>
      <path d="M11.5 18.5h41" {...outline} strokeWidth="3" />
      <path
        d="M14 17.5h15.6l-1.2 7.6c-.6 3.4-3 4.9-6.2 4.9-4.2 0-6.8-2.2-7.4-6zM34.4 17.5H50l-.8 6.5c-.6 3.8-3.2 6-7.4 6-3.2 0-5.6-1.5-6.2-4.9z"
        fill={inkLine}
        {...outline}
      />
      <path
        d="M18 20.5l4.5 5.5M38.4 20.5l4.5 5.5"
        stroke="#fff"
        strokeWidth="1.8"
        strokeLinecap="round"
        opacity="0.8"
      />
      <path
        d="M21.5 53c2 9 5 12.5 9.8 12.5S39.5 62 42 53"
        fill="none"
        stroke={inkLine}
        strokeWidth="4.6"
        strokeLinecap="round"
      />
      <path
        d="M21.5 53c2 9 5 12.5 9.8 12.5S39.5 62 42 53"
        fill="none"
        stroke={gold}
        strokeWidth="2.4"
        strokeDasharray="2.6 1.4"
      />
      <circle cx="31.4" cy="68" r="5.2" fill={gold} {...outline} />
      <path d="M31.4 67v4M31.4 64.6v.2" {...outline} strokeWidth="2" />
    </>
  ),
}

const topHat: Costume = {
  front: (
    <>
      <path d="M19 10.5L17.5-9.5h30L45 10.5z" fill={platinum} {...outline} />
      <path d="M18.9 4.5l.5 5.8h25.9l.6-5.8z" fill={silver} {...outline} />
      <path
        d="M10.5 10c12.8-2.6 30.2-2.6 43 0 2 .8 2 4 0 4.6-13-2.4-30-2.4-43 0-2-.6-2-3.8 0-4.6z"
        fill={platinum}
        {...outline}
      />
      <path d="M23-5.5l.6 6.5" stroke="#fff" strokeWidth="2" strokeLinecap="round" opacity="0.45" />
      <path
        d="M31.5 53.5l-11-5.4c-1.6 3.6-1.6 8.4 0 12zM31.5 53.5l11-5.4c1.6 3.6 1.6 8.4 0 12z"
        fill={silver}
        {...outline}
      />
      <circle cx="31.5" cy="54" r="3.2" fill={platinum} {...outline} />
      <path d="M31.5 65.5v.2M31.5 73.5v.2" {...outline} strokeWidth="3.6" />
    </>
  ),
}

const stone: Costume = {
  front: (
    <>
      <path d="M20-3.5L25.5-11h13L44-3.5 32 12z" fill={ice} {...outline} />
      <path
        d="M20-3.5h24M25.5-11l2.5 7.5L32 12l4-15.5 2.5-7.5M28-3.5L32-11l4 7.5"
        fill="none"
        {...outline}
        strokeWidth="1.4"
      />
      <path d="M22.6-5.6l3-3.6" stroke="#fff" strokeWidth="1.8" strokeLinecap="round" />
      <path
        d="M49.5-9.5v6M46.5-6.5h6M13.5-1v4.4M11.3 1.2h4.4"
        stroke="var(--ink)"
        strokeWidth="1.6"
        strokeLinecap="round"
      />
      <circle cx="38.4" cy="22.6" r="7" fill={ice} fillOpacity="0.35" stroke={inkLine} strokeWidth="2.4" />
      <path d="M45 25.5c4.5 8 4 18-.5 27.5" fill="none" stroke={inkLine} strokeWidth="1.6" />
      <path d="M22 51.5l9.5 8 9.5-8" fill="none" {...outline} />
      <path d="M27.5 62.2l2-2.8h4l2 2.8-4 5.4z" fill={ice} {...outline} strokeWidth="1.8" />
    </>
  ),
}

const crown: Costume = {
  back: (
    <path
      d="M18 51C9 64 4.5 78 3.5 92c8 3.4 15-1 20 1 6-3 11-3 17 0 5-2 12 2.4 20-1C59.5 78 55 64 46 51z"
      fill={royal}
      {...outline}
    />
  ),
  front: (
    <>
      <path
        d="M14.5 12L10.5-8l11.8 8.4L32-12.5 41.7.4 53.5-8l-4 20C38 8.8 26 8.8 14.5 12z"
        fill={gold}
        {...outline}
      />
      <circle cx="10.5" cy="-8.6" r="2.6" fill={royal} {...outline} strokeWidth="1.8" />
      <circle cx="32" cy="-13" r="2.8" fill={royal} {...outline} strokeWidth="1.8" />
      <circle cx="53.5" cy="-8.6" r="2.6" fill={royal} {...outline} strokeWidth="1.8" />
      <path d="M32-.5l3 4.2-3 4.2-3-4.2z" fill={paper} {...outline} strokeWidth="1.6" />
      <path
        d="M14 47.5c10 4 26 4 36 0 3 2 3.2 6.2.6 8.6-10 4.4-27.2 4.4-37.2 0-2.6-2.4-2.4-6.6.6-8.6z"
        fill={paper}
        {...outline}
      />
      <path
        d="M19 52.6l.8 1.8M26 54.4l.4 1.9M33.4 54.6l-.2 2M41 53.6l-.6 1.8M46.4 51.8l-.8 1.8"
        {...outline}
        strokeWidth="2"
      />
    </>
  ),
}

export const costumes: readonly Costume[] = [scarf, cap, shades, topHat, stone, crown]

/** The last level wears the crown. */
export function costumeOf(rank: number, levelCount: number): Costume | undefined {
  if (rank < 0 || levelCount <= 0) return undefined
  if (rank >= levelCount - 1 && levelCount > 1) return crown
  return costumes[Math.min(rank, costumes.length - 2)]
}
