import { type ReactNode, useId } from 'react'
import { costumeOf } from './costumes.tsx'
import { Coin, inkLine, Limb, type Mood, Stem, shoesPath, stemPath } from './figure.tsx'

export type Pose = 'rest' | 'wave' | 'cheer' | 'shrug' | 'wait' | 'search' | 'box' | 'lost' | 'hacker'

interface Posture {
  mood: Mood
  /** Drawn behind the body. */
  back?: ReactNode
  /** Drawn over the body, under the coin. */
  front?: ReactNode
  /** The coin's position if it is not above the stem. */
  coin?: { x: number; y: number; turn: number }
  width?: number
}

const restingArms = <Limb d="M20 68c-7 2-9 8-7.5 14M46.5 66c7 2 8.5 8 7 14" />
const ground = { fill: 'none', stroke: 'var(--ink)', strokeWidth: 2, strokeLinecap: 'round' } as const

const postures: Record<Pose, Posture> = {
  rest: { mood: 'happy', back: restingArms },
  wave: {
    mood: 'happy',
    back: <Limb d="M20 68c-7 2-9 8-7.5 14M46 66c9 0 13-6 13.5-16" />,
    front: <path d="M64.5 40c2 1.5 3 3.4 3 5.8M66 35c3.4 2.2 5.4 5.6 5.6 9.6" {...ground} />,
    width: 74,
  },
  cheer: {
    mood: 'glad',
    back: <Limb d="M20 68C9 66 3 59 3 47M46 66c11-1 16.5-8 16.5-20" />,
    front: <path d="M-5 43l-5-4M2 38l-2-7M70 42l5-4M64 37l2-7" {...ground} />,
    width: 84,
  },
  shrug: {
    mood: 'curious',
    back: <Limb d="M20 69C10 71 4 68 1 60M46 68c10 2 16-1 19-9" />,
    width: 78,
  },
  wait: {
    mood: 'curious',
    back: <Limb d="M20 68c-7 2-9 8-7.5 14" />,
    front: (
      <>
        <Limb d="M46.5 66c6 1 8 3 10 8" />
        <g transform="translate(58 79)" stroke={inkLine} strokeWidth="2" strokeLinejoin="round">
          <path
            d="M-6-11H6C6-4 2-2 1 0 2 2 6 4 6 11H-6C-6 4-2 2-1 0-2-2-6-4-6-11z"
            fill="oklch(0.97 0.014 100)"
          />
          <path
            d="M-3.6-6h7.2C2.6-3 1-2 0-.4-1-2-2.6-3-3.6-6zM-5 10c.4-3 3-4.4 5-4.8 2 .4 4.6 1.8 5 4.8z"
            fill="var(--now)"
            stroke="none"
          />
          <path d="M-8-11.6H8M-8 11.6H8" strokeWidth="3.4" strokeLinecap="round" />
        </g>
      </>
    ),
    width: 78,
  },
  search: {
    mood: 'curious',
    back: <Limb d="M20 68c-7 2-9 8-7.5 14" />,
    front: (
      <>
        <Limb d="M46.5 66c7 0 10-2 12-7" />
        <g transform="translate(62 47)">
          <path d="M-5 14L-2 7" stroke={inkLine} strokeWidth="6" strokeLinecap="round" />
          <circle r="9" fill="var(--paper)" fillOpacity="0.7" stroke={inkLine} strokeWidth="5.4" />
          <circle r="9" fill="none" stroke="oklch(0.83 0.012 220)" strokeWidth="2.2" />
          <path d="M-4.5-2A5 5 0 0 1 0-5" stroke="#fff" strokeWidth="2" fill="none" strokeLinecap="round" />
        </g>
      </>
    ),
    width: 84,
  },
  box: {
    mood: 'curious',
    front: (
      <>
        <g stroke={inkLine} strokeWidth="2.6" strokeLinejoin="round">
          <path d="M8 71h48v20a4 4 0 0 1-4 4H12a4 4 0 0 1-4-4z" fill="oklch(0.8 0.07 80)" />
          <path d="M8 71l-8 7 9 5.5M56 71l8 7-9 5.5" fill="oklch(0.87 0.055 80)" />
          <path d="M26 83h12" strokeLinecap="round" />
        </g>
      </>
    ),
    width: 76,
  },
  lost: {
    mood: 'dizzy',
    back: <Limb d="M20 68C10 65 7 59 8 51M46 67c9 1 13-3 14-11" />,
    front: (
      <>
        <path
          d="M27 38c-1.4-6 6.6-8.4 8.4-3.4 1.4 4-3.6 4.8-3.8 8.6M31.6 46.6v.2"
          {...ground}
          strokeWidth="3.4"
        />
        <path d="M74 62c7-7 15-7 20-1M100 55c4-4 9-4 12-1" {...ground} strokeDasharray="1 5" />
        <path d="M58 96.5h92" {...ground} strokeWidth="1.5" opacity="0.5" />
      </>
    ),
    coin: { x: 124, y: 75, turn: 62 },
    width: 150,
  },
  hacker: {
    mood: 'silly',
    back: <Limb d="M20 70c-6 3-7 8-3 12M46.5 68c7 3 8 9 4 13" />,
    front: (
      <g stroke={inkLine} strokeWidth="2.4" strokeLinejoin="round">
        <path d="M10 67h44v22H10z" fill="oklch(0.33 0.045 168)" />
        <path d="M4 89h56l3 6H1z" fill="oklch(0.83 0.012 220)" />
        <path d="M17 74l5 4-5 4M26 83h9" fill="none" stroke="var(--now)" strokeLinecap="round" />
      </g>
    ),
  },
}

/**
 * Ito, the letter i whose dot is a coin with a face. `rank` among `levelCount` levels selects the outfit. Use
 * `decorative` if the text beside it says the same.
 */
export function Ito({
  state = 'awake',
  pose = 'rest',
  mood,
  rank,
  levelCount = 6,
  title,
  desc,
  decorative = false,
  className,
}: {
  state?: 'awake' | 'asleep'
  pose?: Pose
  mood?: Mood
  rank?: number
  levelCount?: number
  title?: string
  desc?: string
  decorative?: boolean
  className?: string
}) {
  const id = useId()
  const posture = postures[pose]
  const costume = rank === undefined ? undefined : costumeOf(rank, levelCount)
  const width = posture.width ?? 64
  // Raised hands and hats need space on both sides, a rolled-off coin only on the right.
  const left = pose === 'lost' ? -4 : -(width - 64) / 2 - 4
  const top = costume ? -18 : 0
  return (
    <svg
      viewBox={`${left} ${top} ${width + 8} ${100 - top}`}
      role={decorative ? undefined : 'img'}
      aria-hidden={decorative || undefined}
      aria-labelledby={decorative ? undefined : `${id}-t ${id}-d`}
      className={className ?? 'h-full w-auto'}
    >
      {decorative ? null : (
        <>
          <title id={`${id}-t`}>{title}</title>
          <desc id={`${id}-d`}>{desc}</desc>
        </>
      )}
      {state === 'asleep' ? (
        <Asleep />
      ) : (
        <>
          {costume?.back}
          {posture.back}
          <Stem />
          {posture.coin ? null : <Coin mood={mood ?? posture.mood} />}
          {costume?.front}
          {posture.front}
          {posture.coin ? <Coin mood={mood ?? posture.mood} {...posture.coin} /> : null}
        </>
      )}
    </svg>
  )
}

const sleepy = {
  fill: 'none',
  stroke: 'var(--line-strong)',
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

function Asleep() {
  return (
    <>
      <g {...sleepy} strokeWidth="3">
        <path d={shoesPath} />
        <path d={stemPath} fill="var(--paper)" />
        <g transform="translate(34 28) rotate(9)">
          <circle r="20" fill="var(--paper)" />
          <path
            d="M-9-1.5c1 2.6 4.6 2.6 5.6 0M3.4-1.5c1 2.6 4.6 2.6 5.6 0M-2 7c1.2.9 2.8.9 4 0"
            strokeWidth="2.2"
          />
        </g>
        <path d="M52 8h6l-6 7h6M60-1h4l-4 5h4" strokeWidth="2" />
      </g>
    </>
  )
}
