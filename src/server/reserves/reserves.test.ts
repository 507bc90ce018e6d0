import { expect, test } from 'vitest'
import { withPaperChain } from '../../../test/chains/paper-chain.ts'
import { buy } from '../../../test/support/campaign.ts'
import { writeJournal } from '../../../test/support/journal.ts'
import { slowness } from '../../../test/support/patience.ts'
import { hourlyRules } from '../commands/rules.ts'
import { openDatabase, sql } from '../database/database.ts'
import { type BrokenRule, checkInSnapshot } from '../ledger/check.ts'
import { runLedgerCheck } from '../ledger/ledger-check.ts'
import { readReserves } from './reserves.ts'

test('what is owed stands beside the coins that lie at watched addresses, red once they are less, and unknown where nobody can know [LOG-19]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const of = async (key: string) => {
      const { rows, ...whole } = await readReserves(sale.db)
      return { ...rows.find((row) => row.key === key), isShort: whole.isShort }
    }
    const order = await sale.order('LTC', '40')
    await sale.reject(order)
    await chain.pay(order, '2')
    await chain.mine(6)
    await sale.sql(
      'block_read',
      "insert into chain_blocks (chain, height, hash, parent, mined_at) select name, height, 'aa', 'bb', now() from chains where name = 'litecoin'",
      [],
    )
    const covered = { owed: '2', there: '2', state: 'covered', why: null, isShort: false }
    expect(await of('refunds/LTC')).toMatchObject({
      ...covered,
      since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      height: expect.any(Number),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
    expect(await of('refunds/BTC')).toMatchObject({
      since: null,
      there: null,
      state: 'unknown',
      why: 'manual',
      height: null,
    })
    expect(await of('undelivered')).toMatchObject({ there: null, state: 'unknown', why: 'no_contract' })

    const aged = (name: string, to: string) =>
      sale.sql(name, `update chain_blocks set mined_at = now() - interval '${to}' where hash = 'aa'`, [])
    await aged('node_is_silent', '181 minutes')
    expect(await of('refunds/LTC')).toMatchObject({ there: null, state: 'unknown', why: 'stale', owed: '2' })
    await aged('node_speaks', '1 minute')

    await sale.sql(
      'coins_left',
      "update payments set spent_by = 'elsewhere', spent_height = block_height",
      [],
    )
    expect(await of('refunds/LTC')).toMatchObject({ owed: '2', there: '0', state: 'short', isShort: true })

    await sale.sql('nobody_looks', "update chains set height = null where name = 'litecoin'", [])
    expect(await of('refunds/LTC')).toMatchObject({
      there: null,
      state: 'unknown',
      why: 'no_look',
      isShort: false,
    })
  }))

test('a rule that can’t be asked is unknown, and the rules after it are asked all the same [LOG-25]', () =>
  withPaperChain(async ({ sale }) => {
    const rules = [
      { name: 'no_cast', says: 'All is a number.', sql: "select 'no number'::numeric as id" },
      { name: 'no_table', says: 'Nothing is missing.', sql: 'select id from never_made' },
      { name: 'falls', says: 'Nothing is so.', sql: 'select 17 as posting_id' },
      { name: 'holds', says: 'Nothing is otherwise.', sql: 'select 1 as id where false' },
    ]
    const said: string[] = []
    const ends = ({ rule, fault }: BrokenRule) => void said.push(`${rule.name}: ${fault ?? 'asked'}`)
    const unproved = await checkInSnapshot(sale.db, rules, { ends })
    expect(unproved.map(({ rule, rows }) => [rule.name, rows.length])).toEqual([
      ['no_cast', 0],
      ['no_table', 0],
      ['falls', 1],
    ])
    expect(said).toEqual([
      'no_cast: invalid input syntax for type numeric: "no number"',
      'no_table: relation "never_made" does not exist',
      'falls: asked',
      'holds: asked',
    ])
    // The hourly check records its results, and fails, so that operators learn of the rest.
    await expect(runLedgerCheck(sale.db, rules)).rejects.toThrow('no_table (relation')
    const { ledgerCheck, isBroken } = await readReserves(sale.db)
    expect(isBroken).toBe(true)
    expect(ledgerCheck?.unasked.map(({ rule }) => rule)).toEqual(['no_cast', 'no_table'])
    expect(ledgerCheck?.broken.map(({ rule }) => rule)).toEqual(['falls'])
    await runLedgerCheck(sale.db, hourlyRules)
    expect(await readReserves(sale.db)).toMatchObject({ ledgerCheck: { broken: [], unasked: [] } })
  }))

test('a rule may take longer than a page, and whoever stops the server does not wait for it', () =>
  withPaperChain(async ({ sale }) => {
    const slow = (seconds: number) => [
      { name: 'slow', says: 'It takes long.', sql: `select 1 as id where pg_sleep(${seconds}) is null` },
    ]
    const short = openDatabase({ url: sale.db.url, statementTimeoutMs: 300 })
    try {
      await expect(short.query(sql`select pg_sleep(1)`)).rejects.toThrow('statement timeout')
      await runLedgerCheck(short, slow(1))
      expect((await readReserves(sale.db)).ledgerCheck?.unasked).toEqual([])
      const { ledgerCheck } = await readReserves(sale.db)
      const startedAt = performance.now()
      await expect(runLedgerCheck(short, slow(60), AbortSignal.timeout(500))).rejects.toThrow()
      expect(performance.now() - startedAt).toBeLessThan(20_000 * slowness)
      expect((await readReserves(sale.db)).ledgerCheck).toEqual(ledgerCheck)
    } finally {
      await short.close()
    }
  }))

test('a row that a hand changed fails the ledger check, which names it and nothing of what stands in it [LOG-23]', () =>
  withPaperChain(async ({ sale }) => {
    const order = await buy(sale, sale.buyer, '200')
    await sale.ledger.approve(String(order.number), { operatorId: sale.operatorId })
    await writeJournal(sale.db)
    expect(await readReserves(sale.db)).toMatchObject({ ledgerCheck: null, isBroken: false })
    await runLedgerCheck(sale.db, hourlyRules)
    expect(await readReserves(sale.db)).toMatchObject({
      ledgerCheck: { broken: [], isOld: false },
      isBroken: false,
    })
    // Rules that could not be asked since keep their last answer, but never as one of now.
    await sale.sql('aged', "update ledger_checks set checked_at = checked_at - interval '121 minutes'", [])
    expect(await readReserves(sale.db)).toMatchObject({ ledgerCheck: { broken: [], isOld: true } })

    await sale.sql('open_entries', 'alter table entries disable trigger user', [])
    await sale.sql('raised', "update entries set amount = amount * 2 where account = 'buyer_purchased'", [])
    await runLedgerCheck(sale.db, hourlyRules)
    const { ledgerCheck, isBroken } = await readReserves(sale.db)
    expect(isBroken).toBe(true)
    const said = ledgerCheck?.broken.find(({ rule }) => rule === 'journal_says_what_was_booked')
    expect(said?.rows).toEqual([expect.stringMatching(/^journal_entry \d+, posting_id \d+$/)])
    await sale.sql('lowered', "update entries set amount = amount / 2 where account = 'buyer_purchased'", [])
  }))
