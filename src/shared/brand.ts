/**
 * A campaign's own accent. Only two spellings are taken, so that the value can stand in a style attribute as it is, and only
 * colours on which the text of buttons is readable (WCAG 2.2 AA, 4.5 : 1). What is written in the accent on paper gets a shade
 * of it that is readable there, in both themes. Formulas: CSS Color 4 (OKLCH to linear sRGB), WCAG 2.2 (luminance, contrast).
 */
export interface BrandColors {
  readonly accent: string
  /** Text on the accent: the dark one or the light one. */
  readonly onAccent: string
  /** Under the pointer the accent moves away from its text, so that contrast only grows. */
  readonly accentHover: string
  readonly textLight: string
  readonly textDark: string
}

const CONTRAST_MIN = 4.5
/** The contrast of text in the accent is higher, because badges mix 18 % of the accent into their paper. */
const CONTRAST_MIN_ON_PAPER = 5.5
const DARK = '#041a12'
const LIGHT = '#ffffff'
/** The least favourable of each theme's papers: the sunk one of the light theme, the raised one of the dark. */
const PAPER_LIGHT = 'oklch(0.94 0.018 105)'
const PAPER_DARK = 'oklch(0.245 0.031 170)'

type Linear = readonly [number, number, number]
interface Oklch {
  readonly l: number
  readonly c: number
  readonly h: number
}

/** The colours of an accent, or null where it is spelled otherwise or no text on it would be readable. */
export function brandColors(accent: string | null): BrandColors | null {
  const color = accent === null ? null : colorFrom(accent)
  if (accent === null || !color) return null
  const base = luminance(linearFrom(color))
  const onAccent = [DARK, LIGHT].find((text) => contrast(base, luminanceOf(text)) >= CONTRAST_MIN)
  if (!onAccent) return null
  return {
    accent,
    onAccent,
    accentHover: `color-mix(in srgb-linear, ${accent} 88%, ${onAccent === DARK ? '#ffffff' : '#000000'})`,
    textLight: readableShade(color, PAPER_LIGHT, -1),
    textDark: readableShade(color, PAPER_DARK, 1),
  }
}

/** Custom properties for the root element; none where the campaign has no accent. */
export function brandStyle(accent: string | null): Record<string, string> {
  const colors = brandColors(accent)
  if (!colors) return {}
  return {
    '--brand-accent': colors.accent,
    '--brand-on-accent': colors.onAccent,
    '--brand-accent-hover': colors.accentHover,
    '--brand-accent-text': `light-dark(${colors.textLight}, ${colors.textDark})`,
  }
}

/** @internal The measure of the tests: contrast of two colours in either spelling, 1 to 21. */
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
  // A colour outside of sRGB is refused, because every browser maps it in its own way and the contrast would not hold.
  return color.h <= 360 && isInGamut(linearFromOklch(color)) ? color : null
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

/** The colour itself where it is readable on the paper, else darker (-1) or lighter (1) by mixing in black or white until it is. */
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

function hexFrom(rgb: Linear): string {
  const bytes = rgb.map((part) => {
    const clamped = Math.min(1, Math.max(0, part))
    const encoded = clamped <= 0.0031308 ? clamped * 12.92 : 1.055 * clamped ** (1 / 2.4) - 0.055
    return Math.round(encoded * 255)
  })
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
