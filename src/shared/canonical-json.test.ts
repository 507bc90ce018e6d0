import { expect, test } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

test('is the example of RFC 8785, names sorted by their UTF-16 units [DELIVER-37]', () => {
  expect(
    canonicalJson({
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    }),
  ).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
  const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6']
  expect(canonicalJson(Object.fromEntries(names.map((name) => [name, ''])))).toBe(
    '{"\\r":"","1":"","\u0080":"","ö":"","€":"","\u{1f600}":"","\ufb33":""}',
  )
})

test('says nothing of what is not there, as a row of a kind that this program does not know', () => {
  const kinds: Record<string, string> = { grant: 'grant.added' }
  expect(() => canonicalJson({ kind: kinds['of_tomorrow'] as string })).toThrow('has no JSON')
})
