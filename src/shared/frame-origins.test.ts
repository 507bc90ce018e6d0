import { expect, it, test } from 'vitest'
import { framersOf, isFrameOrigin, typedOrigin } from './frame-origins.ts'

test.each([
  'https://shop.example',
  'https://shop.example:8443',
  'https://xn--e1afmkfd.example',
  'https://192.0.2.7',
  'http://localhost:3000',
  'http://127.0.0.1:8080',
])('takes %s', (origin) => {
  expect(isFrameOrigin(origin)).toBe(true)
})

test.each([
  '',
  '*',
  'null',
  'self',
  "'self'",
  'data:',
  'https:',
  'https://',
  'https://*',
  'https://*.shop.example',
  'https://shop.*',
  'https://shop.example/',
  'https://shop.example/path',
  'https://shop.example?a',
  'https://shop.example#a',
  'https://shop.example:443',
  'https://shop.example:*',
  'https://shop.example:0',
  'https://shop.example:99999',
  'https://shop.example:080',
  'https://shop.example.',
  'https://shop..example',
  'https://user@shop.example',
  'https://user:password@shop.example',
  'https://shop.example@evil.example',
  'https://SHOP.example',
  'HTTPS://shop.example',
  'https://пример.example',
  'https://shop．example',
  'https://ｓhop.example',
  'https://sho\u00adp.example',
  'https://shop.example https://evil.example',
  'https://shop.example;script-src *',
  'https://shop.example,https://evil.example',
  'https://shop.example\n',
  ' https://shop.example',
  'https://0x7f.1',
  'https://2130706433',
  'https:\\\\shop.example',
  'https:shop.example',
  'http://shop.example',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'http://127.0.0.2',
  'blob:https://shop.example',
  'javascript://shop.example',
  'wss://shop.example',
  `https://${'a'.repeat(200)}.example`,
])('refuses %j', (origin) => {
  expect(isFrameOrigin(origin)).toBe(false)
})

it('lets pages of the visitor’s own machine frame only a site that is not on https itself', () => {
  const origins = ['https://shop.example', 'http://localhost:3000', 'https://*']
  expect(framersOf(origins, 'https://sale.example')).toEqual(['https://shop.example'])
  expect(framersOf(origins, 'http://127.0.0.1:8080')).toEqual([
    'https://shop.example',
    'http://localhost:3000',
  ])
})

test.each([
  ['https://shop.example/', 'https://shop.example'],
  [' HTTPS://Shop.Example:443 ', 'https://shop.example'],
  ['https://пример.example/', 'https://xn--e1afmkfd.example'],
  ['https://shop.example:8443/', 'https://shop.example:8443'],
  // Anything more than an origin, or one that may not frame, stays for its writer to fix.
  ['https://shop.example/path', 'https://shop.example/path'],
  ['https://shop.example/?a', 'https://shop.example/?a'],
  ['https://shop.example/#a', 'https://shop.example/#a'],
  ['https://me:secret@shop.example/', 'https://me:secret@shop.example/'],
  ['http://shop.example/', 'http://shop.example/'],
  ['https://*.shop.example/', 'https://*.shop.example/'],
  ['shop.example', 'shop.example'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
])('reads %s as %s', (typed, origin) => {
  expect(typedOrigin(typed)).toBe(origin)
})
