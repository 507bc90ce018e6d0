import { expect, test } from 'vitest'
import { addBuyer, addOperator, buy, withSale } from '../../../test/support/campaign.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { textOfPdf } from '../../../test/support/pdf.ts'
import type { BuyerOrder } from '../../shared/api/orders.ts'
import type { Language } from '../../shared/languages.ts'
import { receiptOf } from './receipt.ts'
import { drawable, drawReceipt } from './receipt-pdf.ts'

const transactionId = `0x${'ab'.repeat(32)}`

test('an approved order’s receipt says what was put down of it, in both languages, the same each time [LOG-6]', () =>
  withSale(async (sale) => {
    const { db, orders, campaign } = sale
    const [ann, ben, operatorId] = [await addBuyer(db), await addBuyer(db), await addOperator(db)]
    const { number, token } = await buy(sale, ann, '40')
    await expect(orders.receipt(ann, token, 'en')).rejects.toEqual(refused('order_state'))
    await sale.ledger.approve(String(number), { operatorId })
    await expect(orders.receipt(ben, token, 'en')).rejects.toEqual(refused('order_unknown'))
    const order = await orders.show(ann, token)
    const { settings, demo } = await campaign.current()

    const english = await orders.receipt(ann, token, 'en')
    expect(english.number).toBe(number)
    const said = textOfPdf(english.pdf)
    const moment = (at: string | null) => `${at?.slice(0, 19).replace('T', ' ')} UTC`
    expect(demo).toBe(true)
    expect(said.join('\n').replace(', \n', ', ')).toBe(
      [
        settings.name,
        `Receipt for order #${number}`,
        'This is a demo. Nothing is for sale, and no real money was paid.',
        'Order',
        `#${number}`,
        'Created',
        moment(order.createdAt),
        'Approved',
        moment(order.approvedAt),
        'How it was approved',
        'by an operator',
        'Amount of the order',
        '180 USDT',
        'In dollars',
        '$180.00',
        'Address for the payment',
        order.address,
        'Rate',
        '1 USDT = 0.222222222222 ITOKEN',
        'Price',
        '1 ITOKEN = $4.50',
        'Tokens bought',
        '40 ITOKEN',
        'Bonus tokens',
        '2 ITOKEN (5%)',
        'You get',
        '42 ITOKEN: 40 + 2 bonus',
        'Accepted with the order',
        'terms, version 1; risk notice, version 1',
        'Seller',
        [settings.seller.name, settings.seller.address, settings.seller.contact].join(', '),
      ].join('\n'),
    )
    expect((await orders.receipt(ann, token, 'en')).pdf.equals(english.pdf)).toBe(true)

    const russian = textOfPdf((await orders.receipt(ann, token, 'ru')).pdf)
    expect(russian).toContain(`Квитанция по заказу №${number}`)
    expect(russian).toEqual(
      expect.arrayContaining(['Как одобрен', 'оператором', 'Вы получаете', '42 ITOKEN: 40 + бонус 2']),
    )
    expect(russian.length).toBe(said.length)

    await sale.ledger.reject(String(number), { operatorId, reason: 'another one' })
    await expect(orders.receipt(ann, token, 'en')).rejects.toEqual(refused('order_state'))
  }))

test('what chains have confirmed is told from what the buyer said, and from what is not there any more [LOG-6]', () =>
  withSale(async (sale) => {
    const ann = await addBuyer(sale.db)
    const { token } = await buy(sale, ann, '40')
    const order = await sale.orders.show(ann, token)
    const campaign = await sale.campaign.current()
    const payment = (state: string, amount: string): BuyerOrder['payments'][number] => ({
      id: '1',
      transactionId,
      amount,
      currency: 'USDT',
      state,
      explorerUrl: null,
      confirmations: 12,
      confirmationsNeeded: 12,
      seenAt: order.createdAt,
    })
    const { rows } = receiptOf(
      {
        ...order,
        approvedVia: 'chain',
        approvedAt: order.createdAt,
        acceptedTexts: { terms: 3, risks: 2 },
        transactionId: 'as the buyer says',
        payments: [payment('final', '100.50'), payment('orphaned', '7'), payment('seen', '8')],
      },
      { ...campaign, demo: false },
      'en',
    )
    const said = Object.fromEntries(rows)
    expect(said['Payment seen on chain']).toBe(`100.5 USDT ${transactionId}`)
    expect(rows.filter(([label]) => label === 'Payment seen on chain')).toHaveLength(1)
    expect(said['Transaction id, as the buyer gave it']).toBe('as the buyer says')
    expect(said['How it was approved']).toBe('by its payment, confirmed on chain')
    expect(said['Accepted with the order']).toBe('terms, version 3; risk notice, version 2')
  }))

test('amounts stand in full, grouped as the pages of the language group them, and keep together', () =>
  withSale(async (sale) => {
    const ann = await addBuyer(sale.db)
    const { token } = await buy(sale, ann, '40')
    const order: BuyerOrder = {
      ...(await sale.orders.show(ann, token)),
      cryptoAmount: '1234567.000000000000000001',
      usd: '12345678.90',
      rate: '0.000000000000000001234',
      priceUsd: '1234.50000',
      baseTokens: '9007199254740993',
      bonusTokens: '1234.5',
      bonusPercent: '12.50',
      receiveTokens: '9007199254742227.5',
    }
    const campaign = await sale.campaign.current()
    const said = (language: Language) => {
      const { rows } = receiptOf(order, campaign, language)
      return rows.map(([, value]) => value).slice(-10)
    }
    expect(said('en')).toEqual(
      expect.arrayContaining([
        '1,234,567.000000000000000001 USDT',
        '$12,345,678.90',
        '1 USDT = 0.000000000000000001234 ITOKEN',
        '1 ITOKEN = $1,234.50',
        '9,007,199,254,740,993 ITOKEN',
        '1,234.5 ITOKEN (12.5%)',
        expect.stringMatching(/^9,007,199,254,742,227.5 ITOKEN: 9,007,199,254,740,993 \+ 1,234.5 bonus$/),
      ]),
    )
    expect(said('ru')).toEqual(
      expect.arrayContaining([
        '1\u00a0234\u00a0567,000000000000000001 USDT',
        '12\u00a0345\u00a0678,90\u00a0$',
        '1\u00a0234,5 ITOKEN (12,5\u00a0%)',
      ]),
    )
    expect(said('es')).toEqual(expect.arrayContaining(['1.234,5 ITOKEN (12,5\u00a0%)']))
    for (const language of ['en', 'ru', 'es'] as const)
      for (const value of said(language)) expect(drawable(value)).toBe(value)
  }))

const receipt = (rows: readonly (readonly [string, string])[], seller = 'Ito') =>
  drawReceipt({ language: 'en', seller, title: 'T', warning: null, rows, at: new Date(0) })

test('signs that the fonts lack are written by their numbers, and nothing can break out of its line', async () => {
  expect(drawable('Żubr 中\u202e😀\n(x)\\')).toBe('[U+017B]ubr [U+4E2D][U+202E][U+1F600] (x)\\')
  const said = textOfPdf(await receipt([['Ё й', ') Tj ET (\\']], 'Żubr'))
  expect(said).toEqual(['[U+017B]ubr', 'T', 'Ё й', ') Tj ET (\\'])
})

test('every sign that is called drawable has a shape in each font', async () => {
  const signs = Array.from({ length: 0x2200 }, (_, code) => String.fromCodePoint(code)).filter(
    (sign) => drawable(sign) === sign,
  )
  expect(signs.length).toBeGreaterThan(250)
  const { default: PDFDocument } = await import('pdfkit')
  const file = new PDFDocument({ font: 'src/server/pages/fonts/text.ttf' })
  for (const name of ['text', 'mono', 'display']) {
    file.font(`src/server/pages/fonts/${name}.ttf`)
    const { font } = Reflect.get(file, '_font') as {
      font: { hasGlyphForCodePoint(code: number): boolean }
    }
    expect(signs.filter((sign) => !font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0))).toEqual([])
  }
})

test('a receipt of many rows goes on on the next page, and a long word is broken', async () => {
  const rows = Array.from({ length: 60 }, (_, n) => [`Payment ${n}`, `${n} ${transactionId}`] as const)
  const pdf = await receipt([...rows, ['Long', 'w'.repeat(300)]])
  const said = textOfPdf(pdf)
  for (const [label] of rows) expect(said).toContain(label)
  expect(said.join('')).toContain('w'.repeat(300))
  expect(pdf.toString('latin1')).toMatch(/\/Count 4/)
})
