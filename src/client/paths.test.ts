import { describe, expect, it } from 'vitest'
import { localPath } from '../shared/languages.ts'
import { ownPath, paths } from './paths.ts'

describe('ownPath', () => {
  it('keeps a path of this site with its search and hash', () => {
    expect(ownPath('/dashboard/transaction?order=a%26b#top')).toBe('/dashboard/transaction?order=a%26b#top')
  })

  it.each([
    null,
    '',
    'dashboard',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/%2E%2e//evil.example/dashboard',
  ])('refuses %j', (candidate) => {
    expect(ownPath(candidate)).toBeUndefined()
  })
})

describe('localPath', () => {
  it('puts Russian pages below /ru', () => {
    expect(localPath('ru', paths.home)).toBe('/ru')
    expect(localPath('ru', paths.terms)).toBe('/ru/terms')
    expect(localPath('en', paths.terms)).toBe('/terms')
  })
})
