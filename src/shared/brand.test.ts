import { describe, expect, it } from 'vitest'
import { brandColors, brandStyle, contrastOf } from './brand.ts'

const PAPERS = { light: ['#ffffff', 'oklch(0.94 0.018 105)'], dark: ['#000000', 'oklch(0.245 0.031 170)'] }

describe('a campaign’s accent', () => {
  it('knows contrast as WCAG gives it', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5)
    expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
    // The same colour in both spellings.
    expect(contrastOf('oklch(0.628 0.2577 29.23)', '#ff0000')).toBeCloseTo(1, 2)
  })

  it('gives readable text on it and in it, in both themes, for every hue and lightness that it takes', () => {
    let taken = 0
    let refused = 0
    for (let value = 0; value < 4_096; value += 1) {
      const accent = `#${[...value.toString(16).padStart(3, '0')].map((digit) => digit + digit).join('')}`
      const colors = brandColors(accent)
      if (!colors) {
        refused += 1
        expect(contrastOf(accent, '#041a12')).toBeLessThan(4.5)
        expect(contrastOf(accent, '#ffffff')).toBeLessThan(4.5)
        continue
      }
      taken += 1
      expect(contrastOf(colors.accent, colors.onAccent)).toBeGreaterThanOrEqual(4.5)
      for (const paper of PAPERS.light)
        expect(contrastOf(colors.textLight, paper)).toBeGreaterThanOrEqual(4.5)
      for (const paper of PAPERS.dark) expect(contrastOf(colors.textDark, paper)).toBeGreaterThanOrEqual(4.5)
    }
    expect(taken).toBeGreaterThan(3_500)
    expect(refused).toBeGreaterThan(0)
  })

  it.each([
    'red',
    '#fff',
    '#12345g',
    'oklch(0.7 0.37 20)',
    'oklch(0.7 0.1 400)',
    'oklch(70% 0.1 20)',
    'rgb(1 2 3)',
    'var(--paper)',
    '#ff0000;background:url(https://example.org)',
    '#ff0000" onload="x',
    'oklch(0.7 0.1 20)</style>',
    '#ff0000\n',
    '',
  ])('takes no %j', (accent) => {
    expect(brandColors(accent)).toBeNull()
    expect(brandStyle(accent)).toEqual({})
  })
})
