import { fileURLToPath } from 'node:url'
import { scriptOf } from '../../shared/languages.ts'
import type { Receipt } from './receipt.ts'

const fontOf = (name: string) => fileURLToPath(new URL(`../pages/fonts/${name}.ttf`, import.meta.url))
const FONTS = { display: fontOf('display'), text: fontOf('text'), mono: fontOf('mono') }

/** All fonts can draw these: English and its neighbours, Russian, and both languages' signs. */
const DRAWN =
  /[\u0020-\u007e\u00a0-\u00a3\u00a5\u00a7-\u00ab\u00ae-\u00b4\u00b6-\u00ff\u0401\u0410-\u044f\u0451–—‘’“”„•…‹›€№™−]/u
/** Set in a face with unambiguous letters. */
const CODE = /^[\w:.,#$\u00a0 -]*\w{20,}[\w:.-]*$/

const PAGE = { size: 'A4', margin: 56 } as const
const LABEL_WIDTH = 160
const GAP = 16
const INK = '#12261c'
const SOFT = '#5a6b61'
const LINE = '#c9cfc6'

/** A character that the fonts lack becomes its number, `[U+4E2D]`, because a gap would change the text. */
export const drawable = (text: string) =>
  Array.from(text.normalize('NFC').replaceAll(/[^\S\u00a0]+/gu, ' '), (sign) =>
    DRAWN.test(sign) ? sign : `[U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
  ).join('')

export async function drawReceipt(receipt: Receipt): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit')
  const { language, title, seller, warning, at } = receipt
  const file = new PDFDocument({
    ...PAGE,
    font: FONTS.text,
    lang: language,
    displayTitle: true,
    pdfVersion: '1.7',
    info: { Title: `${seller}: ${title}`, Author: seller, CreationDate: at, ModDate: at },
  })
  const pieces: Buffer[] = []
  file.on('data', (piece: Buffer) => pieces.push(piece))
  const whole = new Promise<void>((resolve, reject) => file.on('end', resolve).on('error', reject))
  file.font(FONTS.text, 11).fillColor(SOFT).text(drawable(seller))
  // The display font would draw Bulgarian Cyrillic; the library can't tell it the language.
  const [face, size] = scriptOf(language) === 'cyrillic' ? [FONTS.text, 24] : [FONTS.display, 30]
  file.font(face, size).fillColor(INK).text(drawable(title))
  if (warning) file.moveDown(0.3).font(FONTS.text, 12).fillColor('#a3123f').text(drawable(warning))
  file.y += 18
  for (const [label, value] of receipt.rows) drawRow(file, drawable(label), drawable(value))
  drawLine(file, file.y)
  file.end()
  await whole
  return Buffer.concat(pieces)
}

/** Label left, value right; moves to the next page if it does not fit. */
function drawRow(file: PDFKit.PDFDocument, label: string, value: string): void {
  const { left, right, bottom } = file.page.margins
  const valueLeft = left + LABEL_WIDTH + GAP
  const face = CODE.test(value) ? FONTS.mono : FONTS.text
  const size = face === FONTS.mono ? 9 : 10.5
  const widths = { label: { width: LABEL_WIDTH }, value: { width: file.page.width - right - valueLeft } }
  const heights = [
    file.font(FONTS.text, 10.5).heightOfString(label, widths.label),
    file.font(face, size).heightOfString(value, widths.value),
  ]
  const height = Math.max(...heights) + GAP
  if (file.y + height > file.page.height - bottom) file.addPage()
  const top = file.y
  drawLine(file, top)
  file
    .font(FONTS.text, 10.5)
    .fillColor(SOFT)
    .text(label, left, top + GAP / 2, widths.label)
  file
    .font(face, size)
    .fillColor(INK)
    .text(value, valueLeft, top + GAP / 2, widths.value)
  file.y = top + height
  file.x = left
}

function drawLine(file: PDFKit.PDFDocument, y: number): void {
  const { left, right } = file.page.margins
  file
    .moveTo(left, y)
    .lineTo(file.page.width - right, y)
    .lineWidth(0.6)
    .strokeColor(LINE)
    .stroke()
}
