import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkAddress } from './addresses.ts'
import { checkSite, type Report } from './check.ts'
import { sha256 } from './node-hash.ts'
import { parseVerifierKey, signerOf, type VerifierKey } from './notes.ts'
import { OrderRows, readOrderRows } from './order-rows.ts'
import { printReport } from './print.ts'
import { checkProof, checkStillThere } from './proof.ts'
import { readSeen, writeSeen } from './seen.ts'
import { Site } from './site.ts'
import { bundleOf, jsonOf, type LogKey, LogWriter, makeKey } from './testing/log-writer.ts'
import { exampleSale, orderName, Sale } from './testing/sale.ts'
import { ADDRESS, serve } from './testing/served.ts'

type Campaign = ReturnType<Sale['campaign']>
type Entries = Record<string, unknown>[]

/** One look at a site, and the state that it leaves for the next one. */
async function look(
  log: LogWriter,
  campaign: Campaign,
  state?: string,
): Promise<{ report: Report; state?: string }> {
  const { site } = serve(
    () => log,
    () => campaign,
  )
  const { report, seen } = await checkSite({ site, sha256, state })
  return { report, state: seen && writeSeen(seen) }
}

/** The state after a look at a sale that agrees. */
async function honestState(sale: Sale): Promise<string> {
  const { report, state } = await look(sale.log, sale.campaign())
  expect(report).toMatchObject({ agrees: true, faults: [], wrongEntries: [] })
  return state as string
}

const LATER = '2027-01-01T00:00:00.000Z'

const namesOf = ({ figures }: Report) => figures.filter(({ agrees }) => !agrees).map(({ name }) => name)

/** A sale with some hundred orders, so that its log has full tiles. */
function longSale(orders: number): Sale {
  const sale = exampleSale()
  for (let index = 0; index < orders; index++)
    sale.approve(`order ${index}`, BigInt(index + 1) * 1_000n, { stage: 2 })
  return sale
}

type Action = ['order' | 'refund' | 'grant' | 'price' | 'goal', number, bigint]

/** Does the next thing that can happen to an order, a refund or a grant of this number; `states` says what did. */
function execute(sale: Sale, states: Map<string, string>, [what, number, amount]: Action): void {
  const name = `${what} ${number}`
  const state = states.get(name)
  if (what === 'order') {
    if (state === 'approved') sale.reverse(name)
    else if (state === undefined || state === 'reversed') {
      sale.approve(name, amount, { way: number % 2 === 0 ? 'chain' : 'operator', stage: 1 + (number % 2) })
    }
    states.set(name, state === undefined ? 'approved' : state === 'approved' ? 'reversed' : 'done')
  } else if (what === 'refund') {
    const next = {
      owed: amount % 2n === 0n ? 'paid' : 'written_off',
      paid: 'unpaid',
      unpaid: 'paid',
    } as const
    if (state === 'written_off') return
    const kind = state === undefined ? 'owed' : next[state as keyof typeof next]
    sale.refund(kind, name, BigInt(number + 1) * 12_345n)
    states.set(name, kind)
  } else if (what === 'grant') {
    if (state?.startsWith('postings/')) sale.ungrant(state)
    states.set(name, state === undefined ? sale.grant(amount) : 'done')
  } else if (what === 'price') sale.setPrice(amount)
  else sale.setGoal(String(number + 1))
}

describe('an honest sale', () => {
  test('agrees in every figure, whatever happened in it', async () => {
    const actions = fc.array(
      fc.tuple(
        fc.constantFrom('order', 'refund', 'grant', 'price', 'goal'),
        fc.nat(9),
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
      ),
      { maxLength: 60 },
    )
    await fc.assert(
      fc.asyncProperty(actions, async (list) => {
        const sale = new Sale()
        const states = new Map<string, string>()
        for (const action of list) execute(sale, states, action as Action)
        const { report } = await look(sale.log, sale.campaign())
        expect(report.wrongEntries).toEqual([])
        expect(namesOf(report)).toEqual([])
        expect(report.agrees).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  test('agrees over many tiles and many looks, and each figure is told with both values', async () => {
    const sale = longSale(300)
    let state = await honestState(sale)
    for (const more of [1, 200, 512]) {
      for (let index = 0; index < more; index++) sale.approve(`${more} ${index}`, 1_000_000n)
      const next = await look(sale.log, sale.campaign(), state)
      expect(next.report).toMatchObject({ agrees: true, faults: [], previous: { size: expect.any(Number) } })
      state = next.state as string
    }
    const { report } = await look(sale.log, sale.campaign(), state)
    expect(report.comparedAt).toBe(sale.log.entries.length)
    expect(report.figures).toContainEqual({
      name: 'approvedOrders.byOperator',
      shown: '1',
      journal: '1',
      agrees: true,
    })
    expect(report.further).toEqual({
      'refundsOwed.BTC': '0.00001234',
      allocatedTokens: '42.5',
      'credited.BTC': '1718.3',
    })
    expect(printReport(report)).toContain(`All ${report.figures.length} figures agree`)
  })

  test('agrees while it goes on selling: with the figures of one size between two checkpoints', async () => {
    const sale = exampleSale()
    const before = sale.log.entries.length
    let shown: Campaign | undefined
    const campaign = () => {
      // The figures are read after one more order, and three others follow before the second checkpoint.
      sale.approve('d', 5_000_000n)
      shown = sale.campaign()
      return shown
    }
    const { site, waited } = serve(
      () => sale.log,
      campaign,
      () => [1, 2, 3].forEach((one) => sale.approve(`e ${one}`, 1_000_000n)),
    )
    const { report } = await checkSite({ site, sha256 })
    expect(report).toMatchObject({ agrees: true, comparedAt: before + 2, checkpoint: { size: before + 8 } })
    expect(waited).toEqual([expect.toSatisfy((ms) => ms >= 2_000)])
  })

  test('may hide its older days, and shows settings that the journal does not have', async () => {
    const sale = exampleSale()
    const campaign = sale.campaign()
    campaign.days = [{ ...campaign.days[0], day: '2026-12-24' } as Campaign['days'][number]].map((day) => ({
      ...day,
      raisedUsd: '0',
      raisedOnChainUsd: '0.00',
      raisedByOperatorUsd: '0',
      purchasedTokens: '0',
    }))
    campaign.settings['newer'] = true
    expect((await look(sale.log, campaign)).report.agrees).toBe(true)
  })

  test('may have a setting so long that the journal holds its hash only', async () => {
    const sale = exampleSale()
    const long = 'ж'.repeat(5_000)
    const { createHash } = await import('node:crypto')
    const digest = createHash('sha256').update(JSON.stringify(long)).digest('hex')
    sale.setSetting('about', long, { bytes: 10_002, sha256: digest })
    await honestState(sale)
    const campaign = sale.campaign()
    campaign.settings['about'] = `${long}.`
    expect(namesOf((await look(sale.log, campaign)).report)).toEqual(['settings.about'])
  })
})

describe('a figure on the page that is not the journal’s', () => {
  test('0.01 dollars higher is told with both values, the difference and the last entry that explains it', async () => {
    const sale = exampleSale()
    const campaign = sale.campaign()
    campaign.raised.usd = '168.68'
    const { report } = await look(sale.log, campaign)
    expect(report.figures.filter(({ agrees }) => !agrees)).toEqual([
      {
        name: 'raised.usd',
        shown: '168.68',
        journal: '168.67',
        agrees: false,
        difference: '0.01',
        since: null,
      },
    ])
    expect(report).toMatchObject({ agrees: false, faults: [] })
    expect(printReport(report)).toMatch(
      /DIFFERS {2}raised\.usd +168\.68 +168\.67 +by 0\.01, which it never was/,
    )
  })

  test('that was right before some entry names that entry and its row', async () => {
    const sale = exampleSale()
    const campaign = sale.campaign()
    const index = sale.log.entries.length
    sale.approve('f', 8_000_000n)
    sale.approve('g', 8_000_000n)
    const { report } = await look(sale.log, { ...campaign, days: sale.campaign().days })
    const differing = report.figures.filter(({ agrees }) => !agrees)
    expect(differing.map(({ name, since }) => [name, since?.index])).toContainEqual(['raised.usd', index])
    expect(new Set(differing.map(({ since }) => since?.row))).toEqual(new Set([`postings/${index}`]))
    expect(printReport(report)).toContain(`since entry ${index} (postings/${index})`)
  })

  test.each<[string, (campaign: Campaign) => void, string[]]>([
    ['an order more', ({ approvedOrders }) => approvedOrders.onChain++, ['approvedOrders.onChain']],
    [
      'a stage’s end moved',
      ({ stages }) => stages.forEach((one) => (one.endsAt = '2027-01-01T00:00:00.000Z')),
      ['stages.1.endsAt', 'stages.2.endsAt'],
    ],
    ['a setting changed', ({ settings }) => (settings['hardCapUsd'] = '3000000'), ['settings.hardCapUsd']],
    ['a setting hidden', ({ settings }) => delete settings['name'], ['settings.name']],
    [
      'a day made better',
      ({ days }) => days.forEach((one) => (one.raisedUsd = '999')),
      ['days.2026-11-01.raisedUsd'],
    ],
    ['a figure that is none', (campaign) => (campaign.grantedTokens = '7,5'), ['grantedTokens']],
    ['a figure left out', (campaign) => delete (campaign as Partial<Campaign>).bonusTokens, ['bonusTokens']],
    [
      'a per cent rounded up',
      ({ stages }) => stages.forEach((one) => (one.progressPercent = '9')),
      ['stages.1.progressPercent', 'stages.2.progressPercent'],
    ],
  ])('is found: %s', async (_, change, names) => {
    const sale = exampleSale()
    const campaign = sale.campaign()
    change(campaign)
    expect(namesOf((await look(sale.log, campaign)).report)).toEqual(names)
  })

  test('is found where a stage is shown that the journal does not have, or the other way round', async () => {
    const sale = exampleSale()
    const campaign = sale.campaign()
    const [first, second] = campaign.stages
    campaign.stages = [first, { ...second, id: 3 }] as Campaign['stages']
    const { report } = await look(sale.log, campaign)
    const name = (id: number) => report.figures.find((figure) => figure.name === `stages.${id}.name`)
    expect(name(2)).toMatchObject({ shown: null, journal: '"Stage 2"', agrees: false })
    expect(name(3)).toMatchObject({ shown: '"Stage 2"', journal: null, agrees: false })
  })
})

describe('the rows of orders that a site shows', () => {
  const differingOf = ({ orders }: Report) => (typeof orders === 'string' ? [] : orders.differing)
  const rowsOf = async (sale: Sale, rows: string) => {
    const { site } = serve(
      () => sale.log,
      () => sale.campaign(),
      undefined,
      () => rows,
    )
    return (await checkSite({ site, sha256 })).report
  }

  test('are compared one by one, whatever became of the orders, and are those of one size of the log', async () => {
    const sale = exampleSale()
    const before = sale.orderRows()
    expect(await rowsOf(sale, before)).toMatchObject({ agrees: true, orders: { shown: 3, agrees: true } })
    sale.reverse('a')
    sale.approve('d', 5_000_000n, { stage: 2 })
    expect(await rowsOf(sale, sale.orderRows())).toMatchObject({ agrees: true, orders: { shown: 3 } })
    const late = await rowsOf(sale, before)
    expect(late.agrees).toBe(false)
    expect(differingOf(late).map(({ order, since }) => [order, since?.row])).toEqual([
      [orderName('a'), sale.entries().at(-4)?.row],
      [orderName('d'), sale.entries().at(-2)?.row],
    ])
    const { site } = serve(
      () => sale.log,
      () => sale.campaign(),
    )
    const { report } = await checkSite({ site, sha256 })
    expect(report).toMatchObject({ agrees: true, orders: 'none' })
    expect(printReport(report)).toContain('rows of orders were not compared')
  })

  test.each<[string, (rows: string) => string, RegExp]>([
    [
      'has more tokens',
      (rows) => rows.replace(',100,', ',200,'),
      /shown Stage 1 · BTC · 200 · .*; journal Stage 1 · BTC · 100 ·/,
    ],
    ['is of another way', (rows) => rows.replace(',operator', ',chain'), /· chain; journal .* · operator;/],
    [
      'is of another stage',
      (rows) => rows.replace(',Stage 2,', ',Stage 1,'),
      /shown Stage 1 .*; journal Stage 2/,
    ],
    ['is left out', (rows) => rows.replace(/\r\n[^\r]*operator/, ''), /shown nothing; journal Stage 1/],
    [
      'is made up',
      (rows) => `${rows}${'ab'.repeat(32)},2026-11-01,Stage 1,BTC,1,0,1.25,chain\r\n`,
      /shown Stage 1 .*; journal nothing/,
    ],
  ])('where one %s the order is named, though every sum agrees [LOG-8]', async (_what, change, printed) => {
    const sale = exampleSale()
    const report = await rowsOf(sale, change(sale.orderRows()))
    expect(namesOf(report)).toEqual([])
    expect(report).toMatchObject({ agrees: false, orders: { agrees: false, differingCount: 1 } })
    expect(printReport(report)).toMatch(printed)
    expect(printReport(report)).toMatch(/1 orders are shown otherwise than the journal has them\.\n$/)
  })

  test('are not compared where they are more than memory is for, which is said', async () => {
    const sale = exampleSale()
    const { site } = serve(
      () => sale.log,
      () => sale.campaign(),
      undefined,
      () => sale.orderRows(),
    )
    expect(await readOrderRows(site, new Map(), 2)).toBe('too many')
    expect(await readOrderRows(site, new Map(), 3)).toBeInstanceOf(OrderRows)
    const { report } = await look(sale.log, sale.campaign())
    expect(printReport({ ...report, orders: 'too many' })).toContain('the site shows more than 200000')
  })

  test('are read as a table writes them, and in one form alone', async () => {
    const sale = exampleSale()
    const name = '=A, "B"'
    sale.setStageName(1, name)
    const shown = sale.orderRows().replaceAll(',Stage 1,', `,"'${name.replaceAll('"', '""')}",`)
    expect(await rowsOf(sale, shown)).toMatchObject({ agrees: true })
    sale.setStageName(1, { en: ' ', ru: '', es: 'Etapa', ar: 'مرحلة' })
    expect(await rowsOf(sale, sale.orderRows().replaceAll(',Stage 1,', ',مرحلة,'))).toMatchObject({
      agrees: true,
    })
    sale.setStageName(1, { ru: 'Этап', en: 'Stage 1' })
    expect(await rowsOf(sale, sale.orderRows())).toMatchObject({ agrees: true })
    expect(await rowsOf(sale, sale.orderRows().replaceAll(',Stage 1,', ',Этап,'))).toMatchObject({
      agrees: false,
    })
    await expect(rowsOf(sale, sale.orderRows().replace('order,', 'name,'))).rejects.toThrow(/other columns/)
    const twice = sale.orderRows()
    const report = await rowsOf(sale, twice + twice.split('\r\n')[1])
    expect(report).toMatchObject({ agrees: false, faults: [expect.stringMatching(/twice/)] })
  })
})

describe('a log that was tampered with', () => {
  const isOrder = (entry: Record<string, unknown>) => entry['kind'] === 'order.approved'
  const raise = (entries: Entries) =>
    entries.map((entry) =>
      entry['order'] === orderName('a') ? { ...entry, base: '1000', bonus: '100', usd: '1250' } : entry,
    )
  const swap = (entries: Entries) => {
    const [a = 0, b = 0] = entries.flatMap((entry, at) => (isOrder(entry) ? [at] : []))
    return entries.with(a, entries[b] as Entries[number]).with(b, entries[a] as Entries[number])
  }

  test.each<[string, (entries: Entries) => Entries, RegExp]>([
    [
      'drops an approved order',
      (entries) => entries.filter(({ order }) => order !== orderName('b')),
      /lost entries/,
    ],
    ['raises an amount', raise, /rewritten.* the first that differs is entry 1\./],
    ['swaps two orders', swap, /rewritten.* the first that differs is entry 1\./],
    [
      'adds an order before the last',
      (entries) => entries.toSpliced(4, 0, { ...entries[4], row: 'x/1' }),
      /entry 4\./,
    ],
    ['ends earlier', (entries) => entries.slice(0, -3), /lost entries: it had 22 on .*, and has 19 now/],
  ])('and signed again by the same key is caught by who saw it before: it %s', async (_, change, reason) => {
    const sale = exampleSale()
    const state = await honestState(sale)
    const rewritten = sale.log.rewritten(change)
    const { report, state: next } = await look(rewritten, sale.campaign(), state)
    expect(report.faults).toContainEqual(expect.stringMatching(reason))
    expect(report).toMatchObject({ agrees: false })
    expect(next).toBeUndefined()
    const printed = printReport(report)
    expect(printed).toContain(report.previous?.note)
    expect(printed).toContain(rewritten.checkpoint())
  })

  test('in a full tile says among which entries', async () => {
    const sale = longSale(900)
    const state = await honestState(sale)
    const { report } = await look(
      sale.log.rewritten((entries) => entries.with(700, { ...entries[700], currency: 'ETH' })),
      sale.campaign(),
      state,
    )
    expect(report.faults).toEqual([expect.stringMatching(/rewritten.* among entries 512 to 767\.$/)])
  })

  test('is caught at once by the page, where the page tells the truth', async () => {
    const sale = exampleSale()
    const dropped = sale.log.rewritten((entries) => entries.filter(({ order }) => order !== orderName('b')))
    const { report } = await look(dropped, sale.campaign())
    expect(namesOf(report)).toContain('approvedOrders.byOperator')
    expect(namesOf((await look(sale.log.rewritten(raise), sale.campaign())).report)).toContain('raised.usd')
  })

  test('is caught with a key of its own', async () => {
    const sale = exampleSale()
    const state = await honestState(sale)
    const old = sale.log.key.vkey
    sale.log.key = makeKey(sale.log.origin)
    const { report, state: next } = await look(sale.log, sale.campaign(), state)
    expect(report.faults).toEqual([
      `The log has another key: ${sale.log.key.vkey} instead of ${old}.`,
      `The first entry opens a log with the vkey ${old}, not ${sale.log.key.vkey}.`,
    ])
    expect(next).toBeUndefined()
  })

  test('goes on with another key where the one before has signed the change, twice, and a receipt of then stays good [LOG-16]', async () => {
    const sale = exampleSale()
    const [first, state] = [sale.log.key.vkey, await honestState(sale)]
    const receipt = sale.log.proof(2)
    const [a, b] = ['2026-11-23T10:00:00.000Z', '2026-11-23T11:00:00.000Z']
    sale.log.rekey(a)
    const second = sale.log.key.vkey
    sale.grant(5n)
    sale.log.rekey(b)
    for (const known of [state, undefined]) {
      const { report, state: next } = await look(sale.log, sale.campaign(), known)
      expect(report).toMatchObject({
        agrees: true,
        faults: [],
        formerKeys: [{ vkey: first }, { vkey: second }],
        vkey: sale.log.key.vkey,
      })
      const seen = await readSeen(sha256, next ?? '')
      const signer = signerOf(receipt, [seen.key, ...seen.former]) as VerifierKey
      expect(signer.text).toBe(first)
      const { checkpoint } = await checkProof(sha256, receipt, signer)
      const { site } = serve(
        () => sale.log,
        () => sale.campaign(),
      )
      expect(await checkStillThere(site, sha256, seen.key, checkpoint)).toMatchObject({
        size: sale.log.entries.length,
      })
      // A key that nobody has followed is neither taken nor called a stranger's.
      await expect(checkStillThere(site, sha256, signer, checkpoint)).rejects.toThrow(/in the whole log/)
    }
  })

  test('is not accused where its key is replaced during the look [LOG-16]', async () => {
    for (const nth of [1, 2, 3]) {
      const sale = exampleSale()
      const { site } = serve(
        () => sale.log,
        () => sale.campaign(),
      )
      let asked = 0
      const fetch: typeof site.reach.fetch = async (...args) => {
        const answer = await site.reach.fetch(...args)
        if (args[0].includes('journal/vkey') && ++asked === nth) {
          sale.log.rekey(LATER)
          sale.grant(5n)
        }
        return answer
      }
      const { report } = await checkSite({ site: new Site(ADDRESS, { ...site.reach, fetch }), sha256 })
      expect(report.faults).toEqual([])
    }
  })

  test('is caught where a list is signed with a key that it does not have, or no longer has [LOG-16]', async () => {
    for (const isFormer of [false, true]) {
      const sale = exampleSale()
      const own = sale.log.key
      if (isFormer) {
        sale.log.rekey(LATER)
        sale.grant(5n)
      }
      const today = sale.log.key
      sale.log.key = isFormer ? own : makeKey(sale.log.origin)
      // By the second checkpoint all is well.
      const { site } = serve(
        () => sale.log,
        () => sale.campaign(),
        () => {
          sale.log.key = today
        },
      )
      const { report } = await checkSite({ site, sha256 })
      expect(report.agrees).toBe(false)
      expect(report.faults).toEqual([
        expect.stringMatching(/signed with .*, which was not the log’s key then/),
      ])
    }
  })

  test('gives nothing to who has a key that was replaced: no receipt of a list that is longer than it was then [LOG-16]', async () => {
    const sale = exampleSale()
    const stolen = sale.log.key
    sale.log.rekey(LATER)
    sale.grant(5n)
    const seen = await readSeen(sha256, await honestState(sale))
    const forged = sale.log.rewritten((entries) => [...entries, { ...entries[8], row: 'postings/999' }])
    forged.key = stolen
    const receipt = forged.proof(forged.entries.length - 1)
    const signer = signerOf(receipt, [seen.key, ...seen.former]) as VerifierKey
    expect(signer.text).toBe(stolen.vkey)
    await expect(checkProof(sha256, receipt, signer)).rejects.toThrow(/was replaced at the end of 23 entries/)
  })

  test('never takes a key back that was replaced: what was signed with it meanwhile would be good again [LOG-16]', async () => {
    const sale = exampleSale()
    const stolen = sale.log.key
    sale.log.rekey(LATER)
    sale.grant(5n)
    sale.log.rekey(LATER, stolen)
    const { report, state } = await look(sale.log, sale.campaign())
    expect(report).toMatchObject({ agrees: false, wrongEntries: [{ index: 24 }] })
    expect(report.wrongEntries[0]?.message).toContain('signs again')
    expect(state).toBeUndefined()
  })

  test.each<[string, (log: LogWriter, own: LogKey, next: LogKey) => void, RegExp]>([
    [
      'that the old key has not signed',
      (log, _own, next) => log.rekey(LATER, next, [next]),
      /is not signed by/,
    ],
    [
      'that the new key has not signed',
      (log, own, next) => log.rekey(LATER, next, [own]),
      /is not signed by/,
    ],
    [
      'to one of another log',
      (log, own) => {
        const stranger = makeKey('other.example/journal')
        log.rekey(LATER, stranger, [own, stranger])
      },
      /other.example/,
    ],
    [
      'whose signatures are kept back',
      (log, _own, next) => {
        log.rekey(LATER, next)
        log.rotations.pop()
      },
      /does not serve journal\/rotation\/1/,
    ],
    [
      'whose signatures are of another list',
      (log, own, next) => {
        const other = log.rewritten((entries) => entries.with(3, { ...entries[3], currency: 'ETH' }))
        other.key = own
        other.rekey(LATER, next)
        log.rekey(LATER, next)
        log.rotations.splice(0, 1, ...other.rotations)
      },
      /signed another change of the key/,
    ],
    [
      'that is not the one that the journal says',
      (log, _own, next) => {
        log.rekey(LATER, next)
        log.key = makeKey(log.origin)
      },
      /The journal has the key .*, not /,
    ],
  ])('is caught with a change of the key %s', async (_what, change, reason) => {
    const sale = exampleSale()
    const state = await honestState(sale)
    change(sale.log, sale.log.key, makeKey(sale.log.origin))
    const { report, state: next } = await look(sale.log, sale.campaign(), state)
    expect(report.agrees).toBe(false)
    expect(report.faults.join()).toMatch(reason)
    expect(next).toBeUndefined()
  })

  test('is caught where an entry replaces a key that the log does not have', async () => {
    const sale = exampleSale()
    const own = sale.log.key
    sale.log.key = makeKey(sale.log.origin)
    sale.log.rekey(LATER, own)
    const { report } = await look(sale.log, sale.campaign())
    expect(report.wrongEntries).toMatchObject([{ message: expect.stringContaining('not the log') }])
  })

  test('is caught with a checkpoint that another key signed', async () => {
    const sale = exampleSale()
    const note = sale.log.checkpoint()
    sale.log.key = makeKey(sale.log.origin)
    sale.log.instead.set('checkpoint', Buffer.from(note))
    const { report } = await look(sale.log, sale.campaign())
    expect(report).toMatchObject({ agrees: false, faults: [expect.stringContaining('is not signed by')] })
  })

  test('is caught where it shrinks or changes between two checkpoints', async () => {
    for (const [change, reason] of [
      [(entries: Entries) => entries.slice(0, -1), /signed 22 entries .*, and after that 21/],
      [
        (entries: Entries) => [...raise(entries), { ...entries[8], row: 'x/1' }],
        /signed 22 entries .* but serves/,
      ],
    ] as const) {
      const sale = exampleSale()
      let { log } = sale
      const served = serve(
        () => log,
        () => sale.campaign(),
        () => (log = sale.log.rewritten(change)),
      )
      const { report } = await checkSite({ site: served.site, sha256 })
      expect(report.faults).toContainEqual(expect.stringMatching(reason))
    }
  })

  test('names every entry that breaks the rules, with its row', async () => {
    const sale = exampleSale()
    const campaign = sale.campaign()
    const at = { v: 1, at: '2026-11-30T00:00:00.000Z' }
    const paid = {
      refund: '1',
      order: null,
      currency: 'BTC',
      amount: '0.00001234',
      usd: '12.34',
      transaction: null,
    }
    sale.log.append(
      { ...at, kind: 'order.forgotten', row: 'x/1' },
      { ...at, kind: 'refund.paid', row: 'x/2', ...paid },
      { ...at, kind: 'refund.paid', row: 'x/3', ...paid },
    )
    const { report } = await look(sale.log, { ...campaign, refundsOwedUsd: '0' })
    expect(report.wrongEntries).toEqual([
      { index: 22, row: 'x/1', message: 'The kind "order.forgotten" is unknown.' },
      { index: 24, row: 'x/3', message: 'The refund 1 is paid, not owed.' },
    ])
    expect(report).toMatchObject({ agrees: false, wrongEntriesCount: 2, faults: [] })
    expect(printReport(report)).toContain('WRONG  entry 24 (x/3): The refund 1 is paid, not owed.')
  })

  const bundle = 'tile/entries/000.p/22'
  test.each<[string, (log: LogWriter) => [string, Uint8Array | null], RegExp]>([
    ['a bundle that is cut', (log) => [bundle, bundleOf(log.entries).subarray(0, -5)], /is cut in entry 21/],
    [
      'a bundle that lacks an entry',
      (log) => [bundle, bundleOf(log.entries.slice(1))],
      /21 entries instead of 22/,
    ],
    [
      'a bundle with an entry more',
      (log) => [bundle, bundleOf([...log.entries, Buffer.from('{}')])],
      /23 entries instead of 22/,
    ],
    [
      'a bundle whose entry is another than its tile’s',
      (log) => [bundle, bundleOf(log.entries.with(3, Buffer.from('{}')))],
      /Entry 3 is not the one/,
    ],
    [
      'a bundle in another order',
      (log) => [bundle, bundleOf(log.entries.toReversed())],
      /Entry 0 is not the one/,
    ],
    ['no bundle', () => [bundle, null], /does not serve tile\/entries\/000\.p\/22/],
    ['a bundle that is too long', () => [bundle, new Uint8Array(17_000_000)], /is longer than/],
    [
      'a tile that is cut',
      (log) => ['tile/0/000.p/22', (log.file('tile/0/000.p/22') as Uint8Array).subarray(1)],
      /703 bytes/,
    ],
    ['no tile', () => ['tile/0/000.p/22', null], /does not serve tile\/0\/000\.p\/22/],
  ])('is caught with %s', async (_, change, reason) => {
    const sale = exampleSale()
    sale.log.checkpoint()
    sale.log.instead.set(...change(sale.log))
    const { report } = await look(sale.log, sale.campaign())
    expect(report).toMatchObject({ agrees: false, faults: [expect.stringMatching(reason)], comparedAt: null })
  })

  test('is caught where tile and bundle are changed alike, and where a tile above them is', async () => {
    const sale = longSale(500)
    sale.log.checkpoint()
    const other = sale.log.rewritten((entries) => entries.with(3, { ...entries[3], reason: 'another' }))
    other.checkpoint()
    for (const path of ['tile/0/000', 'tile/entries/000'])
      sale.log.instead.set(path, other.file(path) as Uint8Array)
    expect((await look(sale.log, sale.campaign())).report.faults).toContainEqual(
      expect.stringMatching(/but serves/),
    )
    sale.log.instead.clear()
    sale.log.instead.set('tile/1/000.p/3', other.file('tile/1/000.p/3') as Uint8Array)
    expect((await look(sale.log, sale.campaign())).report.faults).toEqual([
      expect.stringMatching(/tile\/1\/000\.p\/3 does not have the hash of the entries 0 to 255/),
    ])
  })

  test('is caught without a single entry', async () => {
    const sale = exampleSale()
    const empty = sale.log.rewritten(() => [])
    const { report } = await look(empty, sale.campaign())
    expect(report).toMatchObject({
      agrees: false,
      comparedAt: 0,
      faults: [expect.stringContaining('no entry')],
    })
  })
})

describe('the network', () => {
  test('may lack a partial tile once the full one is there', async () => {
    const sale = longSale(100)
    const size = sale.log.entries.length
    const checkpoint = sale.log.checkpoint()
    const campaign = sale.campaign()
    for (let index = 0; index < 300; index++) sale.approve(`later ${index}`, 1_000_000n)
    sale.log.checkpoint()
    sale.log.instead.set('checkpoint', Buffer.from(checkpoint))
    sale.log.signed.delete(size)
    const { report } = await look(sale.log, campaign)
    expect(report).toMatchObject({ agrees: true, comparedAt: size })
  })

  test('may have begun its log anew: what caches keep of the one before is not taken for it [LOG-4]', async () => {
    const before = exampleSale()
    const after = new Sale(new LogWriter('sale.example/journal/2'))
    while (after.log.entries.length < before.log.entries.length)
      // One entry each, so that both logs are equally long and their tiles have the same addresses.
      after.approve(`order ${after.log.entries.length}`, 1_000n, { way: 'operator' })
    let sale = before
    const { site } = serve(
      () => sale.log,
      () => sale.campaign(),
    )
    const kept = new Map<string, ArrayBuffer>()
    const reach = {
      ...site.reach,
      fetch: async (...args: Parameters<typeof site.reach.fetch>) => {
        const [url, { cache }] = args
        const known = cache === 'default' ? kept.get(url) : undefined
        if (known) return new Response(known)
        const response = await site.reach.fetch(...args)
        if (cache === 'default' && response.ok) kept.set(url, await response.clone().arrayBuffer())
        return response
      },
    }
    const lookAgain = async () => (await checkSite({ site: new Site(ADDRESS, reach), sha256 })).report
    expect(await lookAgain()).toMatchObject({ agrees: true, faults: [] })
    sale = after
    expect(await lookAgain()).toMatchObject({ agrees: true, faults: [] })
  })

  test('may fail for a moment, but not for good', async () => {
    const sale = exampleSale()
    const { site, waited } = serve(
      () => sale.log,
      () => sale.campaign(),
    )
    const failing = (times: number, answer: () => Response) => {
      const left = new Map<string, number>()
      const reach = {
        ...site.reach,
        fetch: async (...args: Parameters<typeof site.reach.fetch>) => {
          const tries = left.get(args[0]) ?? times
          left.set(args[0], tries - 1)
          return tries > 0 ? answer() : site.reach.fetch(...args)
        },
      }
      return checkSite({ site: new Site(ADDRESS, reach), sha256 })
    }
    expect((await failing(2, () => new Response('', { status: 503 }))).report.agrees).toBe(true)
    expect(waited).toContain(500)
    const thrown = () => {
      throw new TypeError('fetch failed')
    }
    expect((await failing(4, thrown)).report.agrees).toBe(true)
    await expect(failing(5, thrown)).rejects.toThrow(/vkey did not answer: fetch failed/)
    waited.length = 0
    const busy = () => new Response('', { status: 429, headers: { 'retry-after': '3' } })
    expect((await failing(1, busy)).report.agrees).toBe(true)
    expect(waited).toContain(3_000)
    await expect(failing(1, () => new Response('', { status: 403 }))).rejects.toThrow(/status 403/)
    await expect(failing(1, () => new Response('', { status: 404 }))).rejects.toThrow(/vkey is not there/)
  })

  test('is asked for few files at a time', async () => {
    const sale = longSale(4_000)
    const { site } = serve(
      () => sale.log,
      () => sale.campaign(),
    )
    let [now, most] = [0, 0]
    const fetch: typeof site.reach.fetch = async (...args) => {
      now += 1
      most = Math.max(most, now)
      await new Promise((resolve) => setTimeout(resolve, 1))
      now -= 1
      return site.reach.fetch(...args)
    }
    const { report } = await checkSite({ site: new Site(ADDRESS, { ...site.reach, fetch }), sha256 })
    expect(report.agrees).toBe(true)
    expect(most).toBeGreaterThan(4)
    expect(most).toBeLessThanOrEqual(14)
  })

  test('is not asked where the state of the last look is damaged', async () => {
    const sale = exampleSale()
    const state = await honestState(sale)
    const { site, asked } = serve(
      () => sale.log,
      () => sale.campaign(),
    )
    const damages = [
      state.slice(0, -9),
      state.replace('"v":1', '"v":2').replace('"v": 1', '"v": 2'),
      '{}',
      '',
    ]
    for (const text of [...damages, jsonOf({ ...JSON.parse(state), leaves: [] })]) {
      await expect(checkSite({ site, sha256, state: text })).rejects.toThrow(/last look/)
    }
    expect(asked).toEqual([])
  })
})

describe('who owes the tokens', () => {
  test('adds up from the journal alone, and no round is frozen with more than was sold, given and granted [DELIVER-22]', async () => {
    const sale = exampleSale()
    const { report } = await look(sale.log, sale.campaign())
    const { equation } = report
    expect(equation).toMatchObject({
      lines: [{ name: 'round 1', contract: null, tokens: '42.5', shown: null, fault: null }],
      agrees: true,
    })
    expect(Number(equation?.rest) + 42.5).toBe(Number(equation?.total))
    expect(printReport(report)).toMatch(/round 1: 42\.5, not live yet\nin no round and no escrow yet: /)
    sale.freeze(2, 10n ** 12n)
    const wrong = (await look(sale.log, sale.campaign())).report
    expect([wrong.agrees, wrong.equation?.agrees]).toEqual([false, false])
    expect(printReport(wrong)).toContain('does not show the tokens that are owed')
  })
})

describe('a fixed address', () => {
  const shown = {
    kind: 'currency.set',
    at: LATER,
    subject: 'currencies/9',
    currency: 'BTC',
    network: 'bitcoin',
    contract: null,
    address: 'bc1qseller',
    wallet: null,
    isAccepted: true,
    isPaused: false,
  }

  test.each([
    ['is proven by the entry that shows it to everybody', {}, 0, true],
    ['is not one while its currency is switched off', { isAccepted: false }, 0, false],
    ['is none of a currency whose orders have a wallet’s', { wallet: 4 }, 1, false],
    ['is none that another entry says', { address: 'bc1qother' }, 0, false],
  ])('%s', async (_what, change, wrong, isProven) => {
    const { log } = exampleSale()
    log.append({ v: 1, row: 'journal_facts/903', ...shown, ...change })
    const proof = log.proof(log.entries.length - 1)
    const file = JSON.stringify({ v: 1, address: 'bc1qseller', proof })
    const checked = checkAddress(sha256, file, parseVerifierKey(sha256, log.key.vkey))
    if (isProven) await expect(checked).resolves.toMatchObject({ currency: 'BTC' })
    else await expect(checked).rejects.toThrow(/does not show the address/)
    expect((await look(log, exampleSale().campaign())).report.wrongEntriesCount).toBe(wrong)
  })
})

describe('a wallet that was swapped for an hour', () => {
  const currency = (address: string) => ({
    subject: 'currencies/1',
    currency: 'BTC',
    network: 'bitcoin',
    contract: null,
    address,
    wallet: null,
    isAccepted: true,
    isPaused: false,
  })
  const wallet = {
    subject: 'wallet_announcements/1',
    wallet: 4,
    family: 'bitcoin',
    script: 'p2wpkh',
    net: 'main',
    key: 'ab'.repeat(32),
    first: 0,
    count: 10_000,
    root: 'cd'.repeat(32),
  }
  /** A look at a sale whose site shows this address for Bitcoin. */
  const lookAt = async (log: LogWriter, sale: Sale, address: string, state?: string) => {
    const served = serve(
      () => log,
      () => sale.campaign(),
    )
    const item = { code: 'BTC', network: 'bitcoin', address, watched: false }
    const reach = {
      ...served.site.reach,
      fetch: async (...args: Parameters<typeof served.site.reach.fetch>) =>
        args[0].endsWith('/currencies') ? Response.json({ items: [item] }) : served.site.reach.fetch(...args),
    }
    const { report, seen } = await checkSite({ site: new Site(ADDRESS, reach), sha256, state })
    return { report, state: seen && writeSeen(seen) }
  }

  test('is in the journal for ever: taking the hour out of it is caught by who looked in that hour or after', async () => {
    const sale = exampleSale()
    sale.say('currency.set', currency('bc1qseller'))
    const { state: before } = await lookAt(sale.log, sale, 'bc1qseller')
    // A site that shows the thief's to one visitor alone, and does not say it.
    const unsaid = await lookAt(sale.log, sale, 'bc1qthief', before)
    expect(unsaid.report.figures.filter(({ agrees }) => !agrees)).toMatchObject([
      { name: 'currencies.BTC.address', shown: '"bc1qthief"', journal: '"bc1qseller"' },
    ])
    sale.say('currency.set', currency('bc1qthief'))
    sale.approve('paid in that hour', 4_000_000n)
    const during = await lookAt(sale.log, sale, 'bc1qthief', before)
    expect(during.report.agrees).toBe(true)
    sale.say('currency.set', currency('bc1qseller'))
    sale.approve('paid after it', 4_000_000n)
    const after = await lookAt(sale.log, sale, 'bc1qseller', during.state)
    expect(after.report.agrees).toBe(true)

    const isOfTheHour = ({ address }: Record<string, unknown>) => address === 'bc1qthief'
    const cleaned = sale.log.rewritten((entries) => entries.filter((entry) => !isOfTheHour(entry)))
    const renamed = sale.log.rewritten((entries) =>
      entries.map((entry) => (isOfTheHour(entry) ? { ...entry, address: 'bc1qseller' } : entry)),
    )
    for (const rewritten of [cleaned, renamed])
      for (const { state } of [during, after])
        expect((await lookAt(rewritten, sale, 'bc1qseller', state)).report).toMatchObject({
          agrees: false,
          faults: expect.arrayContaining([
            expect.stringMatching(/rewritten.* the first that differs is entry 23\./),
          ]),
        })
  })

  test('is an entry that the rules refuse where another key gives the addresses of the same wallet', async () => {
    const sale = exampleSale()
    sale.say('wallet.announced', wallet)
    const state = await honestState(sale)
    sale.say('wallet.announced', { ...wallet, key: 'ef'.repeat(32), first: 10_000 })
    sale.say('wallet.announced', { ...wallet, first: 10_000 })
    const { report } = await look(sale.log, sale.campaign(), state)
    expect(report).toMatchObject({ agrees: false, wrongEntriesCount: 1 })
    expect(report.wrongEntries[0]?.message).toMatch(/had as family, script, net, key/)
  })
})

describe('a receipt', () => {
  const keyOf = (log: LogWriter) => parseVerifierKey(sha256, log.key.vkey)

  test('proves its entry, and that today’s log still holds it', async () => {
    const { log, site } = (() => {
      const sale = longSale(700)
      return {
        log: sale.log,
        site: serve(
          () => sale.log,
          () => sale.campaign(),
        ).site,
      }
    })()
    for (const [index, size] of [
      [1, 17],
      [0, 1],
      [255, 256],
      [600, 601],
      [700, log.entries.length],
    ] as const) {
      const found = await checkProof(sha256, log.proof(index, size), keyOf(log))
      expect(found).toMatchObject({ index, entry: log.entries[index]?.toString(), checkpoint: { size } })
      expect(await checkStillThere(site, sha256, keyOf(log), found.checkpoint)).toMatchObject({
        size: log.entries.length,
      })
    }
  })

  test('is refused in every other form', async () => {
    const { log } = exampleSale()
    const proof = log.proof(2, 18)
    const other = `extra ${log.entries[3]?.toString('base64')}`
    for (const [text, reason] of [
      [proof.replace('v1', 'v2'), /no proof/],
      [proof.replace('index 2', 'index 3'), /is not number 3/],
      [proof.replace('index 2', 'index 18'), /is not number 18/],
      [proof.replace('index 2', 'index 02'), /no index/],
      [proof.replace(/extra .*/, other), /is not number 2/],
      [proof.replace(/extra .*\n/, ''), /does not hold its entry/],
      [proof.replace(/(index 2\n).*\n/, '$1'), /is not number 2/],
      [proof.replace(/(index 2\n)/, '$1AAAA\n'), /no hash/],
      [proof.replace('\n18\n', '\n19\n'), /signature .* is wrong/],
      [proof.slice(0, proof.indexOf('\n\n')), /no proof/],
    ] as const) {
      await expect(checkProof(sha256, text, keyOf(log))).rejects.toThrow(reason)
    }
    const stranger = parseVerifierKey(sha256, makeKey(log.origin).vkey)
    await expect(checkProof(sha256, proof, stranger)).rejects.toThrow(/not signed by/)
  })

  test('is evidence against a log that was rewritten after it', async () => {
    const sale = longSale(300)
    const { checkpoint } = await checkProof(sha256, sale.log.proof(5, 200), keyOf(sale.log))
    for (const change of [
      (entries: Entries) => entries.with(5, { ...entries[5], reason: 'another' }),
      (entries: Entries) => entries.slice(0, 100),
    ]) {
      const rewritten = sale.log.rewritten(change)
      const { site } = serve(
        () => rewritten,
        () => sale.campaign(),
      )
      await expect(checkStillThere(site, sha256, keyOf(sale.log), checkpoint)).rejects.toThrow(
        /does not begin with/,
      )
    }
  })
})
