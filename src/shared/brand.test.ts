import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { brandColors, brandStyle, contrastOf, groundFault, pictureColors } from './brand.ts'
import { cssColor, productColors } from './product-colors.ts'

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
      expect(contrastOf(colors.own, colors.onIt)).toBeGreaterThanOrEqual(4.5)
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
    expect(brandStyle({ accent })).toEqual({})
    expect(brandStyle({ accent: null, now: accent })).toEqual({})
  })
})

describe('a campaign’s ink and paper', () => {
  const shades = ['00', '33', '66', '99', 'cc', 'f4', 'ff']
  const some = shades.flatMap((red) =>
    shades.flatMap((green) => shades.map((blue) => `#${red}${green}${blue}`)),
  )
  const sides = (style: Record<string, string>, name: string) => {
    const [, light = '', dark = ''] =
      /^light-dark\((#\w{6}|oklch\([^)]*\)), (#\w{6}|oklch\([^)]*\))\)$/.exec(style[name] ?? '') ?? []
    return [light, dark]
  }

  it('give text that can be read on every surface of both themes, or are refused', () => {
    const pairs = some.flatMap((ink, at) =>
      [29, 101, 337].map((step) => [ink, some[(at * step) % some.length]]),
    )
    let taken = 0
    for (const [ink, paper] of [
      ...pairs,
      ...some.map((one) => [one, '#ffffff']),
      ...some.map((one) => ['#000000', one]),
    ]) {
      const brand = { accent: null, ink, paper }
      if (groundFault(brand)) {
        expect(brandStyle(brand)).toEqual({})
        continue
      }
      taken += 1
      const style = brandStyle(brand)
      for (const text of ['--ink', '--ink-soft', '--ink-faint', '--success', '--danger'])
        for (const surface of ['--paper', '--paper-raised', '--paper-sunk'])
          for (const theme of [0, 1])
            expect(
              contrastOf(sides(style, text)[theme] ?? '', sides(style, surface)[theme] ?? ''),
              `${text} on ${surface} of ${ink} and ${paper}`,
            ).toBeGreaterThanOrEqual(4.5)
      for (const theme of [0, 1])
        expect(
          contrastOf(sides(style, '--line-strong')[theme] ?? '', sides(style, '--paper')[theme] ?? ''),
        ).toBeGreaterThanOrEqual(3)
    }
    expect(taken).toBeGreaterThan(200)
  })

  it('stay the product’s own where nothing is set, in pictures too', () => {
    expect(brandStyle({ accent: null, ink: null, paper: null, now: null })).toEqual({})
    expect(pictureColors({ accent: null })).toMatchObject({
      paper: '#f8f6ec',
      ink: '#0c271e',
      now: '#f8d928',
    })
    expect(
      pictureColors({ accent: '#0a5c36', ink: '#102040', paper: '#ffffff', now: '#00ffcc' }),
    ).toMatchObject({
      accent: '#0a5c36',
      ink: '#102040',
      paper: '#ffffff',
      now: '#00ffcc',
    })
  })
})

describe('the product’s own colours', () => {
  const textOf = (path: string) => readFileSync(new URL(`../client/${path}`, import.meta.url), 'utf8')

  it('are those of the stylesheet, in both themes', () => {
    const tokens = textOf('styles/tokens.css')
    const themes = (name: string) => {
      const [, , light, , dark] =
        new RegExp(
          `--${name}: (var\\(--[\\w-]+, )?(?:light-dark\\()?(oklch\\([^)]*\\))((?:, )(oklch\\([^)]*\\)))?`,
        ).exec(tokens) ?? []
      return { light, dark: dark ?? light }
    }
    for (const theme of ['light', 'dark'] as const)
      for (const [name, parts] of Object.entries(productColors[theme]))
        expect(themes(name)[theme], `${name}, ${theme}`).toBe(cssColor(parts))
  })

  it('are those of the scripts that other sites load, which import nothing', () => {
    const { ink, paper } = pictureColors({ accent: null })
    for (const script of ['embed/buy-button.js', 'embed/checkout.js'])
      expect([...new Set(textOf(script).match(/#[0-9a-f]{6}/g))].toSorted(), script).toEqual(
        [ink, paper].toSorted(),
      )
  })
})
