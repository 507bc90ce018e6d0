import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, parseCanonical } from './canonical.ts'
import { formatDecimal, parseAmount, parseDecimal, percentOf, productToCent } from './decimals.ts'
import { parseEntry } from './entries.ts'
import { type Value } from './figures.ts'
import { FlatMap } from './flat-map.ts'
import { Fold } from './fold.ts'
import { jsonOf } from './testing/log-writer.ts'
import { decimal, exampleSale, orderName, Sale } from './testing/sale.ts'

describe('decimals', () => {
  test('are read and written exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), (units) => {
        const text = decimal(units, 18)
        expect(parseAmount(text, 18)).toBe(units)
        expect(formatDecimal(units)).toBe(text)
        expect(parseDecimal(`-${text}`)).toBe(-units)
      }),
    )
    expect(parseDecimal('12.50')).toBe(parseDecimal('12.5'))
  })

  test.each(['', '.5', '5.', '05', '1.50', '1e3', '+1', '-1', ' 1', '1,5', '0.123', 1, null, 'NaN'])(
    'of an entry are not written %j',
    (text) => {
      expect(parseAmount(text, 2)).toBeUndefined()
    },
  )

  test('are rounded half up to the cent', () => {
    const cents = (base: string, price: string) =>
      formatDecimal(productToCent(parseDecimal(base) as bigint, parseDecimal(price) as bigint))
    expect(cents('1', '0.005')).toBe('0.01')
    expect(cents('1', '0.00499999')).toBe('0')
    expect(cents('0.000001', '5000')).toBe('0.01')
    expect(cents('33.333333', '1.25')).toBe('41.67')
    expect(cents('999999999999.999999', '99999999.99999999')).toBe('99999999999999989900')
  })

  test('are a per cent of a goal rounded down, at most 100', () => {
    const percent = (part: string, whole: string) =>
      formatDecimal(percentOf(parseDecimal(part) as bigint, parseDecimal(whole) as bigint))
    expect([percent('999.99', '1000'), percent('1000', '1000'), percent('5000', '1000')]).toEqual([
      '99',
      '100',
      '100',
    ])
    expect([percent('0', '1000'), percent('5', '0')]).toEqual(['0', '0'])
    expect([percent('4.69', '1000'), percent('9.99', '1000'), percent('10', '1000')]).toEqual([
      '0.46',
      '0.99',
      '1',
    ])
    expect(percent('0.09', '1000')).toBe('0')
  })
})

describe('canonical JSON', () => {
  test('is what RFC 8785 gives for its own example', () => {
    const example = JSON.parse(
      String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
    )
    const expected = String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`
    expect(canonicalJson(example)).toBe(expected)
    const names = JSON.parse(
      String.raw`{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}`,
    )
    expect(Object.values(JSON.parse(canonicalJson(names).replaceAll('"1"', '"x"')))).toEqual([
      2, 4, 6, 7, 1, 5, 3,
    ])
  })

  test.each([
    '{"b":1,"a":2}',
    '{"a":1,"a":1}',
    '{"a": 1}',
    '{"a":1.0}',
    '{"a":"\\u0041"}',
    '{"a":"\\ud800"}',
    '{"a":1}\n',
    '\ufeff{"a":1}',
    '{"a":-0}',
    '{a:1}',
  ])('is not %j', (text) => {
    expect(parseCanonical(text)).toBeUndefined()
  })

  test('keeps every value that JSON can say', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const text = canonicalJson(value as never)
        expect(parseCanonical(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})

type Fields = Record<string, unknown>

/** The messages of the entries that are refused, each with its place, and the figures in the end. */
function fold(entries: readonly Fields[]) {
  const figures = new Map<string, Value | undefined>()
  const folded = new Fold((name, value) => figures.set(name, value))
  const refused = entries.flatMap((entry, index) => {
    try {
      folded.take(index, parseEntry(Buffer.from(jsonOf(entry))))
      return []
    } catch (error) {
      return [`${index}: ${(error as Error).message}`]
    }
  })
  return { refused, figures, further: folded.further() }
}

function entriesOf(sale: Sale): Fields[] {
  return sale.log.entries.map((entry) => JSON.parse(entry.toString()))
}

describe('folding', () => {
  test('takes every kind of entry', () => {
    const { refused, figures, further } = fold(entriesOf(exampleSale()))
    expect(refused).toEqual([])
    expect(figures.get('raised.usd')).toBe(parseDecimal('168.67'))
    expect(figures.get('settings.hardCapUsd')).toBe('"2000000"')
    expect(Object.fromEntries(further)).toEqual({
      'refundsOwed.BTC': parseDecimal('0.00001234'),
      allocatedTokens: parseDecimal('42.5'),
      'credited.BTC': parseDecimal('202'),
    })
  })

  const order = {
    order: orderName('x'),
    approval: 1,
    stage: 1,
    way: 'chain',
    base: '100',
    bonus: '10',
    usd: '125',
  }
  const approved = { kind: 'order.approved', ...order, currency: 'BTC', rate: '65000', priceUsd: '1.25' }
  const reversed = { kind: 'order.reversed', ...order, by: 'system' }
  const refund = { refund: '7', order: null, currency: 'BTC', amount: '0.5', usd: '10' }
  const owed = { kind: 'refund.owed', ...refund }
  const paid = { kind: 'refund.paid', ...refund, transaction: null }
  const grant = { kind: 'grant.added', tokens: '5' }
  const ungrant = { kind: 'grant.reversed', tokens: '5', reverses: 'entries/1' }
  const reward = { kind: 'referral.credited', tokens: '5', order: order.order }
  const unreward = { kind: 'referral.reversed', tokens: '5', reverses: 'entries/2' }
  const round = { kind: 'round.frozen', round: 1, tokens: '5', root: '0xab', sha256: 'ab'.repeat(32) }
  const setting = { kind: 'setting.changed', setting: 'name', before: null, after: 'x' }
  const stage = {
    goalUsd: '1',
    priceUsd: '1',
    name: 'x',
    startsAt: '2026-01-01T00:00:00.000Z',
    endsAt: '2027-01-01T00:00:00.000Z',
  }
  const opening = entriesOf(new Sale())[0] as Fields
  const credited = {
    kind: 'payment.credited',
    subject: 'payments/1',
    chain: 'bitcoin',
    transaction: 'ab'.repeat(32),
    output: '0',
    address: 'bc1qexample',
    block: null,
    asset: 'native',
    currency: 'BTC',
    amount: '0.002',
    credited: '0.00153846',
    order: orderName('x'),
  }
  const takenBack = { ...credited, credited: '0' }
  const legal = { kind: 'legal.published', subject: 'x', text: 'terms', version: 1, sha256: 'ab'.repeat(32) }
  const counted = {
    kind: 'actions.counted',
    subject: 'x',
    day: '2026-11-01',
    actions: { 'order.approve': 2 },
  }

  /** The journal's first entry and these, each with a row of its own unless it has one. */
  function after(...entries: Fields[]): string[] {
    const rest = entries.map((entry, at) => ({
      v: 1,
      at: '2026-11-02T00:00:00.000Z',
      row: `entries/${at + 1}`,
      ...entry,
    }))
    return fold([opening, ...rest]).refused
  }

  test.each<[string, Fields[]]>([
    ['an order approved, taken back and approved again', [approved, reversed, { ...approved, approval: 2 }]],
    ['a refund that was unpaid and is paid again', [owed, paid, { kind: 'refund.unpaid', ...refund }, paid]],
    ['a grant taken back', [grant, ungrant]],
    ['a reward taken back', [approved, reward, unreward]],
    [
      'a stage added, changed and removed',
      [
        { ...setting, setting: 'stages.9', after: stage },
        { ...setting, setting: 'stages.9.name', after: 'y' },
        { ...setting, setting: 'stages.9', before: stage, after: null },
        { ...setting, setting: 'stages.9', after: stage },
      ],
    ],
    [
      'an order settled anew at a price that nobody knows',
      [{ ...approved, rate: null, priceUsd: null, usd: '7' }],
    ],
    ['two rounds', [round, { ...round, round: 2 }]],
    ['a payment credited, taken back and credited again', [credited, takenBack, credited]],
    [
      'a payment that brought another amount once nothing of it is credited',
      [credited, takenBack, { ...credited, amount: '0.003' }],
    ],
    [
      'a transaction that pays two orders',
      [credited, { ...credited, output: '1', order: orderName('y'), subject: 'payments/2' }],
    ],
    ['two versions of a text', [legal, { ...legal, version: 2 }]],
    ['the actions of two days', [counted, { ...counted, day: '2026-11-02', actions: {} }]],
    ['a pause', [{ ...setting, setting: 'paused', before: false, after: true }]],
  ])('takes %s', (_, entries) => {
    expect(after(...entries)).toEqual([])
  })

  test.each<[string, Fields[], RegExp]>([
    ['an order approved twice', [approved, approved], /^2: .* approved already/],
    ['an approval left out', [{ ...approved, approval: 2 }], /^1: .* not 1/],
    ['a second approval called the first', [approved, reversed, approved], /^3: .* not 2/],
    [
      'dollars that are not the tokens at their price',
      [{ ...approved, usd: '125.01' }],
      /^1: .* not 125.01 dollars/,
    ],
    ['a stage that is not there', [{ ...approved, stage: 9 }], /^1: There is no stage 9/],
    ['an order taken back that was not approved', [reversed], /^1: .* is not approved/],
    ['an order taken back twice', [approved, reversed, reversed], /^3: .* is not approved/],
    [
      'an order taken back with another bonus',
      [approved, { ...reversed, bonus: '9' }],
      /^2: .* bonus 10, not 9/,
    ],
    ['an order taken back in another way', [approved, { ...reversed, way: 'operator' }], /^2: .* way chain/],
    ['a grant that is not there', [ungrant], /^1: There is no grant/],
    ['a grant taken back twice', [grant, ungrant, ungrant], /^3: .* already/],
    ['a reward for an order that does not stand', [approved, reversed, reward], /^3: .* is not approved/],
    ['a reward for an order that nobody made', [reward], /^1: .* is not approved/],
    [
      'a reward taken back as a grant',
      [approved, reward, { ...ungrant, reverses: 'entries/2' }],
      /^3: There is no grant/,
    ],
    ['a grant of other tokens', [grant, { ...ungrant, tokens: '4' }], /^2: .* of 5 tokens, not 4/],
    ['a refund owed twice', [owed, owed], /^2: .* second time/],
    ['a refund paid twice', [owed, paid, paid], /^3: The refund 7 is paid, not owed/],
    ['a refund paid that is not owed', [paid], /^1: There is no refund 7/],
    [
      'a refund unpaid that is not paid',
      [owed, { kind: 'refund.unpaid', ...refund }],
      /^2: .* is owed, not paid/,
    ],
    [
      'a refund written off that is paid',
      [owed, paid, { kind: 'refund.written_off', ...refund }],
      /^3: .* is paid/,
    ],
    [
      'a refund of another amount',
      [owed, { ...paid, amount: '0.6' }],
      /^2: .* not \[null,"BTC","0.6","10"\]/,
    ],
    [
      'a payment that serves two orders',
      [credited, { ...credited, order: orderName('y') }],
      /^2: The payment ab.* is credited to the order .*, and to/,
    ],
    [
      'an order that is paid in two currencies',
      [credited, { ...credited, subject: 'payments/2', output: '1', currency: 'LTC' }],
      /^2: The order .* is paid in BTC, and in LTC/,
    ],
    [
      'a payment of two rows',
      [credited, { ...credited, subject: 'payments/2' }],
      /^2: .* subject payments\/1/,
    ],
    ['more credited than was paid', [{ ...credited, amount: '0.001' }], /^1: Of 0.001 that payments\/1/],
    [
      'a text whose version is left out',
      [legal, { ...legal, version: 3 }],
      /^2: .* version 3 of terms, not 2/,
    ],
    ['the actions of one day twice', [counted, counted], /^2: The actions of 2026-11-01 are counted twice/],
    ['a number of actions that is none', [{ ...counted, actions: { x: 0 } }], /^1: The field actions/],
    ['a round frozen twice', [round, round], /^2: The round 1 was frozen before/],
    ['an unknown kind', [{ kind: 'order.dropped' }], /^1: The kind "order.dropped" is unknown/],
    ['a kind that every object has', [{ kind: 'constructor' }], /^1: The kind "constructor" is unknown/],
    ['an unknown field', [{ ...grant, note: 'x' }], /^1: The field note is unknown/],
    ['a missing field', [{ kind: 'grant.added' }], /^1: The field tokens is missing/],
    ['an amount in another form', [{ ...grant, tokens: '5.0' }], /^1: The field tokens can't be "5.0"/],
    ['an amount that is too fine', [{ ...grant, tokens: '0.0000001' }], /^1: The field tokens/],
    ['a row met before', [grant, { ...grant, row: 'entries/1' }], /^2: The row entries\/1 was there before/],
    [
      'a row of another form met before',
      [
        { ...grant, row: 'a/b' },
        { ...grant, row: 'a/b' },
      ],
      /^2: The row a\/b/,
    ],
    [
      'a row met before, among many',
      [...[4095, 4096, 8, 9, 1].map((id) => ({ ...grant, row: `x/${id}` })), { ...grant, row: 'x/4096' }],
      /^6: The row x\/4096/,
    ],
    ['no row', [{ ...grant, row: 'x' }], /^1: The row/],
    ['a day that no month has', [{ ...grant, at: '2026-02-30T00:00:00.000Z' }], /^1: The time/],
    ['a time without milliseconds', [{ ...grant, at: '2026-02-20T00:00:00Z' }], /^1: The time/],
    ['another version', [{ ...grant, v: 2 }], /^1: The version 2 is unknown/],
    ['a second beginning', [{ ...opening, row: 'journal/1' }], /^1: The journal is opened again/],
    ['a field of no stage', [{ ...setting, setting: 'stages.9.name' }], /^1: There is no stage 9/],
    ['an unknown field of a stage', [{ ...setting, setting: 'stages.1.colour' }], /^1: The setting/],
    [
      'a stage that is already there',
      [{ ...setting, setting: 'stages.1', after: stage }],
      /^1: There is already a stage 1/,
    ],
    [
      'a stage without a goal',
      [{ ...setting, setting: 'stages.9', after: { ...stage, goalUsd: null } }],
      /^1: The setting/,
    ],
    [
      'a setting of a setting',
      [{ ...setting, setting: 'brand.name' }],
      /^1: The setting brand.name is unknown/,
    ],
  ])('refuses %s', (_, entries, reason) => {
    expect(after(...entries)).toEqual([expect.stringMatching(reason)])
  })

  test.each<[string, Fields[], string]>([
    ['nothing', [], '1 0'],
    ['what was asked', [credited], '0 0'],
    ['what is short by less than half a per cent', [{ ...credited, credited: '0.001532' }], '0 0'],
    ['what is short by more', [{ ...credited, credited: '0.00153' }], '1 0'],
    ['what is more than was bought', [{ ...credited, credited: '0.00155' }], '1 0'],
    ['what was taken back', [credited, takenBack], '1 0'],
    ['what pays another order', [{ ...credited, order: orderName('y') }], '1 1'],
    ['as many coins of another currency', [{ ...credited, currency: 'DOGE', chain: 'dogecoin' }], '1 0'],
  ])(
    'knows of an order that a chain approved whether payments cover it: %s [LOG-26]',
    (_, payments, counts) => {
      const at = '2026-11-02T00:00:00.000Z'
      const entries = [approved, ...payments].map((entry, index) => ({
        v: 1,
        at,
        row: `x/${index}`,
        ...entry,
      }))
      const { refused, figures } = fold([opening, ...entries])
      expect(refused).toEqual([])
      const count = (name: string) => formatDecimal(figures.get(name) as bigint)
      expect(`${count('ordersWithoutPayments')} ${count('paymentsWithoutOrders')}`).toBe(counts)
    },
  )

  describe('of a giveaway', () => {
    const at = '2026-11-02T00:00:00.000Z'
    const rules = {
      v: 1,
      kind: 'giveaway.published',
      at,
      subject: 'giveaways/3',
      giveaway: 3,
      sha256: 'ab'.repeat(32),
      drawAt: '2026-11-05T02:00:00.000Z',
    }
    const list = {
      v: 1,
      kind: 'giveaway.fixed',
      at: '2026-11-05T01:59:59.999Z',
      subject: 'giveaway_lists/3',
      giveaway: 3,
      entries: 9,
      root: 'cd'.repeat(32),
    }
    const taken = (...entries: Fields[]) =>
      fold([opening, ...entries.map((entry, index) => ({ row: `journal_facts/${index + 1}`, ...entry }))])

    test('takes the hash of its rules and the root of its list, each once [GIVE-4]', () => {
      const { refused, figures } = taken(rules, list)
      expect(refused).toEqual([])
      expect(figures.get('giveaways.3.rules')).toBe(rules.sha256)
      expect(figures.get('giveaways.3.root')).toBe(list.root)
      expect(figures.get('giveawaysFixedLate')).toBe(0n)
      expect(taken(rules, rules).refused).toEqual([expect.stringMatching(/published again/)])
      expect(taken(rules, list, { ...list, root: 'ef'.repeat(32) }).refused).toEqual([
        expect.stringMatching(/fixed again/),
      ])
      expect(taken(list).refused).toEqual([expect.stringMatching(/were not published/)])
    })

    test('counts a list that was said when its random value could be known [GIVE-4]', () => {
      const { refused, figures } = taken(rules, { ...list, at: rules.drawAt })
      expect(refused).toEqual([])
      expect(formatDecimal(figures.get('giveawaysFixedLate') as bigint)).toBe('1')
    })
  })

  test('knows a currency by its network: the own coins of two chains are two [LOG-26]', () => {
    const set = {
      v: 1,
      kind: 'currency.set',
      at: '2026-11-02T00:00:00.000Z',
      row: 'x/1',
      subject: 'currencies/1',
      currency: 'BTC',
      network: 'bitcoin',
      contract: null,
      address: '',
      wallet: 1,
      isAccepted: true,
      isPaused: false,
    }
    const folded = new Fold(() => undefined)
    for (const [index, fields] of [opening, set].entries())
      folded.take(index, parseEntry(Buffer.from(jsonOf(fields))))
    const isRight = (chain: string) => folded.isInItsCurrency({ ...credited, chain, block: '' })
    expect(['bitcoin', 'dogecoin'].map(isRight)).toEqual([true, false])
  })

  test.each([
    ['2026-10-31T23:59:59.999Z', '1.25', '1.25'],
    ['2026-11-01T00:00:00.000Z', '3', '1.25'],
    ['2026-11-27T23:59:59.999Z', '3', '1.25'],
    ['2026-11-28T00:00:00.000Z', '1.25', '1.25'],
    ['2026-12-01T00:00:00.000Z', '1.25', '3'],
  ])('gives a price of %s to the stage that is open then', (at, first, second) => {
    const change = {
      v: 1,
      kind: 'price.changed',
      at,
      row: 'x/1',
      priceUsd: '3',
      previousUsd: '1.25',
      reason: '',
    }
    const { figures } = fold([opening, change])
    const prices = ['priceUsd', 'stages.1.priceUsd', 'stages.2.priceUsd'].map((name) => figures.get(name))
    expect(prices).toEqual(['3', first, second].map(parseDecimal))
  })

  test('takes a beginning that follows another log, in one form alone', () => {
    const follows = { origin: 'sale.example/journal', root: 'AA==', size: '17' }
    expect(fold([{ ...opening, follows }]).refused).toEqual([])
    expect(fold([{ ...opening, follows: { ...follows, more: '1' } }]).refused).toEqual([
      expect.stringMatching(/^0: The field follows can't be/),
    ])
  })

  test('refuses a list that does not begin with the beginning', () => {
    const entry = { v: 1, ...grant, at: '2026-01-01T00:00:00.000Z', row: 'a/1' }
    expect(fold([entry]).refused).toEqual(['0: The first entry does not open the journal.'])
    expect(fold([{ ...opening, row: 'journal/1' }]).refused).toEqual([
      expect.stringMatching(/instead of journal\/0/),
    ])
  })

  test('tells rows apart whose ids are near or far, and of other tables', () => {
    const ids = [
      'x/0',
      'x/1',
      'x/7',
      'x/8',
      'x/4095',
      'x/4096',
      'x/999999999999999',
      'x/01',
      'y/0',
      'x/1/0',
      'xy/0',
    ]
    expect(after(...ids.map((row) => ({ ...grant, row })))).toEqual([])
  })

  test('changes no figure by an entry that is refused', () => {
    const at = '2026-11-02T00:00:00.000Z'
    const bad = [
      { ...approved, usd: '126' },
      { ...reversed },
      paid,
      { ...setting, setting: 'stages.1.colour' },
    ]
    const figuresAfter = (entries: Fields[]) =>
      fold([opening, ...entries.map((entry, index) => ({ v: 1, at, row: `x/${index}`, ...entry }))]).figures
    expect(figuresAfter(bad)).toEqual(figuresAfter([]))
  })

  test('refuses what is no canonical object', () => {
    for (const text of ['[]', 'null', '{"v":1, "kind":"x"}', '']) {
      expect(() => parseEntry(Buffer.from(text))).toThrow('This is no object in canonical JSON.')
    }
    expect(() => parseEntry(Uint8Array.of(0x22, 0xff, 0x22))).toThrow('This is no object in canonical JSON.')
  })
})

test('a flat map is a map, whatever is set again and however much it grows', () => {
  const texts = new FlatMap()
  const expected = new Map<string, string>()
  for (let n = 0; n < 20_000; n++) {
    // Every third one replaces an earlier text, by a shorter or longer one.
    const key = `${n % 2 === 0 ? 'заказ' : 'order'} ${n % 3 === 0 ? Math.floor(n / 7) : n}`
    // Some are long, so that several pieces of memory are needed.
    const text = '-'.repeat(n % 50 === 0 ? 60_000 : n % 5) + n
    expect(texts.get(key)).toBe(expected.get(key))
    texts.set(key, text)
    expected.set(key, text)
  }
  for (const [key, text] of expected) expect(texts.get(key)).toBe(text)
  expect(new Map(texts.entries())).toEqual(expected)
  for (const absent of ['', 'order', 'order 20001', 'order 20002']) expect(texts.get(absent)).toBeUndefined()
  texts.set('', '')
  expect(texts.get('')).toBe('')
  expect(() => texts.set('long', 'x'.repeat(70_000))).toThrow('too long')
  expect(texts.get('long')).toBeUndefined()
})

describe('the trees of what buyers hold', () => {
  const origin = 'sale.example/journal'
  const cut = (day = '2026-11-23', subject = 'holding_trees/1') => ({ subject, origin, day })
  const summed = (sum: string, fields = {}) => ({ ...cut(), depth: 2, root: 'ab'.repeat(32), sum, ...fields })
  /** The fault of the last entries of an example with 155.208333 tokens of buyers. */
  const faultOf = (...facts: [string, Record<string, unknown>][]) => {
    const sale = exampleSale()
    for (const [kind, fields] of facts) {
      sale.say(`holdings.${kind}`, { at: `${fields['day']}T00:00:00.000Z`, ...fields })
      // A posting after the cut is not in the tree.
      if (kind === 'cut') sale.approve(`after ${sale.log.entries.length}`, 1_000_000n)
    }
    const all = new Fold(() => undefined)
    try {
      for (const [index, bytes] of sale.log.entries.entries()) all.take(index, parseEntry(bytes))
      return null
    } catch (error) {
      return (error as Error).message
    }
  }
  const { purchasedTokens, bonusTokens, grantedTokens } = exampleSale().campaign()
  const held = formatDecimal(
    [purchasedTokens, bonusTokens, grantedTokens].reduce(
      (sum, one) => sum + (parseDecimal(one) as bigint),
      0n,
    ),
  )

  test('sum up to what the entries before their cut add up to [LOG-11]', () => {
    expect(faultOf(['cut', cut()], ['summed', summed(held)])).toBeNull()
    expect(
      faultOf(['cut', cut()], ['summed', summed(held)], ['cut', cut('2026-11-24', 'holding_trees/2')]),
    ).toBeNull()
  })

  test.each<[string, [string, Record<string, unknown>][], RegExp]>([
    [
      'a buyer was left out',
      [
        ['cut', cut()],
        ['summed', summed('100')],
      ],
      /held 155.* but the tree of .* sums up to 100/,
    ],
    ['nothing was cut', [['summed', summed(held)]], /was not to be summed up/],
    [
      'it is of another day',
      [
        ['cut', cut()],
        ['summed', summed(held, { day: '2026-11-22' })],
      ],
      /was not to be/,
    ],
    [
      'there are two for a day',
      [
        ['cut', cut()],
        ['summed', summed(held)],
        ['summed', summed(held)],
      ],
      /was not to be/,
    ],
    [
      'a day is cut again',
      [
        ['cut', cut()],
        ['summed', summed(held)],
        ['cut', cut()],
      ],
      /counted on 2026-11-23 already/,
    ],
    [
      'one is never summed up',
      [
        ['cut', cut()],
        ['cut', cut('2026-11-24')],
      ],
      /was not summed up before/,
    ],
    [
      'it is said of a day to come',
      [['cut', { ...cut('2026-11-24'), at: '2026-11-23T23:59:59.999Z' }]],
      /held on 2026-11-24 was counted before/,
    ],
    ['it is of another log', [['cut', { ...cut(), origin: 'a/journal' }]], /of the log a\/journal/],
  ])('are wrong where %s [LOG-11]', (_, facts, why) => {
    expect(faultOf(...facts)).toMatch(why)
  })
})
