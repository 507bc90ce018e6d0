import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { actionsOf, currenciesOf, operatorActor, quietUnits } from '../../../test/support/actions.ts'
import { addBuyer, brokenRules, buy, openSale, type Sale } from '../../../test/support/campaign.ts'
import { makeTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { addOperator } from '../../../test/support/header-server.ts'
import { testKey, testSecrets } from '../../../test/support/secrets.ts'
import { statement } from '../../../test/support/statement.ts'
import { compare, multiply, roundTo } from '../../shared/money.ts'
import type { Currencies } from '../currencies/currencies.ts'
import { sql } from '../database/database.ts'
import { Ledger } from '../ledger/ledger.ts'
import { Refusal } from '../refusal.ts'
import { openInput, Secrets, type StoredText, storedInput } from '../secrets/secrets.ts'
import { type Actor, type OperatorActor, system } from '../unit-of-work/unit-of-work.ts'
import { Actions, type AnyAction } from './actions.ts'

const WANT_TWO = statement(
  'test_want_two',
  `update campaign set settings = jsonb_set(settings, '{secondOperator}', to_jsonb($1::boolean))`,
)
const BALANCE = statement('test_granted', 'select coalesce(sum(granted_tokens), 0) as granted from holdings')
const EXPIRE = statement(
  'test_expire_actions',
  `update approval_requests set expires_at = now() - interval '1 second'`,
)
const TOLD = statement(
  'test_told_of_actions',
  `select kind, payload from outbox where kind like 'approval%' order by id`,
)
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'

let database: TestDatabase
let sale: Sale
let currencies: Currencies
let actions: Actions
let all: Record<string, AnyAction>
let ann: OperatorActor
let ben: OperatorActor
let support: OperatorActor

beforeEach(async () => {
  database = await makeTestDatabase({ holds: 'demo' })
  sale = await openSale(database.db)
  currencies = currenciesOf(database.db)
  const ledger = new Ledger({ db: database.db, hintOutbox: () => {}, batching: false })
  all = { ...currencies.actions, ...ledger.actions, ...sale.campaign.actions }
  actions = actionsOf(database.db, all)
  ann = operatorActor(await addOperator(database.db, 'ann', 'finance'), 'finance')
  ben = operatorActor(await addOperator(database.db, 'ben', 'owner'), 'owner')
  support = operatorActor(await addOperator(database.db, 'sue', 'support'), 'support')
  await database.db.query(WANT_TWO, [true])
})
afterEach(() => database.close())

const execute = (name: string, actor: OperatorActor, input: unknown) =>
  actions.execute(all[name] as AnyAction, actor, input)
const confirm = (id: string, actor: OperatorActor) =>
  actions.execute(actions.pending.actions['approval.confirm'], actor, { id })
const refuse = (id: string, actor: OperatorActor) =>
  actions.execute(actions.pending.actions['approval.reject'], actor, { id })

const refusal = async (work: Promise<unknown>): Promise<Refusal> => {
  try {
    await work
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('nothing was refused')
}
const code = async (work: Promise<unknown>) => (await refusal(work)).code
/** What a guard kept: the id under which it waits. */
const kept = async (work: Promise<unknown>) => {
  const refused = await refusal(work)
  expect(refused.code).toBe('second_operator_required')
  return String(refused.details?.['approvalRequestId'])
}
const granted = async () => (await database.db.one<{ granted: string }>(BALANCE)).granted

describe('where one operator is enough', () => {
  it('the guards come back at once', async () => {
    await database.db.query(WANT_TWO, [false])
    const userId = await addBuyer(database.db)
    await execute('grant.add', ann, { userId, amount: '5', reason: '' })
    await execute('currency.evm-wallet', ann, { address: WALLET })
    const order = await buy(sale, userId, '40')
    await execute('order.approve', ann, { orderId: String(order.number) })
    expect((await actions.pending.list(ben, 'waiting')).items).toEqual([])
  })
})

describe('a grant', () => {
  it('waits, and happens once, in both names, when another operator confirms it [TWO-1]', async () => {
    const userId = await addBuyer(database.db)
    const grant = { userId, amount: '12.5', reason: 'prize' }
    const id = await kept(execute('grant.add', ann, grant))
    expect(await kept(execute('grant.add', ann, grant))).toBe(id)
    expect(await granted()).toBe('0')
    expect((await actions.pending.list(ann, 'waiting')).items).toMatchObject([
      { id, mayConfirm: false, mayRefuse: true },
    ])
    expect((await actions.pending.list(support, 'waiting')).items).toEqual([])

    // Asked twice, told once: owners by mail, operators on their stream.
    expect(await database.db.query(TOLD)).toEqual([{ kind: 'approval_waiting', payload: { action: id } }])

    expect(await code(confirm(id, ann))).toBe('approval_own')
    expect(await code(confirm(id, support))).toBe('not_for_your_role')
    expect(await code(confirm(id, { ...ben, scopes: ['grants:write'] }))).toBe('not_for_your_role')
    expect(await code(confirm('999', ben))).toBe('not_found')

    const racers = await Promise.allSettled(Array.from({ length: 8 }, () => confirm(id, ben)))
    expect(racers.filter((racer) => racer.status === 'fulfilled')).toHaveLength(1)
    for (const racer of racers)
      if (racer.status === 'rejected') expect(racer.reason.code).toBe('approval_decided')
    expect(await granted()).toBe('12.500000')
    expect(await database.db.query(TOLD)).toEqual([
      { kind: 'approval_waiting', payload: { action: id } },
      { kind: 'approval_decided', payload: { action: id } },
    ])
    expect(await brokenRules(database.db)).toEqual([])
    expect((await actions.pending.list(ann, 'confirmed')).items).toMatchObject([
      { id, requestedBy: { login: 'ann' }, decidedBy: { login: 'ben' }, mayConfirm: false },
    ])
    const log = await database.db.query(
      statement(
        'test_approvals_log',
        'select a.action, o.login from audit_log a join operators o on o.id = a.operator_id order by a.id',
      ),
    )
    expect(log).toEqual([
      { action: 'approval.request', login: 'ann' },
      { action: 'grant.add', login: 'ann' },
      { action: 'approval.confirm', login: 'ben' },
    ])
  })

  it('never happens once it is refused, withdrawn or too old [TWO-20]', async () => {
    const userId = await addBuyer(database.db)
    const ask = (amount: string) => kept(execute('grant.add', ann, { userId, amount, reason: '' }))
    const [refused, withdrawn, old] = [await ask('1'), await ask('2'), await ask('3')]
    await refuse(refused, ben)
    expect(await code(confirm(refused, ben))).toBe('approval_decided')
    await refuse(withdrawn, ann)
    await database.db.query(EXPIRE)
    expect(await code(confirm(old, ben))).toBe('approval_expired')
    expect((await actions.pending.list(ben, 'expired')).items.map((action) => action.id)).toEqual([old])
    expect(await actions.pending.waiting()).toEqual([])
    expect(await granted()).toBe('0')
  })

  it('is taken back by two as well, once [TWO-2]', async () => {
    const userId = await addBuyer(database.db)
    await database.db.query(WANT_TWO, [false])
    const postingId = await execute('grant.add', ann, { userId, amount: '5', reason: '' })
    await database.db.query(WANT_TWO, [true])
    const id = await kept(execute('grant.reverse', ann, { postingId }))
    expect(await granted()).toBe('5.000000')
    expect((await actions.pending.list(ben, 'waiting')).items).toMatchObject([
      { id, kind: 'grant.reverse', summary: { amount: '5' } },
    ])
    await confirm(id, ben)
    expect(await granted()).toBe('0.000000')
    expect(await code(execute('grant.reverse', ann, { postingId }))).toBe('already_reversed')
    expect(await code(execute('grant.reverse', ann, { postingId: '999' }))).toBe('grant_unknown')
  })

  it('that could never be confirmed is refused at once, by its own code [TWO-10]', async () => {
    const userId = await addBuyer(database.db)
    const grant = { userId, amount: '100000001', reason: '' }
    expect(await code(execute('grant.add', ann, grant))).toBe('supply_reached')
    expect((await actions.pending.list(ben, 'waiting')).items).toEqual([])
  })
})

describe('a receiving wallet', () => {
  it('changes when another operator confirms it, and only what was changed on purpose [TWO-4]', async () => {
    const { revision, rate, fullName } = await currencies.find('USDT')
    const change = [{ code: 'usdt', revision, rate, fullName, address: WALLET }]
    const id = await kept(execute('currency.update', ann, change))
    const moved = roundTo(multiply(rate, '1.05'), 6)
    await execute('currency.update', ben, [{ code: 'USDT', rate: moved }])
    await confirm(id, ben)
    const { address, rate: now } = await currencies.find('USDT')
    expect([address, compare(now, moved)]).toEqual([WALLET, 0])
  })

  it('is not replaced where it is no longer the one that the second operator saw [TWO-20]', async () => {
    const change = [{ code: 'USDT', address: WALLET }]
    const id = await kept(execute('currency.update', ann, change))
    const other = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
    await database.db.query(
      statement('test_move_wallet', `update currencies set address = $1 where code = 'USDT'`),
      [other],
    )
    expect(await code(confirm(id, ben))).toBe('conflict')
    expect((await currencies.find('USDT')).address).toBe(other)
    expect((await actions.pending.list(ben, 'waiting')).items).toHaveLength(1)
  })

  it('of all ERC-20 currencies, and of a new one, wait alike [WALLET-6, TWO-4]', async () => {
    const evm = await kept(execute('currency.evm-wallet', ann, { address: WALLET }))
    await confirm(evm, ben)
    expect((await currencies.find('LINK')).address).toBe(WALLET)
    const input = {
      code: 'PEPE',
      fullName: 'Pepe',
      rate: '0.001',
      address: WALLET,
      network: 'ethereum',
      tokenContract: '0x6982508145454Ce325dDbE47a25d4ec3d2311933',
    } as const
    const added = await kept(execute('currency.add', ann, input))
    const [shown] = (await actions.pending.list(ben, 'waiting')).items
    const { address, network, tokenContract: contract, rate } = input
    expect(shown?.summary).toMatchObject({ currency: 'PEPE', address, network, contract, rate })
    expect(await code(currencies.find('PEPE'))).toBe('currency_unknown')
    await confirm(added, ben)
    expect((await currencies.find('PEPE')).address).toBe(WALLET)
  })

  it('is never kept where it is a private key or no address [TWO-10]', async () => {
    const key = '0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318'
    for (const [address, refused] of [
      [key, 'private_key_refused'],
      ['0x1234567', 'address_invalid'],
    ] as const)
      expect(await code(execute('currency.evm-wallet', ann, { address }))).toBe(refused)
    const stored = await database.db.one<{ count: string }>(
      statement('test_kept', 'select count(*) from approval_requests'),
    )
    expect(stored.count).toBe('0')
  })
})

describe('what waits', () => {
  it('is refused before it is executed where what it is about is not there yet', async () => {
    const reached = async () => Promise.reject(new Error('executed by one operator'))
    const asked: [name: string, input: object, code: string][] = [
      ['order.approve', { orderId: '999999' }, 'order_unknown'],
      ['grant.add', { userId: '999999', amount: '1', reason: '' }, 'user_unknown'],
      ['grant.reverse', { postingId: '999999' }, 'grant_unknown'],
    ]
    for (const [name, input, refused] of asked) {
      const known = { ...(all[name] as AnyAction), execute: reached, executeAlone: reached }
      expect(await code(actions.execute(known, ann, input))).toBe(refused)
    }
  })

  it('is sealed, and kept once under an older key too; where no known key opens it, it is over [RIGHT-16]', async () => {
    const newer = new Secrets({ keys: ['a newer key of thirty-two letters', testKey] })
    const lost = new Secrets({ keys: ['another key of thirty-two letters'] })
    const under = (secrets: Secrets) =>
      new Actions({
        db: database.db,
        units: quietUnits(database.db),
        secrets,
        publicUrl: 'http://localhost',
        all: all as never,
      })
    const ask = (of: Actions) => of.execute(all['currency.evm-wallet'] as AnyAction, ann, { address: WALLET })
    const id = await kept(ask(actions))
    expect(await kept(ask(under(newer)))).toBe(id)
    const { payload } = await database.db.one<{ payload: string }>(
      sql`select payload::text as payload from approval_requests where id = ${id}`,
    )
    expect(payload).not.toContain(WALLET)
    const answer = (of: Actions) => of.execute(of.pending.actions['approval.confirm'], ben, { id })
    expect(await code(answer(under(lost)))).toBe('approval_expired')
    await answer(under(newer))
    expect(await code(answer(actions))).toBe('approval_decided')
  })

  it('is what was sealed, whatever clear input somebody writes beside it [RIGHT-17]', async () => {
    const id = await kept(execute('currency.evm-wallet', ann, { address: WALLET }))
    const input = JSON.stringify({ address: '0x8617E340B3D01FA5F11F306F4090FD50E238070D' })
    await database.db.query(
      sql`update approval_requests set payload = payload || jsonb_build_object('input', ${input}::jsonb) where id = ${id}`,
    )
    await confirm(id, ben)
    expect((await currencies.find('LINK')).address).toBe(WALLET)
  })

  it('of the version before is confirmed as it was kept', async () => {
    const id = await kept(execute('currency.evm-wallet', ann, { address: WALLET }))
    const row = await database.db.one<{ id: string; input: StoredText }>(
      sql`select p.id, ${storedInput} as input from approval_requests p where id = ${id}`,
    )
    const payload = `{"input": ${openInput(testSecrets, row)}}`
    await database.db.query(sql`update approval_requests set payload = ${payload} where id = ${id}`)
    await confirm(id, ben)
    expect((await currencies.find('LINK')).address).toBe(WALLET)
  })
})

describe('asking for two operators no longer', () => {
  it('takes another owner where there is one, and is dated in public [TWO-9]', async () => {
    await execute('campaign.one-operator', ben, {})
    await database.db.query(WANT_TWO, [true])
    await database.db.query(
      statement(
        'test_more_owners',
        `update operators set role = 'owner', password_hash = 'x' where login = 'ann'`,
      ),
    )
    const id = await kept(execute('campaign.one-operator', ben, {}))
    await confirm(id, { ...ann, role: 'owner' })
    const { settings } = await database.db.one<{ settings: { secondOperator: boolean } }>(
      statement('test_two_settings', 'select settings from campaign'),
    )
    expect(settings.secondOperator).toBe(false)
    const changes = await database.db.query(
      statement('test_two_changes', 'select setting, before, after from campaign_changes'),
    )
    const change = { setting: 'secondOperator', before: true, after: false }
    expect(changes).toEqual([change, change])
  })
})

describe('an approval', () => {
  it('without a payment waits; the order is credited once by the confirmation [TWO-2]', async () => {
    const order = await buy(sale, await addBuyer(database.db), '40')
    const id = await kept(
      execute('order.approve', ann, { orderId: String(order.number), reason: 'bank slip' }),
    )
    const [action] = (await actions.pending.list(ben, 'waiting')).items
    expect(action?.summary).toMatchObject({
      order: `#${order.number}`,
      amount: '180.000000 USDT',
      usd: '180.00',
    })
    await confirm(id, ben)
    const { status } = await database.db.one<{ status: string }>(
      statement('test_status', 'select status from orders'),
    )
    expect(status).toBe('approved')
    expect(await brokenRules(database.db)).toEqual([])
  })

  it('is not made by one operator who rejects the order between the question whether it waits and the approval [TWO-2]', async () => {
    const order = await buy(sale, await addBuyer(database.db), '40')
    const orderId = String(order.number)
    const approve = all['order.approve'] as AnyAction
    const approveWhileRejecting = (seen?: 'rejected') => {
      const executeAlone = async (actor: Actor, input: unknown) => {
        await actions.execute(all['order.reject'] as AnyAction, system, { orderId })
        return approve.executeAlone?.(actor, input)
      }
      return code(actions.execute({ ...approve, executeAlone }, ann, { orderId, seen }))
    }
    expect(await approveWhileRejecting('rejected')).toBe('order_changed')
    const id = await kept(execute('order.approve', ann, { orderId }))
    await confirm(id, ben)
    expect(await approveWhileRejecting()).toBe('order_changed')
    expect(await code(execute('order.approve', ann, { orderId }))).toBe('order_state')
  })
})

describe('what waits', () => {
  it('dies with the rights of who asked for it [TWO-20]', async () => {
    const userId = await addBuyer(database.db)
    const id = await kept(execute('grant.add', ann, { userId, amount: '1', reason: '' }))
    await database.db.query(statement('test_demote', `update operators set role = 'support' where id = $1`), [
      ann.operatorId,
    ])
    expect(await code(confirm(id, ben))).toBe('approval_expired')
    expect(await granted()).toBe('0')
  })

  it('is done once for one idempotency key, also where the request comes again after the confirmation', async () => {
    const userId = await addBuyer(database.db)
    const asking = { ...ann, once: { key: 'one', hash: Buffer.from('body') } }
    const grant = { userId, amount: '7', reason: '' }
    const id = await kept(execute('grant.add', asking, grant))
    await confirm(id, ben)
    const posting = await execute('grant.add', asking, grant)
    expect(posting).toMatch(/^\d+$/)
    expect((await actions.pending.list(ben, 'waiting')).items).toEqual([])
    expect(await granted()).toBe('7.000000')
  })
})

describe('who asks', () => {
  it('has the right, a fresh login where it is asked for, and is no key of an integration for own matters [RIGHT-2]', async () => {
    const wallet = { address: WALLET }
    expect(await code(execute('currency.evm-wallet', support, wallet))).toBe('not_for_your_role')
    const stale = { ...ann, authenticatedAt: new Date(Date.now() - 16 * 60_000) }
    expect(await code(execute('currency.evm-wallet', stale, wallet))).toBe('step_up_required')
    expect(await code(execute('currency.pause', { ...ann, scopes: ['orders:decide'] }, {}))).toBe(
      'not_for_your_role',
    )
  })
})
