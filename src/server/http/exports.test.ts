import { describe, expect, it } from 'vitest'
import { quietUnits } from '../../../test/support/actions.ts'
import { addBuyer, buy, openSale } from '../../../test/support/campaign.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { addOperator, addUser, headerServer } from '../../../test/support/header-server.ts'
import { peopleOf, testSecrets } from '../../../test/support/people.ts'
import { statement } from '../../../test/support/statement.ts'
import { logAccess } from '../access-log/access-log.ts'
import { Audit } from '../audit/audit.ts'
import type { Database } from '../database/database.ts'
import { Exports } from '../exports/exports.ts'
import type { OperatorActor } from '../unit-of-work/unit-of-work.ts'
import { mountAudit } from './audit.ts'
import { mountExports } from './exports.ts'
import { mountOperators } from './operators.ts'

const { db } = await createTestDatabase()
const exports = new Exports({ db, secrets: testSecrets })
const app = headerServer(db, (server) => {
  mountExports(server, exports, quietUnits(db))
  mountAudit(server, new Audit({ db }))
})
const ids = {
  owner: await addOperator(db, 'owner', 'owner'),
  finance: await addOperator(db, 'finance', 'finance'),
  content: await addOperator(db, 'content', 'content'),
  support: await addOperator(db, 'support', 'support'),
}
const as = (role: keyof typeof ids) => ({ 'x-operator': `${ids[role]}:${role}` })
const csv = async (path: string, role: keyof typeof ids = 'owner') => {
  const response = await app.inject({ url: `/api/v1/operator/exports/${path}`, headers: as(role) })
  return { status: response.statusCode, headers: response.headers, lines: response.body.split('\r\n') }
}
const ADD_ENTRIES = statement(
  'test_audit_entries',
  `insert into audit_log (operator_id, action, subject_type, subject_id, after)
   select $1, $2, 'test', n::text, jsonb_build_object('n', n) from generate_series(1, $3::integer) n`,
)

describe('CSV', () => {
  it('of users makes what a buyer typed harmless', async () => {
    await addUser(db, 'eve@example.org', '=cmd|"/c calc"!A1')
    await addUser(db, 'bob@example.org', '+7,"x"\r\n=1')
    const { headers, lines } = await csv('users.csv')
    expect(headers['content-disposition']).toMatch(/^attachment; filename="users-\d{4}-\d\d-\d\d\.csv"/)
    expect(lines[0]).toMatch(/^\ufeffid,reference,name,email/)
    const text = lines.join('\r\n')
    expect(text).toContain(`"'=cmd|""/c calc""!A1",eve@example.org`)
    expect(text).toContain(`"'+7,""x""\r\n'=1",bob@example.org`)
    expect((await csv('users.csv?search=Eve@')).lines.slice(1)).toEqual([expect.stringContaining('eve@'), ''])
    const until = 'users.csv?to=2020-01-01T00:00:00Z'
    expect((await csv(until)).lines.slice(1)).toEqual([''])
    expect((await csv(`${until.replace('to', 'from')}&search=eve@`)).lines).toHaveLength(3)
  })

  it('of transactions takes the filters of the list', async () => {
    const sale = await openSale(db)
    const buyer = await addBuyer(db)
    const approved = await buy(sale, buyer, '40')
    const open = await buy(sale, buyer, '200')
    await sale.ledger.approve(String(approved.number), { operatorId: ids.owner })
    const numbers = (lines: string[]) => lines.slice(1, -1).map((line) => Number(line.split(',')[0]))
    expect(numbers((await csv('transactions.csv')).lines)).toEqual([open.number, approved.number])
    expect(numbers((await csv('transactions.csv?status=pending')).lines)).toEqual([open.number])
    expect(numbers((await csv(`transactions.csv?search=${approved.token}`)).lines)).toEqual([approved.number])
    expect(numbers((await csv('approved-transactions.csv')).lines)).toEqual([approved.number])
    const filter = 'view=waiting&usdMin=500&from=2020-01-01T00:00:00Z'
    expect(numbers((await csv(`transactions.csv?${filter}`)).lines)).toEqual([open.number])
    expect((await csv('transactions.csv?status=nonsense')).status).toBe(422)
  })

  it('is for roles that may read the list itself, and leaves its trace in the log', async () => {
    expect((await app.inject({ url: '/api/v1/operator/exports/users.csv' })).statusCode).toBe(401)
    expect((await csv('users.csv', 'content')).status).toBe(403)
    expect((await csv('audit.csv', 'support')).status).toBe(403)
    expect((await csv('transactions.csv', 'support')).status).toBe(200)
    const log = await app.inject({
      url: '/api/v1/operator/audit?action=export.download',
      headers: as('owner'),
    })
    expect(log.json().items[0]).toMatchObject({ operator: { login: 'support' }, subjectId: 'transactions' })
  })

  it('streams a long table in pieces and lets go of one that nobody reads on', async () => {
    await db.query(ADD_ENTRIES, [ids.owner, 'test.many', 20_000])
    const filter = { action: 'test.many' }
    const reader = { operatorId: ids.owner, role: 'owner' } as const
    let pieces = 0
    let lines = 0
    for await (const piece of exports.audit(reader, filter)) {
      pieces += 1
      lines += piece.split('\r\n').length - 1
    }
    expect([pieces, lines]).toEqual([21, 20_001])

    const open = [exports.audit(reader, filter), exports.audit(reader, filter), exports.audit(reader, filter)]
    await Promise.all(open.map((generator) => generator.next()))
    await expect(exports.users().next()).rejects.toMatchObject({ code: 'busy_exporting' })
    await Promise.all(open.map((generator) => generator.return(undefined)))
    expect((await exports.users().next()).done).toBe(false)
  })
})

describe('the audit log', () => {
  const list = async (query: string, role: keyof typeof ids = 'owner') =>
    (await app.inject({ url: `/api/v1/operator/audit?${query}`, headers: as(role) })).json()

  it('pages by cursor while entries arrive', async () => {
    await db.query(ADD_ENTRIES, [ids.finance, 'test.page', 25])
    const seen: string[] = []
    let after = ''
    do {
      const page = await list(`action=test.page&limit=10${after && `&after=${after}`}`)
      seen.push(...page.items.map((item: { subjectId: string }) => item.subjectId))
      await db.query(ADD_ENTRIES, [ids.finance, 'test.page', 1])
      after = page.next
    } while (after)
    expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => String(25 - n)))
  })

  it('filters by operator, first part of the action, subject and time', async () => {
    expect((await list('action=test&limit=100')).items.length).toBe(100)
    expect((await list('action=tes')).items).toEqual([])
    expect(
      (await list(`operator=${ids.support}`)).items.every(
        (item: { action: string }) => item.action === 'export.download',
      ),
    ).toBe(true)
    expect((await list('action=test.page&subjectType=test&subjectId=7')).items).toHaveLength(1)
    expect((await list('until=2020-01-01T00:00:00Z')).items).toEqual([])
    expect((await list('action=%25%27')).error.code).toBe('invalid_input')
  })

  it('shows finance its own entries and those about money, and others nothing', async () => {
    await db.query(ADD_ENTRIES, [ids.owner, 'operator.add', 3])
    await db.query(ADD_ENTRIES, [ids.owner, 'price.change', 3])
    const { items } = await list('limit=100', 'finance')
    const actions = new Set(items.map((item: { action: string }) => item.action))
    expect(actions.has('price.change')).toBe(true)
    expect(actions.has('test.page')).toBe(true)
    expect(actions.has('operator.add') || actions.has('test.many')).toBe(false)
    const exported = await csv('audit.csv', 'finance')
    expect(exported.lines.some((line) => line.includes('operator.add'))).toBe(false)
    expect(exported.lines.some((line) => line.includes('price.change'))).toBe(true)
    expect((await list('', 'support')).error.code).toBe('not_for_your_role')
    const choices = await app.inject({ url: '/api/v1/operator/audit/choices', headers: as('finance') })
    expect(choices.json().operators).toEqual([{ id: ids.finance, login: 'finance' }])
    expect(choices.json().actions).not.toContain('operator.add')
  })

  it('can be changed by nobody [RIGHT-23]', async () => {
    for (const text of [
      'update audit_log set action = $1',
      'delete from audit_log where action <> $1',
      'truncate audit_log',
    ])
      await expect(
        db.query(
          statement(`test_tamper_${text.slice(0, 6)}`, text),
          text.startsWith('truncate') ? [] : ['x'],
        ),
      ).rejects.toThrow('append-only')
  })
})

describe('reading what is kept about a buyer', () => {
  const { operators } = peopleOf(db)
  /** A process of its own: what it has noted before is not known to it. */
  const newProcess = (one: Database['one'] = (...given) => db.one(...given)) => {
    const pages = headerServer({ one, query: (...given) => db.query(...given) } as Database, (server) =>
      mountOperators(server, {
        operators,
        accounts: { listSessions: async () => ({ items: [], total: 0 }) },
      }),
    )
    return async (userId: string, page: 'notes' | 'sessions', role: keyof typeof ids = 'support') =>
      (await pages.inject({ url: `/api/v1/operator/users/${userId}/${page}`, headers: as(role) })).statusCode
  }
  const ACCESSES = statement(
    'test_readings',
    `select o.login, a.subject_type, a.before, a.after, a.request_id is not null as "isTraced"
       from audit_log a join users u on u.reference = a.subject_id join operators o on o.id = a.operator_id
      where a.action = 'user.read' and u.id = $1 order by a.id`,
  )
  const accessLogOf = (userId: string) => db.query<{ login: string; after: unknown }>(ACCESSES, [userId])
  const actor = (more: Partial<OperatorActor> = {}) =>
    ({ operatorId: ids.support, sessionId: '1', requestId: 'r', ...more }) as OperatorActor

  it('is in the log once an hour for each reader and person, whatever process shows it [RIGHT-24]', async () => {
    const [ann, ben] = [await addBuyer(db), await addBuyer(db)]
    const [read, readElsewhere] = [newProcess(), newProcess()]
    const all = await Promise.all([read(ann, 'notes'), read(ann, 'sessions'), readElsewhere(ann, 'notes')])
    expect(all).toEqual([200, 200, 200])
    const entry = { subject_type: 'user', before: null, after: null, isTraced: true }
    expect(await accessLogOf(ann)).toEqual([{ login: 'support', ...entry }])
    await read(ann, 'notes', 'finance')
    await read(ben, 'notes')
    expect(await accessLogOf(ann)).toEqual([
      { login: 'support', ...entry },
      { login: 'finance', ...entry },
    ])
    expect(await accessLogOf(ben)).toEqual([{ login: 'support', ...entry }])
  })

  it('is there again in the next hour', async () => {
    const ann = await addBuyer(db)
    const before = statement(
      'test_earlier_reading',
      `insert into audit_log (at, operator_id, action, subject_type, subject_id)
       select now() - interval '1 hour', $1, 'user.read', 'user', reference from users where id = $2`,
    )
    await db.query(before, [ids.support, ann])
    const left = await logAccess(db, actor(), { userId: ann })
    expect(await accessLogOf(ann)).toHaveLength(2)
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThanOrEqual(3600)
  })

  it('by a key is apart from its operator’s own, and by an order is that of its buyer', async () => {
    const sale = await openSale(db)
    const ann = await addBuyer(db)
    const { number } = await buy(sale, ann, '40')
    const key = actor({ scopes: ['orders:read'], sessionId: 'key:7' })
    for (const reader of [actor(), key, actor(), key]) {
      await logAccess(db, reader, { orderId: String(number) })
      await logAccess(db, reader, { userId: ann })
    }
    expect((await accessLogOf(ann)).map(({ after }) => after)).toEqual([null, { key: 'key:7' }])
  })

  it('again costs no statement, and nobody at all leaves no entry', async () => {
    const ann = await addBuyer(db)
    let statements = 0
    const read = newProcess((...given) => {
      statements += 1
      return db.one(...given)
    })
    for (let time = 0; time < 3; time += 1) expect(await read(ann, 'notes')).toBe(200)
    expect(statements).toBe(1)
    const countOf = statement('test_readings_count', "select 1 from audit_log where action = 'user.read'")
    const known = await db.query(countOf)
    for (let time = 0; time < 2; time += 1) await read('999999', 'notes')
    // A number that nobody has is not remembered: somebody may have it in a moment.
    expect(statements).toBe(3)
    expect(await db.query(countOf)).toHaveLength(known.length)
  })

  it('is refused where it can’t be noted, and to who may not read without a note [RIGHT-24]', async () => {
    const ann = await addBuyer(db)
    const read = newProcess(() => Promise.reject(new Error('the disk is full')))
    expect(await read(ann, 'notes')).toBe(500)
    expect(await newProcess()(ann, 'notes', 'content')).toBe(403)
    expect(await accessLogOf(ann)).toEqual([])
    expect(await newProcess()(ann, 'notes')).toBe(200)
  })
})
