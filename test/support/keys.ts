import type { Page } from '@playwright/test'
import { expect } from 'vitest'

export const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    const label = (element as HTMLInputElement | null)?.labels?.[0]?.textContent
    return (element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? '').trim()
  })

/** Presses Tab until the element has the focus; each stop must be visible. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let stops = 0; stops < 80; stops++) {
    await page.keyboard.press('Tab')
    if (name.test(await focused(page))) {
      await expectFocusSeen(page)
      return
    }
  }
  throw new Error(`Tab does not reach ${name}; the focus is on ${await focused(page)}`)
}

/** Checks that the focus is marked and visible. */
export async function expectFocusSeen(page: Page): Promise<void> {
  const seen = await page.evaluate(() => {
    const element = document.activeElement as HTMLElement
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
    const { top, bottom, left, right } = element.getBoundingClientRect()
    const isInside = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
    return {
      isMarked: (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) || boxShadow !== 'none',
      isInside,
    }
  })
  expect(seen, await focused(page)).toEqual({ isMarked: true, isInside: true })
}
