import { expect, test } from 'vitest'
import { ownPath } from '../../src/client/paths.ts'

// A link to the site's own login that leads, once logged in, to a page of somebody else that looks the same.

const site = 'https://presale.example'

/** Where a browser on the login's page ends up. */
const landing = (next: string) => new URL(ownPath(next) ?? '/dashboard', `${site}/login`).origin

test.each([
  '/.//evil.example/phish',
  '/./\u002f/evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
])('after a login with next=%s the browser is still on the site', (next) => {
  expect(landing(next)).toBe(site)
})

test('a page of the site is still led to', () => {
  expect(ownPath('/dashboard/transaction?order=1#top')).toBe('/dashboard/transaction?order=1#top')
})
