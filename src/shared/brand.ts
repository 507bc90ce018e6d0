import { cssColor, type OklchParts, productColors } from './product-colors.ts'

/**
 * A campaign's own colours. Two spellings only, safe in a style attribute, and only colours with readable
 * text (WCAG 2.2 AA, 4.5 : 1). Ink and paper are the light theme's; the dark theme uses their hues at its own
 * lightness. Formulas: CSS Color 4 (OKLCH to linear sRGB), Ottosson (the inverse), WCAG 2.2 (luminance,
 * contrast).
 */
export interface Brand {
  /** The colour of controls. */
  readonly accent: string | null
  readonly ink?: string | null | undefined
  readonly paper?: string | null | undefined
  /** The colour of current events. */
  readonly now?: string | null | undefined
}

export interface BrandColors {
  readonly own: string
  /** The text colour on it, dark or light. */
  readonly onIt: string
  readonly hover: string
  readonly textLight: string
  readonly textDark: string
}

interface Ground {
  readonly paper: string
  readonly raised: string
  readonly sunk: string
  readonly ink: string
  readonly soft: string
  readonly faint: string
  readonly line: string
  readonly lineStrong: string
}

const CONTRAST_MIN = 4.5
/** Badges mix 18 % of the colour into their paper. */
const CONTRAST_MIN_ON_PAPER = 5.5
const TINT = 0.18
const DARK = '#041a12'
const LIGHT = '#ffffff'
const { light: ours, dark: ourDark } = productColors
const PAPER = cssColor(ours.paper)
const INK = cssColor(ours.ink)
const ACCENT = hexOf(ours.accent)
const SUCCESS = { light: hexOf(ours.success), dark: hexOf(ourDark.success) }
const DANGER = { light: hexOf(ours.danger), dark: hexOf(ourDark.danger) }
const ACCENT_TEXT_DARK = hexOf(ourDark['accent-text'])
/** Papers of success and error messages. */
const TINTED = [hexOf(ours['success-soft']), hexOf(ours['danger-soft'])]
/** The worst papers for contrast: sunken in light, raised in dark. */
const PAPER_LIGHT = cssColor(ours['paper-sunk'])
const PAPER_DARK = cssColor(ourDark['paper-raised'])

type Linear = readonly [number, number, number]
interface Oklch {
  readonly l: number
  readonly c: number
  readonly h: number
}

/** Null if the colour is invalid or no text on it is readable. */
export function brandColors(own: string | null, brand: Brand = { accent: null }): BrandColors | null {
  const color = own === null ? null : colorFrom(own)
  if (own === null || !color) return null
  const base = luminance(linearFrom(color))
  const onIt = [DARK, LIGHT].find((text) => contrast(base, luminanceOf(text)) >= CONTRAST_MIN)
  if (!onIt) return null
  const grounds = groundsOf(brand)
  return {
    own,
    onIt,
    hover: `color-mix(in srgb-linear, ${own} 88%, ${onIt === DARK ? '#ffffff' : '#000000'})`,
    textLight: readableShade(color, grounds?.light.sunk ?? PAPER_LIGHT, -1),
    textDark: readableShade(color, grounds?.dark.raised ?? PAPER_DARK, 1),
  }
}

/** The fault, by the field to fix. */
export type GroundFault =
  | { readonly field: 'ink' | 'paper'; readonly why: 'spelling' }
  | { readonly field: 'ink'; readonly why: 'contrast'; readonly contrast: string }

export function groundFault(brand: Brand): GroundFault | undefined {
  for (const field of ['ink', 'paper'] as const) {
    const color = brand[field]
    if (color && !colorFrom(color)) return { field, why: 'spelling' }
  }
  const grounds = groundsOf(brand)
  if (!grounds) return undefined
  const { paper, sunk, ink } = grounds.light
  const tinted = [brand.accent ?? ACCENT, brand.now].flatMap((color) =>
    color && colorFrom(color) ? [mixed(paper, color, TINT)] : [],
  )
  const least = Math.min(...[sunk, ...TINTED, ...tinted].map((ground) => lighterBy(ground, ink)))
  if (least >= CONTRAST_MIN) return undefined
  // A rejected contrast must not look sufficient.
  return { field: 'ink', why: 'contrast', contrast: String(Math.floor(least * 100) / 100) }
}

/** Below 1 if the paper is darker than the ink; the dark theme inverts them. */
const lighterBy = (paper: string, ink: string) => (luminanceOf(paper) + 0.05) / (luminanceOf(ink) + 0.05)

/** The style of the root element. */
export function brandStyle(brand: Brand): Record<string, string> {
  const accent = brandColors(brand.accent, brand)
  const now = brandColors(brand.now ?? null, brand)
  return {
    ...(groundFault(brand) ? {} : groundStyle(groundsOf(brand))),
    ...(accent && {
      '--brand-accent': accent.own,
      '--brand-on-accent': accent.onIt,
      '--brand-accent-hover': accent.hover,
      '--brand-accent-text': `light-dark(${accent.textLight}, ${accent.textDark})`,
    }),
    ...(now && {
      '--brand-now': now.own,
      '--on-now': now.onIt,
      '--now-soft': `color-mix(in oklab, var(--now) ${TINT * 100}%, var(--paper))`,
      '--now-text': `light-dark(${now.textLight}, ${now.textDark})`,
    }),
  }
}

function groundStyle(grounds: { light: Ground; dark: Ground } | null): Record<string, string> {
  if (!grounds) return {}
  const { light, dark } = grounds
  const names: Record<keyof Ground, string> = {
    paper: '--paper',
    raised: '--paper-raised',
    sunk: '--paper-sunk',
    ink: '--ink',
    soft: '--ink-soft',
    faint: '--ink-faint',
    line: '--line',
    lineStrong: '--line-strong',
  }
  const parts = Object.keys(names) as (keyof Ground)[]
  const onPaper = (color: string) => readableShade(colorFrom(color) as Oklch, light.sunk, -1)
  return {
    ...Object.fromEntries(parts.map((part) => [names[part], `light-dark(${light[part]}, ${dark[part]})`])),
    '--success': `light-dark(${onPaper(SUCCESS.light)}, ${SUCCESS.dark})`,
    '--danger': `light-dark(${onPaper(DANGER.light)}, ${DANGER.dark})`,
    '--accent-text': `var(--brand-accent-text, light-dark(${onPaper(ACCENT)}, ${ACCENT_TEXT_DARK}))`,
    '--ito-shoe': `light-dark(${light.ink}, ${dark.lineStrong})`,
  }
}

/** Colours of the light theme, for pictures and browser chrome. */
export function pictureColors(brand: Brand) {
  const { light, dark } = (groundFault(brand) ? null : groundsOf(brand)) ?? {}
  const taken = (color: string | null | undefined) => {
    const known = color && brandColors(color) ? colorFrom(color) : null
    return known && hexFrom(linearFrom(known))
  }
  return {
    paper: light?.paper ?? hexOf(ours.paper),
    ink: light?.ink ?? hexOf(ours.ink),
    soft: light?.soft ?? hexOf(ours['ink-soft']),
    outline: light?.lineStrong ?? hexOf(ours['line-strong']),
    accent: taken(brand.accent) ?? ACCENT,
    now: taken(brand.now) ?? hexOf(ours.now),
    darkPaper: dark?.paper ?? hexOf(ourDark.paper),
  }
}

/** Null if both are the product's, or one is invalid. */
function groundsOf({ ink, paper }: Brand): { light: Ground; dark: Ground } | null {
  if (!ink && !paper) return null
  const inkColor = colorFrom(ink ?? INK)
  const paperColor = colorFrom(paper ?? PAPER)
  if (!inkColor || !paperColor) return null
  return {
    light: lightGround(inkColor, paperColor),
    dark: darkGround(oklchFrom(inkColor), oklchFrom(paperColor)),
  }
}

function lightGround(inkColor: Oklch | Linear, paperColor: Oklch | Linear): Ground {
  const ink = hexFrom(linearFrom(inkColor))
  const paper = hexFrom(linearFrom(paperColor))
  const at = oklchFrom(paperColor)
  const sunk = hexFrom(linearFromOklch({ ...at, l: Math.max(0, at.l - 0.032) }))
  return {
    paper,
    raised: mixed(paper, LIGHT, 0.6),
    sunk,
    ink,
    soft: fadedUntil(ink, sunk, 7),
    faint: fadedUntil(ink, sunk, 5),
    line: mixed(paper, ink, 0.13),
    lineStrong: fadedUntil(ink, sunk, 3.5),
  }
}

/** The product's lightness and maximum chroma keep the contrasts. */
function darkGround(ink: Oklch, paper: Oklch): Ground {
  const tinted = ({ c, h }: Oklch, l: number, most: number) => hexOf([l, Math.min(c, most), h])
  return {
    paper: tinted(ink, 0.205, 0.028),
    raised: tinted(ink, 0.245, 0.031),
    sunk: tinted(ink, 0.175, 0.025),
    ink: tinted(paper, 0.955, 0.018),
    soft: tinted(paper, 0.8, 0.024),
    faint: tinted(paper, 0.7, 0.026),
    line: tinted(ink, 0.34, 0.03),
    lineStrong: tinted(ink, 0.56, 0.03),
  }
}

/** Mixes paper into the ink as far as this contrast allows. */
function fadedUntil(ink: string, paper: string, least: number): string {
  for (let step = 40; step > 0; step -= 1) {
    const faded = mixed(ink, paper, step / 50)
    if (contrastOf(faded, paper) >= least) return faded
  }
  return ink
}

/** Like `color-mix(in oklab, …)`. */
function mixed(one: string, other: string, share: number): string {
  const [from, to] = [one, other].map((text) => {
    const { l, c, h } = oklchFrom(colorFrom(text) as Oklch | Linear)
    const angle = (h * Math.PI) / 180
    return [l, c * Math.cos(angle), c * Math.sin(angle)]
  }) as [number[], number[]]
  const [l = 0, a = 0, b = 0] = from.map((part, at) => part + ((to[at] ?? 0) - part) * share)
  return hexFrom(linearFromOklch({ l, c: Math.hypot(a, b), h: (Math.atan2(b, a) * 180) / Math.PI }))
}

/** @internal For tests: contrast in either spelling, 1 to 21. */
export function contrastOf(one: string, other: string): number {
  return contrast(luminanceOf(one), luminanceOf(other))
}

function colorFrom(text: string): Oklch | Linear | null {
  if (/^#[0-9a-f]{6}$/i.test(text))
    return [1, 3, 5].map((at) =>
      linearFromByte(Number.parseInt(text.slice(at, at + 2), 16)),
    ) as unknown as Linear
  const [, l, c, h] =
    /^oklch\((0(?:\.\d{1,4})?|1) (0(?:\.\d{1,4})?) (\d{1,3}(?:\.\d{1,2})?)\)$/.exec(text) ?? []
  if (l === undefined || c === undefined || h === undefined) return null
  const color = { l: Number(l), c: Number(c), h: Number(h) }
  // Browsers map colours outside sRGB differently, so their contrast is unknown.
  return color.h <= 360 && isInGamut(linearFromOklch(color)) ? color : null
}

function oklchFrom(color: Oklch | Linear): Oklch {
  if ('l' in color) return color
  const [red, green, blue] = color
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short
  return {
    l: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    c: Math.hypot(a, b),
    h: ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360,
  }
}

const linearFrom = (color: Oklch | Linear): Linear => ('l' in color ? linearFromOklch(color) : color)

function linearFromByte(byte: number): number {
  const value = byte / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function linearFromOklch({ l, c, h }: Oklch): Linear {
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

const isInGamut = (rgb: Linear) => rgb.every((part) => part >= -0.001 && part <= 1.001)

function luminance([red, green, blue]: Linear): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function luminanceOf(text: string): number {
  const color = colorFrom(text)
  if (!color) throw new Error(`${text} is no colour in a known spelling`)
  return luminance(linearFrom(color))
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

/** Darkens (-1) or lightens (1) the colour until it is readable. */
function readableShade(color: Oklch | Linear, paper: string, direction: -1 | 1): string {
  const from = linearFrom(color)
  const end = direction === -1 ? 0 : 1
  const ground = luminanceOf(paper)
  for (let step = 0; step <= 50; step += 1) {
    const shade = from.map((part) => part + ((end - part) * step) / 50) as unknown as Linear
    const hex = hexFrom(shade)
    if (contrast(luminanceOf(hex), ground) >= CONTRAST_MIN_ON_PAPER) return hex
  }
  return direction === -1 ? '#000000' : '#ffffff'
}

function hexOf([l, c, h]: OklchParts): string {
  return hexFrom(linearFromOklch({ l, c, h }))
}

function hexFrom(rgb: Linear): string {
  const bytes = rgb.map((part) => {
    const clamped = Math.min(1, Math.max(0, part))
    const encoded = clamped <= 0.0031308 ? clamped * 12.92 : 1.055 * clamped ** (1 / 2.4) - 0.055
    return Math.round(encoded * 255)
  })
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
