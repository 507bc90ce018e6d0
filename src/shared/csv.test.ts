import { array, assert, constantFrom, oneof, property, string, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defused } from '../../verify/order-rows.ts'
import { csvCell, csvFile, csvLine } from './csv.ts'

describe('csvCell', () => {
  it.each([
    ['=HYPERLINK("http://evil")', '"\'=HYPERLINK(""http://evil"")"'],
    ['+7 900 000', '"\'+7 900 000"'],
    ['-2+3', '"\'-2+3"'],
    ['@SUM(A1)', '"\'@SUM(A1)"'],
    ['\t=1', '"\'\t\'=1"'],
    ['\r=1', '"\'\r\'=1"'],
    [';=1', '";\'=1"'],
    ['a; "=HYPERLINK(1);b', '"a; ""\'=HYPERLINK(1);b"'],
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
    expect(csvLine(['a,b', 'c"d', 'e\r\nf', null, undefined, new Date(0), 'x;y'])).toBe(
      '"a,b","c""d","e\r\nf",,,1970-01-01T00:00:00.000Z,"x;y"\r\n',
    )
  })

  it('quotes no name of plain words', () => {
    expect(csvLine(['Stage 1', 'Two  spaces', ' edge'])).toBe('Stage 1,"Two  spaces"," edge"\r\n')
  })

  it('keeps every text whole and lets none begin a formula', () => {
    assert(
      property(string({ unit: 'binary' }), (text) => {
        const cell = csvCell(text)
        const read = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
        expect(read.replaceAll("'", '')).toBe(text.replaceAll("'", ''))
        if (!/^-?\d+(\.\d+)?$/.test(text)) expect(read).not.toMatch(/^\s*[=+\-@]/)
      }),
    )
  })
})

/** Likelier than chance to begin, hide or end what a spreadsheet would run. */
const hostile = tuple(
  string({
    unit: constantFrom(' ', '\t', '\r', '\n', '\u00a0', '\u200b', '"', "'", ';', ',', '|', 'a'),
    maxLength: 5,
  }),
  constantFrom('', '=', '+', '-', '@', '＝', '＋', '－', '＠'),
  string({ unit: 'binary', maxLength: 8 }),
).map((parts) => parts.join(''))

const other = constantFrom(null, undefined, -5, '-0.50', true, new Date(0), { a: '=1' }, ['=1'])

/** The cells of a file, as a spreadsheet reads it. */
function cellsOf(file: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end] of file.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end !== ',') rows.push([])
  }
  return rows.slice(0, -1)
}

/** The cells of a file for a reader who splits at another sign: a quotation mark counts only where it begins a cell. */
function cellsAt(file: string, sign: string): string[] {
  const cells: string[] = []
  for (let at = 0; at < file.length; ) {
    const quoted = file[at] === '"' ? /^"((?:[^"]|"")*)"?/.exec(file.slice(at)) : null
    at += quoted?.[0].length ?? 0
    const rest = /^[^\r\n]*/.exec(file.slice(at))?.[0].split(sign)[0] ?? ''
    cells.push((quoted?.[1] ?? '').replaceAll('""', '"') + rest)
    at += rest.length + 1
  }
  return cells
}

describe('csvFile', () => {
  it.each([',', ';', '\t', '|'])('has no formula for a reader who splits at %j', (sign) => {
    assert(
      property(array(array(oneof(hostile, string()), { minLength: 1, maxLength: 3 })), (rows) => {
        const file = csvFile(rows.map((row) => ['u_1', ...row]))
        for (const cell of cellsAt(file, sign))
          if (!/^-?\d+(\.\d+)?$/.test(cell)) expect(cell).not.toMatch(/^[\s\0\u200b]*[=+\-@＝＋－＠]/)
      }),
      { numRuns: 2000 },
    )
  })

  it('gives as many cells as it got, none of them a formula, whatever they hold', () => {
    assert(
      property(array(array(oneof(hostile, other), { minLength: 2, maxLength: 4 })), (rows) => {
        const read = cellsOf(csvFile(rows).slice(1))
        expect(read.map((row) => row.length)).toEqual(rows.map((row) => row.length))
        for (const cell of read.flat())
          if (!/^-?\d+(\.\d+)?$/.test(cell))
            expect(cell).not.toMatch(/^[\s\0\u200b]*[=+\-@＝＋－＠]|^[\t\r\n]/)
      }),
    )
  })

  it('writes a stage as the verifier, which has no file of this program, expects it', () => {
    assert(
      property(oneof(hostile, string({ unit: 'binary' })), (name) => {
        const [[cell] = []] = cellsOf(csvLine([name.replace(/[\r\n]+/g, ' ')]))
        expect(cell).toBe(defused(name))
      }),
    )
  })
})
