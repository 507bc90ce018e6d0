import { assert, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvCell, csvLine } from './csv.ts'

describe('csvCell', () => {
  it.each([
    ['=HYPERLINK("http://evil")', '"\'=HYPERLINK(""http://evil"")"'],
    ['+7 900 000', '"\'+7 900 000"'],
    ['-2+3', '"\'-2+3"'],
    ['@SUM(A1)', '"\'@SUM(A1)"'],
    ['\t=1', '"\'\t=1"'],
    ['\r=1', '"\'\r=1"'],
    [' =1+1', '"\' =1+1"'],
    ['\u00a0=1', '"\'\u00a0=1"'],
    ['＝1+1', '"\'＝1+1"'],
    ['-', '"\'-"'],
    ['=1', '"\'=1"'],
  ])('makes %j harmless', (text, cell) => {
    expect(csvCell(text)).toBe(cell)
  })

  it.each(['-12.500000', '0', '180.00', 'u_4f2a', 'ann@example.org', '2026-11-21T03:00:00.000Z'])(
    'leaves %j as it is',
    (text) => {
      expect(csvCell(text)).toBe(text)
    },
  )

  it('quotes what would end a cell, nothing is empty, dates are ISO', () => {
    expect(csvLine(['a,b', 'c"d', 'e\r\nf', null, undefined, new Date(0), 'x;=1'])).toBe(
      '"a,b","c""d","e\r\nf",,,1970-01-01T00:00:00.000Z,"x;=1"\r\n',
    )
  })

  it('keeps every text whole and lets none begin a formula', () => {
    assert(
      property(string({ unit: 'binary' }), (text) => {
        const cell = csvCell(text)
        const read = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
        expect([text, `'${text}`]).toContain(read)
        if (!/^-?\d+(\.\d+)?$/.test(text)) expect(read).not.toMatch(/^\s*[=+\-@]/)
      }),
    )
  })
})
