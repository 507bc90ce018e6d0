import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addBuyer, brokenRules, buy, openSale, type Sale } from '../../../test/support/campaign.ts'
import { makeTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { addOperator } from '../../../test/support/header-server.ts'
import { type Currencies, createCurrencies } from '../currencies/currencies.ts'
import { statement } from '../database/database.ts'
import { Refusal } from '../refusal.ts'
import { type Approvals, createApprovals, type Decider } from './approvals.ts'

const WANT_TWO = statement(
  'test_want_two',
  `update campaign set settings = jsonb_set(settings, '{secondOperator}', to_jsonb($1::boolean))`,
)
const BALANCE = statement('test_granted', 'select coalesce(sum(granted_tokens), 0) as granted from holdings')
const EXPIRE = statement(
  'test_expire_actions',
  `update pending_actions set expires_at = now() - interval '1 second'`,
)
const TOLD = statement(
  'test_told_of_actions',
  `select kind, payload from outbox where kind like 'action%' order by id`,
)
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'

let database: TestDatabase
let sale: Sale
let currencies: Currencies
let approvals: Approvals
let ann: Decider
let ben: Decider
let support: Decider

beforeEach(async () => {
  database = await makeTestDatabase({ holds: 'demo' })
  sale = await openSale(database.db)
  currencies = createCurrencies(database.db, () => {})
  approvals = createApprovals({ db: database.db, currencies, hintOutbox: () => {} })
  ann = { operatorId: await addOperator(database.db, 'ann', 'finance'), role: 'finance' }
  ben = { operatorId: await addOperator(database.db, 'ben', 'owner'), role: 'owner' }
  support = { operatorId: await addOperator(database.db, 'sue', 'support'), role: 'support' }
  await database.db.query(WANT_TWO, [true])
})
afterEach(() => database.close())

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
  return String(refused.details?.['pendingActionId'])
}
const granted = async () => (await database.db.one<{ granted: string }>(BALANCE)).granted

describe('where one operator is enough', () => {
  it('the guards come back at once', async () => {
    await database.db.query(WANT_TWO, [false])
    const userId = await addBuyer(database.db)
    await approvals.guardGrant({ userId, amount: '5', reason: '' }, ann.operatorId, 'r')
    await approvals.guardWallet({ kind: 'evm', address: WALLET }, ann.operatorId, 'r')
    const order = await buy(sale, userId, '40')
    await approvals.guardApproval(String(order.number), ann.operatorId, undefined, 'r')
    expect(await approvals.list(ben, 'waiting')).toEqual([])
  })
})

describe('a grant', () => {
  it('waits, and happens once, in both names, when another operator confirms it', async () => {
    const userId = await addBuyer(database.db)
    const grant = { userId, amount: '12.5', reason: 'prize' }
    const id = await kept(approvals.guardGrant(grant, ann.operatorId, 'r1'))
    expect(await kept(approvals.guardGrant(grant, ann.operatorId, 'r2'))).toBe(id)
    expect(await granted()).toBe('0')
    expect(await approvals.list(ann, 'waiting')).toMatchObject([{ id, mayConfirm: false, mayRefuse: true }])
    expect(await approvals.list(support, 'waiting')).toEqual([])

    // Asked twice, told once: owners by mail, operators on their stream.
    expect(await database.db.query(TOLD)).toEqual([{ kind: 'action_waiting', payload: { action: id } }])

    expect(await code(approvals.confirm(id, ann, 'r'))).toBe('action_own')
    expect(await code(approvals.confirm(id, support, 'r'))).toBe('not_for_your_role')
    expect(await code(approvals.confirm(id, { ...ben, isIntegration: true }, 'r'))).toBe('not_for_your_role')
    expect(await code(approvals.confirm('999', ben, 'r'))).toBe('not_found')

    const racers = await Promise.allSettled(Array.from({ length: 8 }, () => approvals.confirm(id, ben, 'r3')))
    expect(racers.filter((racer) => racer.status === 'fulfilled')).toHaveLength(1)
    for (const racer of racers)
      if (racer.status === 'rejected') expect(racer.reason.code).toBe('action_decided')
    expect(await granted()).toBe('12.500000')
    expect(await database.db.query(TOLD)).toEqual([
      { kind: 'action_waiting', payload: { action: id } },
      { kind: 'action_decided', payload: { action: id } },
    ])
    expect(await brokenRules(database.db)).toEqual([])
    expect(await approvals.list(ann, 'confirmed')).toMatchObject([
      { id, requestedBy: { login: 'ann' }, decidedBy: { login: 'ben' }, mayConfirm: false },
    ])
    const log = await database.db.query(
      statement(
        'test_approvals_log',
        'select a.action, o.login from audit_log a join operators o on o.id = a.operator_id order by a.id',
      ),
    )
    expect(log).toEqual([
      { action: 'action.request', login: 'ann' },
      { action: 'grant.add', login: 'ann' },
      { action: 'action.confirm', login: 'ben' },
    ])
  })

  it('never happens once it is refused, withdrawn or too old', async () => {
    const userId = await addBuyer(database.db)
    const ask = (amount: string) =>
      kept(approvals.guardGrant({ userId, amount, reason: '' }, ann.operatorId, 'r'))
    const [refused, withdrawn, old] = [await ask('1'), await ask('2'), await ask('3')]
    await approvals.refuse(refused, ben, 'r')
    expect(await code(approvals.confirm(refused, ben, 'r'))).toBe('action_decided')
    await approvals.refuse(withdrawn, ann, 'r')
    await database.db.query(EXPIRE)
    expect(await code(approvals.confirm(old, ben, 'r'))).toBe('action_expired')
    expect((await approvals.list(ben, 'expired')).map((action) => action.id)).toEqual([old])
    expect(await approvals.waiting()).toEqual([])
    expect(await granted()).toBe('0')
  })

  it('that could never be confirmed is refused at once, by its own code', async () => {
    const userId = await addBuyer(database.db)
    const grant = { userId, amount: '100000001', reason: '' }
    expect(await code(approvals.guardGrant(grant, ann.operatorId, 'r'))).toBe('supply_reached')
    expect(await approvals.list(ben, 'waiting')).toEqual([])
  })
})

describe('a receiving wallet', () => {
  it('changes when another operator confirms it, and only what was changed on purpose', async () => {
    const { revision, rate, fullName } = await currencies.find('USDT')
    const change = {
      kind: 'update',
      code: 'usdt',
      change: { revision, rate, fullName, address: WALLET },
    } as const
    const id = await kept(approvals.guardWallet(change, ann.operatorId, 'r'))
    await currencies.update('USDT', { rate: '0.5' }, { operatorId: ben.operatorId, requestId: 'r' })
    await approvals.confirm(id, ben, 'r')
    expect(await currencies.find('USDT')).toMatchObject({ address: WALLET, rate: '0.5' })
  })

  it('is not replaced where it is no longer the one that the second operator saw', async () => {
    const change = { kind: 'update', code: 'USDT', change: { address: WALLET } } as const
    const id = await kept(approvals.guardWallet(change, ann.operatorId, 'r'))
    const other = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
    await currencies.update('USDT', { address: other }, { operatorId: ben.operatorId, requestId: 'r' })
    expect(await code(approvals.confirm(id, ben, 'r'))).toBe('conflict')
    expect((await currencies.find('USDT')).address).toBe(other)
    expect(await approvals.list(ben, 'waiting')).toHaveLength(1)
  })

  it('of all ERC-20 currencies, and of a new one, wait alike', async () => {
    const evm = await kept(approvals.guardWallet({ kind: 'evm', address: WALLET }, ann.operatorId, 'r'))
    await approvals.confirm(evm, ben, 'r')
    expect((await currencies.find('LINK')).address).toBe(WALLET)
    const input = {
      code: 'PEPE',
      fullName: 'Pepe',
      rate: '0.001',
      address: WALLET,
      network: 'ethereum',
    } as const
    const added = await kept(approvals.guardWallet({ kind: 'add', input }, ann.operatorId, 'r'))
    expect(await code(currencies.find('PEPE'))).toBe('currency_unknown')
    await approvals.confirm(added, ben, 'r')
    expect((await currencies.find('PEPE')).address).toBe(WALLET)
  })

  it('is never kept where it is a private key or no address', async () => {
    const key = '0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318'
    for (const [address, refused] of [
      [key, 'private_key_refused'],
      ['0x1234567', 'address_invalid'],
    ] as const)
      expect(await code(approvals.guardWallet({ kind: 'evm', address }, ann.operatorId, 'r'))).toBe(refused)
    const stored = await database.db.one<{ count: string }>(
      statement('test_kept', 'select count(*) from pending_actions'),
    )
    expect(stored.count).toBe('0')
  })
})

describe('asking for two operators no longer', () => {
  it('takes another owner where there is one, and is dated in public', async () => {
    await approvals.guardOneOperator(ben.operatorId, 'r')
    await database.db.query(
      statement(
        'test_more_owners',
        `update operators set role = 'owner', password_hash = 'x' where login = 'ann'`,
      ),
    )
    const id = await kept(approvals.guardOneOperator(ben.operatorId, 'r'))
    await approvals.confirm(id, { ...ann, role: 'owner' }, 'r')
    const { settings } = await database.db.one<{ settings: { secondOperator: boolean } }>(
      statement('test_two_settings', 'select settings from campaign'),
    )
    expect(settings.secondOperator).toBe(false)
    const changes = await database.db.query(
      statement('test_two_changes', 'select setting, before, after from campaign_changes'),
    )
    expect(changes).toEqual([{ setting: 'secondOperator', before: true, after: false }])
  })
})

describe('an approval', () => {
  it('without a payment waits; the order is credited once by the confirmation', async () => {
    const order = await buy(sale, await addBuyer(database.db), '40')
    const id = await kept(approvals.guardApproval(String(order.number), ann.operatorId, 'bank slip', 'r'))
    const [action] = await approvals.list(ben, 'waiting')
    expect(action?.summary).toMatchObject({
      order: `#${order.number}`,
      amount: '180.000000 USDT',
      usd: '180.00',
    })
    await approvals.confirm(id, ben, 'r')
    const { status } = await database.db.one<{ status: string }>(
      statement('test_status', 'select status from orders'),
    )
    expect(status).toBe('approved')
    expect(await brokenRules(database.db)).toEqual([])
  })
})
