/** The parts of `oklch(0.25 0.038 168)`. */
export type OklchParts = readonly [lightness: number, chroma: number, hue: number]

/** Colours by custom property of src/client/styles/tokens.css; a test compares them. */
export const productColors = {
  light: {
    paper: [0.972, 0.014, 100],
    'paper-sunk': [0.94, 0.018, 105],
    ink: [0.25, 0.038, 168],
    'ink-soft': [0.44, 0.03, 168],
    'line-strong': [0.58, 0.028, 150],
    accent: [0.715, 0.205, 358],
    now: [0.885, 0.175, 98],
    success: [0.5, 0.125, 152],
    'success-soft': [0.93, 0.05, 155],
    danger: [0.53, 0.19, 32],
    'danger-soft': [0.94, 0.035, 40],
  },
  dark: {
    paper: [0.205, 0.028, 170],
    'paper-raised': [0.245, 0.031, 170],
    success: [0.8, 0.145, 155],
    danger: [0.755, 0.145, 38],
    'accent-text': [0.765, 0.165, 358],
  },
} as const satisfies Record<'light' | 'dark', Record<string, OklchParts>>

export const cssColor = (parts: OklchParts): string => `oklch(${parts.join(' ')})`
