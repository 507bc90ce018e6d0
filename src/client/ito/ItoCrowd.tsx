import { inkLine, shoesPath, stemPath } from './figure.tsx'

/** A variant for each place: fixed, but irregular across rows. */
export function variantAt(index: number): 0 | 1 | 2 | 3 {
  return ((index * 7 + Math.floor(index / 5) * 3) % 4) as 0 | 1 | 2 | 3
}

const eyes = [
  'M-6.2-2.4v.1M6.2-2.4v.1',
  'M-4.4-3.2v.1M8-3.2v.1',
  'M-8-3.2v.1M4.4-3.2v.1',
  'M-8.6-1.5c.8-3.4 4-3.4 4.8 0M3.8-1.5c.8-3.4 4-3.4 4.8 0',
]

/** Draws SVG symbols of 52 × 104: `{id}a0`…`{id}a3` (awake), `{id}s` (asleep), `{id}w` (waking). */
export function CrowdFigures({ id }: { id: string }) {
  return (
    <defs>
      <g id={`${id}b`}>
        <path d={shoesPath} fill="var(--ito-shoe)" />
        <path d={stemPath} fill="var(--accent)" stroke={inkLine} strokeWidth="3" strokeLinejoin="round" />
        <circle cx="34.5" cy="26.5" r="20" fill={inkLine} />
        <circle cx="32" cy="25" r="20" fill="var(--now)" stroke={inkLine} strokeWidth="3" />
        <path
          d="M24 31.5c3 5 13 5 16 0"
          fill="none"
          stroke={inkLine}
          strokeWidth="2.6"
          strokeLinecap="round"
        />
      </g>
      {eyes.map((d, variant) => (
        <symbol key={d} id={`${id}a${variant}`} overflow="visible">
          <g transform="translate(-6 4)">
            <use href={`#${id}b`} />
            <path
              transform="translate(32 25)"
              d={d}
              fill="none"
              stroke={inkLine}
              strokeWidth={variant === 3 ? 2.6 : 6.4}
              strokeLinecap="round"
            />
          </g>
        </symbol>
      ))}
      <symbol id={`${id}s`} overflow="visible">
        <g
          transform="translate(-6 4)"
          fill="none"
          stroke="var(--line-strong)"
          strokeWidth="2.6"
          strokeLinecap="round"
          strokeLinejoin="round"
        >
          <path d={`${shoesPath}${stemPath}`} />
          <circle cx="33" cy="27" r="20" />
          <path d="M23 26c1.2 3 5.4 3 6.6 0M36.4 27c1.2 3 5.4 3 6.6 0" />
        </g>
      </symbol>
      <symbol id={`${id}w`} overflow="visible">
        <g transform="translate(-6 4)" stroke={inkLine} strokeLinecap="round" strokeLinejoin="round">
          <path d={shoesPath} fill="var(--ito-shoe)" stroke="none" />
          <path d={stemPath} fill="var(--paper-raised)" stroke="var(--ito-shoe)" strokeWidth="3" />
          <circle cx="32" cy="25" r="20" fill="var(--now)" strokeWidth="3" />
          <path d="M25.8 22.6v.1" fill="none" strokeWidth="6.4" />
          <path d="M35.4 23.5c1 2.6 4.6 2.6 5.6 0M28 33c2 1 6 1 8 0" fill="none" strokeWidth="2.6" />
        </g>
      </symbol>
    </defs>
  )
}
