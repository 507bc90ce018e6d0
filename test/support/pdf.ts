import { inflateSync } from 'node:zlib'

const pairs = (text: string, expression: RegExp) => [...text.matchAll(expression)]
const fromUtf16 = (hex: string) => Buffer.from(hex, 'hex').swap16().toString('utf16le')

/** Characters by glyph, from a font's `ToUnicode` map. */
function signsOf(map: string): Map<number, string> {
  const signs = new Map<number, string>()
  for (const [, from = '', list = ''] of pairs(map, /<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/gi))
    for (const [place, [, hex = '']] of pairs(list, /<([0-9a-f]+)>/gi).entries())
      signs.set(Number.parseInt(from, 16) + place, fromUtf16(hex))
  return signs
}

/** The text as a reader copies it. */
export function textOfPdf(pdf: Buffer): string[] {
  const raw = pdf.toString('latin1')
  const objects = new Map(
    pairs(raw, /(\d+) 0 obj\n([\s\S]*?)\nendobj/g).map(([, id = '', body = '']) => [id, body]),
  )
  const streamOf = (body: string) => {
    const stream = /stream\n([\s\S]*)\nendstream/.exec(body)?.[1]
    if (stream === undefined) throw new Error('no stream')
    return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1')
  }
  const fonts = new Map<string, Map<number, string>>()
  for (const [, name = '', id = ''] of pairs(raw, /\/(F\d+) (\d+) 0 R/g)) {
    const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '')?.[1]
    fonts.set(name, signsOf(streamOf(objects.get(map ?? '') ?? '')))
  }
  const lines: string[] = []
  for (const [, id = ''] of pairs(raw, /\/Contents (\d+) 0 R/g))
    for (const [, block = ''] of pairs(streamOf(objects.get(id) ?? ''), /BT\n([\s\S]*?)\nET/g)) {
      const signs = fonts.get(/\/(F\d+) /.exec(block)?.[1] ?? '')
      const glyphs = pairs(block, /<([0-9a-f]+)>/gi).flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
      lines.push(glyphs.map((glyph) => signs?.get(Number.parseInt(glyph, 16)) ?? '\0').join(''))
    }
  return lines
}
