import { createHmac } from 'node:crypto'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { actionsOf, executorOf } from '../../../test/support/actions.ts'
import { addBuyer, buy, openSale } from '../../../test/support/campaign.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { addOperator, headerServer } from '../../../test/support/header-server.ts'
import { limitsOf } from '../../../test/support/people.ts'
import { newPushBrowser } from '../../../test/support/push.ts'
import { race } from '../../../test/support/race.ts'
import { statement } from '../../../test/support/statement.ts'
import { tlsCertificate, tlsKey, tlsName } from '../../../test/support/tls.ts'
import { sql } from '../database/database.ts'
import { mountIntegrations } from '../http/integrations.ts'
import { mountOperatorChannels } from '../http/operator-channels.ts'
import type { Mail } from '../mail/mail-kinds.ts'
import { isPublicAddress, publicAddressOf, reasonAgainstUrl } from '../outside/public-address.ts'
import { Push } from '../push/push.ts'
import { Secrets } from '../secrets/secrets.ts'
import { Integrations } from './integrations.ts'
import { sendMessage } from './send-message.ts'
import { type OutboxEvent, RETRY_SECONDS } from './webhooks.ts'

interface Got {
  headers: Record<string, string | string[] | undefined>
  body: string
  bytes: Buffer
}
const got: Got[] = []
let answer: { status: number; headers?: Record<string, string>; body?: string } = { status: 200 }
const receiver = createServer({ key: tlsKey, cert: tlsCertificate }, (request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const bytes = Buffer.concat(parts)
    got.push({ headers: request.headers, body: bytes.toString('utf8'), bytes })
    response.writeHead(answer.status, answer.headers)
    response.end(answer.body ?? 'ok')
  })
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
afterAll(() => new Promise<void>((resolve) => receiver.close(() => resolve())))
const url = `https://${tlsName}:${(receiver.address() as AddressInfo).port}/hook`
/** The test's own internet: one name, and this machine counts as public. */
const outside = {
  resolve: async () => [{ address: '127.0.0.1', family: 4 as const }],
  isPublic: () => true,
  ca: tlsCertificate,
}

const { db } = await createTestDatabase()
const mails: Mail[] = []
const secrets = new Secrets({ keys: ['k'.repeat(40)] })
const push = new Push({
  db,
  secrets,
  outside,
  services: [tlsName],
  limits: limitsOf(db, false),
  publicUrl: 'https://sale.example.org',
  log: { info: () => {} },
})
const integrations = new Integrations({
  db,
  secrets,
  browsers: push.sender,
  areaUrl: 'https://sale.example.org/operator',
  outside,
  sendMail: async (_tx, mail) => void mails.push(mail),
  tellOwners: async () => {},
})
const { actions, webhooks, apiKeys } = integrations
const ownerId = await addOperator(db, 'owner', 'owner')
const owner = { 'x-operator': `${ownerId}:owner` }
const execute = executorOf(db, actions, ownerId)
const app = headerServer(db, (server) => {
  mountIntegrations({ ...server, actions: actionsOf(db, actions) }, integrations)
  mountOperatorChannels({ ...server, actions: actionsOf(db, actions) }, integrations)
})
const call = async (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  payload?: object,
  headers: object = owner,
) => {
  const response = await app.inject({
    method,
    url: `/api/v1/operator${path}`,
    headers: { ...headers },
    payload,
  })
  return { status: response.statusCode, body: response.json(), code: response.json().error?.code }
}

const JOBS = statement(
  'test_webhook_jobs',
  `select key, run_at, queue_name, extract(epoch from run_at - now())::integer as wait from graphile_worker.jobs where task_identifier = 'deliver_webhook' order by id`,
)
const MONEY = statement(
  'test_webhook_money',
  `with c as (insert into chains (name, family, confirmation_rules) values ('bitcoin', 'bitcoin', '[]')
          on conflict (name) do update set name = excluded.name returning name),
        p as (insert into payments (chain, transaction_id, output_key, address, asset, amount, seen_at, fault, confirmations_needed)
              select name, 't9', $1::text, 'a', 'native', 0.75, now(), 'unmatched', 1 from c returning id, chain),
        r as (insert into refunds (payment_id, user_id, currency_id, chain, currency, amount, usd, reason)
              select p.id, $1::bigint, (select min(id) from currencies), p.chain, 'BTC', 0.5, 12.50, 'test' from p returning id)
   select p.id as payment, r.id as refund from p, r`,
)
const MESSAGES = statement(
  'test_webhook_messages',
  'select event, payload from webhook_deliveries order by event',
)
const CHANNEL_JOBS = statement(
  'test_channel_jobs',
  `select t.identifier as task, j.payload, extract(epoch from j.run_at - now())::integer as wait
     from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier like 'channel%' order by j.id`,
)
const SET_EMAIL = statement('test_channel_email', 'update operators set email = $2 where id = $1')
const CLEAR = statement('test_webhook_clear', 'delete from webhooks')
const CLEAR_JOBS = statement(
  'test_webhook_clear_jobs',
  `select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`,
)
/** A refund of a payment that the chain no longer shows. */
async function owedFor({ number }: { number: number }): Promise<{ refund: string; order: string }> {
  const { refund } = await db.one<{ refund: string }>(
    sql`with p as (insert into payments (chain, transaction_id, output_key, address, asset, amount, owed, order_id, user_id,
                     seen_at, confirmations_needed)
              select 'bitcoin', 't' || id, '0', 'a', 'native', 0.5, 0.5, id, user_id, now(), 1 from orders where id = ${number}
              returning *)
        insert into refunds (payment_id, order_id, user_id, currency_id, chain, currency, amount, usd, reason)
        select p.id, p.order_id, p.user_id, o.currency_id, p.chain, o.currency, 0.5, 12.50, 'test'
          from p join orders o on o.id = p.order_id returning id as refund`,
  )
  return { refund, order: String(number) }
}
/** The audit log's last entry about a webhook. */
const lastAudit = (id: number) =>
  db.one(
    sql`select action, after from audit_log where subject_type = 'webhook' and subject_id = ${String(id)}
         order by id desc limit 1`,
  )
const jobs = () => db.query<{ key: string; wait: number; queue_name: string }>(JOBS)

beforeEach(async () => {
  got.length = 0
  answer = { status: 200 }
  await db.query(CLEAR)
  await db.query(CLEAR_JOBS)
})

const verify = (secret: string, { headers, body }: Got) => {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = createHmac('sha256', key)
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
    .digest('base64')
  return String(headers['webhook-signature']).split(' ').includes(`v1,${signed}`)
}
const add = () =>
  execute('webhook.add', { url, events: ['order.approved', 'order.adjusted', 'order.undone', 'grant.added'] })
const tell = (...kinds: string[]) =>
  db.transaction((tx) =>
    webhooks.tell(
      tx,
      kinds.map((kind) => ({ kind, order_id: null, user_id: null, payload: {} })),
    ),
  )

/** The first and the last address of a block of IPv4. */
function endsOf(block: string): string[] {
  const [net = '', bits] = block.split('/')
  const first = net.split('.').reduce((value, part) => value * 256 + Number(part), 0)
  const last = first + 2 ** (32 - Number(bits)) - 1
  return [first, last].map((value) =>
    [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.'),
  )
}

describe('addresses', () => {
  it.each([
    'http://example.org/',
    'https://localhost/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://10.1.2.3/',
    'https://172.31.0.1/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:db8::1]/',
    'https://user:pass@example.org/',
    'https://metadata.internal/',
    'https://printer.local/',
    'https://intranet/',
    'https://localhost./',
    'https://printer.local./',
    'https://example.com:22/',
    'https://example.com:587/',
    'https://0.0.0.0/',
    'file:///etc/passwd',
    'gopher://example.org',
  ])('refuses %s', async (refused) => {
    expect(reasonAgainstUrl(refused)).not.toBeNull()
    const attempt = await sendMessage(refused, { id: 'm', body: '{}' }, ['whsec_'])
    expect(attempt.status).toBeNull()
    const input = { url: refused, events: ['order.created'] }
    expect(['webhook_url_refused', 'invalid_input']).toContain((await call('POST', '/webhooks', input)).code)
  })

  it('takes public ones', () => {
    for (const address of ['93.184.215.14', '8.8.8.8', '2606:4700::1111', '172.32.0.1', '100.128.0.1'])
      expect([address, isPublicAddress(address)]).toEqual([address, true])
    const special =
      '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4'
    for (const block of special.split(' '))
      for (const address of endsOf(block)) expect([block, isPublicAddress(address)]).toEqual([block, false])
    for (const address of ['', 'x', '255.255.255.255', '::', 'ff02::1', '2001::1'])
      expect([address, isPublicAddress(address)]).toEqual([address, false])
    expect(reasonAgainstUrl('https://example.org:8443/hook?x=1')).toBeNull()
  })

  it('refuses a name that leads inside, also with a public address beside the private one', async () => {
    const resolveTo =
      (...addresses: string[]) =>
      async () =>
        addresses.map((address) => ({ address, family: 4 as const }))
    for (const addresses of [['127.0.0.1'], ['93.184.215.14', '10.0.0.1'], []])
      await expect(
        publicAddressOf('evil.example.org', resolveTo(...addresses), isPublicAddress),
      ).rejects.toThrow()
    const attempt = await sendMessage(url, { id: 'm', body: '{}' }, ['whsec_'], {
      ...outside,
      isPublic: isPublicAddress,
    })
    expect(attempt.error).toContain('not on the public internet')
    expect(got).toEqual([])
  })

  it('connects to the address that was checked, whatever the name says a moment later', async () => {
    let asked = 0
    const rebinding = async () => [
      { address: (asked += 1) === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 as const },
    ]
    const attempt = await sendMessage(url, { id: 'm', body: '{}' }, ['whsec_'], {
      ...outside,
      resolve: rebinding,
    })
    expect([attempt.status, asked]).toEqual([200, 1])
  })

  it('wants a certificate for the name', async () => {
    const attempt = await sendMessage(
      url.replace(tlsName, 'other.example.org'),
      { id: 'm', body: '{}' },
      ['whsec_'],
      outside,
    )
    expect(attempt.error).toMatch(/altnames|CERT/i)
  })
})

describe('webhooks', () => {
  it('are told of what they want to hear, once, signed, without a name or address of anybody', async () => {
    const hook = await add()
    const sale = await openSale(db)
    const buyer = await addBuyer(db)
    const order = await buy(sale, buyer, '40')
    await db.transaction((tx) =>
      webhooks.tell(tx, [
        { kind: 'order_created', order_id: String(order.number), user_id: buyer, payload: {} },
        { kind: 'order_approved', order_id: String(order.number), user_id: buyer, payload: {} },
        { kind: 'grant_added', order_id: null, user_id: buyer, payload: {} },
        { kind: 'order_changed', order_id: String(order.number), user_id: buyer, payload: {} },
      ]),
    )
    const { items } = await webhooks.deliveries(hook.id, { limit: 10 })
    expect(items.map((item) => item.event)).toEqual(['grant.added', 'order.approved'])
    expect((await jobs()).map((job) => job.queue_name)).toEqual([`webhook:${hook.id}`, `webhook:${hook.id}`])
    for (const item of items) await webhooks.deliver({ deliveryId: item.id })
    for (const item of items) await webhooks.deliver({ deliveryId: item.id })
    expect(got).toHaveLength(2)
    expect(got.every((message) => verify(hook.secret, message))).toBe(true)
    expect(JSON.parse(got[1]?.body ?? '')).toMatchObject({
      type: 'order.approved',
      data: {
        id: order.number,
        usd: '180.00',
        cryptoAmount: '180.000000',
        askedAmount: '180.000000',
        askedTokens: '40.000000',
        currency: 'USDT',
      },
    })
    expect(JSON.stringify(got)).not.toMatch(/example\.org"|A Buyer/)
    expect(JSON.stringify(got)).not.toContain(order.token)
    const [delivered] = (await webhooks.deliveries(hook.id, { limit: 1 })).items
    expect(delivered).toMatchObject({
      state: 'delivered',
      attempts: [{ status: 200, response: 'ok', error: null }],
    })
  })

  it('are told of payments to decide and of refunds, with figures and no address of a buyer', async () => {
    const buyer = await addBuyer(db)
    await call('POST', '/webhooks', { url, events: ['payment.to_decide', 'refund.owed'] })
    const { payment, refund } = await db.one<{ payment: string; refund: string }>(MONEY, [buyer])
    const line = (kind: string, payload: object) => ({ kind, order_id: null, user_id: buyer, payload })
    await db.transaction((tx) =>
      webhooks.tell(tx, [line('payment_to_decide', { payment }), line('refund_owed', { refund })]),
    )
    const messages = await db.query<{ event: string; payload: { data: object } }>(MESSAGES)
    expect(messages.map(({ event, payload }) => [event, payload.data])).toMatchObject([
      ['payment.to_decide', { id: payment, transactionId: 't9', amount: '0.75', fault: 'unmatched' }],
      ['refund.owed', { id: refund, paymentId: payment, amount: '0.5', usd: '12.50' }],
    ])
    expect(JSON.stringify(messages)).not.toContain('@example')
  })

  it('are told when a refund is on its way, paid or written off, whoever changed it, and once [REFUND-12]', async () => {
    const buyer = await addBuyer(db)
    const sale = await openSale(db)
    await call('POST', '/webhooks', { url, events: ['refund.sent', 'refund.paid', 'refund.written_off'] })
    const { refund } = await db.one<{ refund: string }>(MONEY, [buyer])
    await db.query(
      sql`update refunds set state = 'prepared', address = 'b', address_key = 'b' where id = ${refund}`,
    )
    // An operator says it, then the chain shows it.
    for (const id of [refund, refund]) await db.query(sql`select mark_refund_sent(${id}, 'r1')`)
    const gone = await owedFor(await buy(sale, await addBuyer(db), '40'))
    for (const id of [gone.order, gone.order]) await db.query(sql`select write_off_refunds(${id})`)
    const lines = await db.query<OutboxEvent>(
      sql`select kind, order_id, user_id, payload from outbox
           where payload ->> 'refund' = any(${[refund, gone.refund]}) order by id`,
    )
    expect(lines.map(({ kind, payload }) => [kind, payload])).toEqual([
      ['refund_sent', { refund }],
      ['refund_written_off', { refund: gone.refund }],
    ])
    const paid = { kind: 'refund_paid', order_id: null, user_id: buyer, payload: { refund } }
    await db.transaction((tx) => webhooks.tell(tx, [...lines, paid]))
    const messages = await db.query<{ event: string; payload: { data: object } }>(MESSAGES)
    expect(messages.map(({ event }) => event).toSorted()).toEqual([
      'refund.paid',
      'refund.sent',
      'refund.written_off',
    ])
    expect(messages[0]?.payload.data).toMatchObject({ id: refund, transactionId: 'r1', amount: '0.5' })
  })

  it('are tried for a day, each attempt kept, then left failed and sent again by hand', async () => {
    const hook = await add()
    await tell('grant_added')
    const [item] = (await webhooks.deliveries(hook.id, { limit: 1 })).items
    answer = { status: 500, body: 'down' }
    const waits: number[] = []
    for (let attempt = 0; attempt <= RETRY_SECONDS.length; attempt += 1) {
      await webhooks.deliver({ deliveryId: item?.id })
      const [job] = await jobs()
      waits.push(job?.wait ?? 0)
    }
    RETRY_SECONDS.forEach((seconds, index) => expect(Math.abs((waits[index] ?? 0) - seconds)).toBeLessThan(3))
    expect(RETRY_SECONDS.reduce((sum, seconds) => sum + seconds, 0)).toBeLessThanOrEqual(86_400)
    const failed = (await webhooks.deliveries(hook.id, { limit: 1, state: 'failed' })).items[0]
    expect(failed?.attempts).toHaveLength(9)
    expect(failed?.attempts[0]).toMatchObject({ status: 500, error: 'answered 500', response: 'down' })
    expect((await webhooks.list({ limit: 1 })).items[0]?.lastDelivery?.state).toBe('failed')
    await webhooks.deliver({ deliveryId: item?.id })
    expect(got).toHaveLength(9)

    answer = { status: 204 }
    expect((await execute('webhook.redeliver', { id: item?.id })).state).toBe('pending')
    expect(await lastAudit(hook.id)).toEqual({ action: 'webhook.redeliver', after: { delivery: item?.id } })
    await webhooks.deliver({ deliveryId: item?.id })
    expect((await webhooks.deliveries(hook.id, { limit: 1 })).items[0]?.state).toBe('delivered')
    expect(new Set(got.map((message) => message.headers['webhook-id'])).size).toBe(1)
    expect(new Set(got.map((message) => message.body)).size).toBe(1)
  })

  it('are sent as a test, which the audit log keeps', async () => {
    const hook = await add()
    const { id, event } = await execute('webhook.test', { id: hook.id })
    expect(event).toBe('webhook.test')
    expect(await lastAudit(hook.id)).toEqual({ action: 'webhook.test', after: { delivery: id } })
  })

  it('follow no redirect and keep little of a long answer', async () => {
    const hook = await add()
    await tell('grant_added')
    const [item] = (await webhooks.deliveries(hook.id, { limit: 1 })).items
    answer = { status: 302, headers: { location: 'https://169.254.169.254/' }, body: 'x'.repeat(1_000_000) }
    await webhooks.deliver({ deliveryId: item?.id })
    const [after] = (await webhooks.deliveries(hook.id, { limit: 1 })).items
    expect(after?.attempts[0]).toMatchObject({ status: 302, error: 'redirects are not followed' })
    expect(after?.attempts[0]?.response?.length).toBe(1_000)
    expect(got).toHaveLength(1)
  })

  it('sign by the old secret too for a day after it was changed', async () => {
    const hook = await add()
    const { secret } = await execute('webhook.rotate-secret', { id: hook.id })
    expect(secret).not.toBe(hook.secret)
    const tested = await call('POST', `/webhooks/${hook.id}/test`)
    await webhooks.deliver({ deliveryId: tested.body.id })
    const [message] = got
    if (!message) throw new Error('nothing came')
    expect([verify(secret, message), verify(hook.secret, message)]).toEqual([true, true])
    const { sealed } = await db.one<{ sealed: Buffer }>(
      statement('test_webhook_sealed', 'select secret_encrypted as sealed from webhooks'),
    )
    expect(sealed.includes(secret.slice(6))).toBe(false)
  })

  it('hear nothing while they are switched off, and the second of two editors is told', async () => {
    const hook = await add()
    const input = { url, events: ['grant.added'], description: 'x', disabled: true }
    const edits = await Promise.all(
      [1, 2].map(() => call('PUT', `/webhooks/${hook.id}`, { ...input, revision: 1 })),
    )
    expect(edits.map((edit) => edit.status).toSorted()).toEqual([200, 409])
    await tell('grant_added')
    expect((await webhooks.deliveries(hook.id, { limit: 1 })).items).toEqual([])
    expect((await call('POST', `/webhooks/${hook.id}/test`)).code).toBe('not_found')
  })

  it('are for owners, with a step-up', async () => {
    const finance = { 'x-operator': `${await addOperator(db, 'finance', 'finance')}:finance` }
    expect((await call('GET', '/webhooks', undefined, finance)).code).toBe('not_for_your_role')
    expect(
      (await call('POST', '/webhooks', { url, events: ['order.created'] }, { ...owner, 'x-stale': '1' }))
        .code,
    ).toBe('step_up_required')
    expect((await call('POST', '/webhooks', { url, events: ['webhook.unknown'] })).code).toBe('invalid_input')
  })
})

describe('events', () => {
  const read = (query = '', headers: object = owner) =>
    app
      .inject({ method: 'GET', url: `/api/v1/events${query}`, headers: { ...headers } })
      .then((response) => response.json())

  it('are kept whether or not anybody is told, under numbers without a gap, and a webhook is sent the same [RIGHT-30]', async () => {
    const { last: before } = await read()
    await tell('grant_added')
    await add()
    await tell('order_approved', 'order_changed', 'order_adjusted', 'order_undone', 'grant_added')
    const { items, last } = await read(`?after=${before}`)
    expect(
      items.map(({ number, type }: { number: number; type: string }) => [number - before, type]),
    ).toEqual([
      [1, 'grant.added'],
      [2, 'order.approved'],
      [3, 'order.adjusted'],
      [4, 'order.undone'],
      [5, 'grant.added'],
    ])
    expect(last).toBe(before + 5)
    const sent = await db.query<{ message_id: string; payload: object }>(
      sql`select message_id, payload from webhook_deliveries order by id`,
    )
    expect(sent.map(({ message_id: id, payload }) => ({ id, payload }))).toEqual(
      items.slice(1).map((item: { id: string }) => ({ id: item.id, payload: item })),
    )
    expect((await read(`?after=${before}&limit=1`)).items).toHaveLength(1)
  })

  it('become visible in the order of their numbers, however many drainers there are [RIGHT-30]', async () => {
    const { last: before } = await read()
    const seen: number[] = []
    let isDone = false
    const watching = (async () => {
      for (let after = before; !isDone || after < before + 60; ) {
        const { items } = await read(`?after=${after}&limit=500`)
        for (const { number } of items) seen.push(number)
        after = items.at(-1)?.number ?? after
      }
    })()
    await Promise.all(
      Array.from({ length: 20 }, () => tell('grant_added', 'order_created', 'campaign_changed')),
    )
    isDone = true
    await watching
    expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => before + 1 + index))
  })

  it('take their numbers back where the transaction fails [RIGHT-30]', async () => {
    const { last } = await read()
    await expect(
      db.transaction(async (tx) => {
        await webhooks.tell(tx, [{ kind: 'grant_added', order_id: null, user_id: null, payload: {} }])
        throw new Error('crash')
      }),
    ).rejects.toThrow('crash')
    await tell('grant_added')
    expect((await read(`?after=${last}`)).items).toMatchObject([{ number: last + 1 }])
  })

  it('that are gone are never passed over in silence [RIGHT-30]', async () => {
    await tell('grant_added', 'grant_added')
    const { last } = await read()
    expect((await read(`?after=${last + 1}`)).error).toMatchObject({ code: 'events_gone', details: { last } })
    await db.query(sql`delete from events where number < ${last}`)
    expect((await read(`?after=${last - 1}`)).items).toMatchObject([{ number: last }])
    expect((await read(`?after=${last - 2}`)).error.code).toBe('events_gone')
    expect((await read()).items).toMatchObject([{ number: last }])
    await db.query(sql`delete from events`)
    expect((await read(`?after=${last - 1}`)).error.code).toBe('events_gone')
    expect((await read(`?after=${last}`)).items).toEqual([])
    for (const wrong of ['-1', '0x1', '1e3', ''])
      expect((await read(`?after=${wrong}`)).error.code).toBe('invalid_input')
  })

  it('are for owners and finance', async () => {
    const support = { 'x-operator': `${await addOperator(db, 'support', 'support')}:support` }
    expect((await read('', support)).error.code).toBe('not_for_your_role')
  })
})

describe('API keys', () => {
  it('act for their operator within their scopes until they are revoked, expire, or the operator is disabled', async () => {
    const made = await call('POST', '/api-keys', { name: 'Books', scopes: ['orders:read', 'orders:read'] })
    expect(made.body).toMatchObject({ scopes: ['orders:read'], operator: 'owner', revokedAt: null })
    const { key, id } = made.body
    expect(key).toMatch(/^psk_[\w-]{43}$/)
    expect(JSON.stringify((await call('GET', '/api-keys')).body)).not.toContain(key)
    const stored = await db.one<{ row: string }>(
      statement('test_api_key_row', 'select to_jsonb(k)::text as row from api_keys k'),
    )
    expect(stored.row).not.toContain(key)

    expect(await apiKeys.operator(key)).toMatchObject({
      operatorId: ownerId,
      role: 'owner',
      scopes: ['orders:read'],
      authenticatedAt: new Date(0),
    })
    expect(await apiKeys.operator(`${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`)).toBeUndefined()
    const set = (text: string) => db.query(statement(`test_api_key_${text.length}`, text))
    await set('update operators set disabled_at = now()')
    expect(await apiKeys.operator(key)).toBeUndefined()
    await set('update operators set disabled_at = null')
    await set(`update api_keys set expires_at = now() - interval '1 second'`)
    expect(await apiKeys.operator(key)).toBeUndefined()
    await set('update api_keys set expires_at = null')
    expect(await apiKeys.operator(key)).toBeDefined()
    expect((await call('DELETE', `/api-keys/${id}`)).body.revokedAt).not.toBeNull()
    expect(await apiKeys.operator(key)).toBeUndefined()
  })

  it('end after 90 days unless something else is said, can be renewed while they are in use, and their operator is told a week before [RIGHT-11]', async () => {
    const { id, expiresAt } = (await call('POST', '/api-keys', { name: 'Shop', scopes: ['orders:read'] }))
      .body
    const daysLeft = (at: string) => Math.round((Date.parse(at) - Date.now()) / 86_400_000)
    expect(daysLeft(expiresAt)).toBe(90)
    for (const expiresInDays of [null, 0, 367])
      expect(
        (await call('POST', '/api-keys', { name: 'Ever', scopes: ['orders:read'], expiresInDays })).code,
      ).toBe('invalid_input')
    const move = (text: string) =>
      db.query(statement(`test_key_end_${text.length}`, `update api_keys ${text}`))
    await db.query(statement('test_owner_email', `update operators set email = 'owner@example.org'`))
    await integrations.apiKeys.tellOfEnds()
    expect(mails).toEqual([])
    await move(
      `set expires_at = now() + interval '6 days', created_at = now() - interval '84 days' where name = 'Shop'`,
    )
    await Promise.all([integrations.apiKeys.tellOfEnds(), integrations.apiKeys.tellOfEnds()])
    expect(mails).toEqual([
      expect.objectContaining({ kind: 'api_key_ends', to: 'owner@example.org', name: 'owner', key: 'Shop' }),
    ])
    const renewed = await call('POST', `/api-keys/${id}/renewal`, { expiresInDays: 30 })
    expect(daysLeft(renewed.body.expiresAt)).toBe(30)
    await move(`set expires_at = now() - interval '1 second' where name = 'Shop'`)
    expect((await call('POST', `/api-keys/${id}/renewal`, {})).code).toBe('conflict')
    expect((await call('POST', '/api-keys/999999/renewal', {})).code).toBe('not_found')
  })

  it('have no scope for wallets, balances, roles or settings', async () => {
    for (const scope of [
      'currencies:write',
      'grants:write',
      'operators:write',
      'campaign:write',
      'webhooks:write',
      'api-keys:write',
    ])
      expect((await call('POST', '/api-keys', { name: 'x', scopes: [scope] })).code).toBe('invalid_input')
  })
})

describe("operators' own channels", () => {
  const happened = (kind: string, orderId: string | null = null): OutboxEvent => ({
    kind,
    order_id: orderId,
    user_id: null,
    payload: {},
  })
  const hear = (...events: OutboxEvent[]) => db.transaction((tx) => integrations.channels.tell(tx, events))
  const waiting = () => db.query<{ task: string; payload: unknown; wait: number }>(CHANNEL_JOBS)
  /** Runs all waiting jobs like the queue, whatever their time. */
  async function run(): Promise<void> {
    const due = await waiting()
    await db.query(CLEAR_JOBS)
    for (const { task, payload } of due) await integrations.tasks[task]?.(payload)
  }
  const sentText = () => JSON.parse(got.at(-1)?.body ?? '{}').text as string
  const join = (notices: string[], headers: object = owner, target: object = { kind: 'webhook', url }) =>
    call('POST', '/channels', { target, notices }, headers)
  const prove = (id: number, code: string) => call('POST', `/channels/${id}/proof`, { code })
  const codeSent = () => /\d{6}/.exec(sentText())?.[0] ?? ''

  it('are told nothing before the code came back, five tries a code, and gather what happens into one message [RIGHT-22]', async () => {
    const { body: channel } = await join(['order_created', 'refund_owed'])
    expect(channel).toMatchObject({ label: tlsName, provenAt: null })
    await run()
    const code = codeSent()
    const wrong = code === '000000' ? '000001' : '000000'
    await hear(happened('order_created', '7'))
    expect(await waiting()).toEqual([])
    for (let n = 0; n < 5; n++) expect((await prove(channel.id, wrong)).body.isProven).toBe(false)
    expect((await prove(channel.id, code)).body.isProven).toBe(false)
    await call('POST', `/channels/${channel.id}/code`)
    await run()
    expect((await prove(channel.id, codeSent())).body.isProven).toBe(true)

    await hear(
      happened('order_created', '7'),
      happened('order_created', '8'),
      happened('order_approved', '7'),
    )
    await hear(happened('order_created', '9'), happened('refund_owed', '7'))
    const due = await waiting()
    expect(due).toHaveLength(1)
    expect(due[0]?.wait).toBeLessThanOrEqual(10)
    got.length = 0
    await run()
    expect(got).toHaveLength(1)
    expect(sentText()).toBe(
      'New orders: 3, the last is #9\nRefunds that became due: 1, the last of order #7\nhttps://sale.example.org/operator',
    )
    const { body } = await call('GET', '/channels')
    expect(body.items[0]).toMatchObject({ lastError: null, stoppedAt: null })
    await call('DELETE', `/channels/${channel.id}`)
  })

  it('of a browser are encrypted for it alone, and stop where it is gone [RIGHT-22]', async () => {
    const { open, ...keys } = newPushBrowser()
    const target = { kind: 'push', endpoint: url, device: 'Firefox on Linux', ...keys }
    const inside = { ...target, endpoint: 'https://127.0.0.1/hook' }
    expect((await join(['order_created'], owner, inside)).code).toBe('push_address_refused')
    const { body: channel } = await join(['order_created'], owner, target)
    expect(channel).toMatchObject({ kind: 'push', label: 'Firefox on Linux', provenAt: null })
    const shown = () => JSON.parse(open(got.at(-1)?.bytes ?? Buffer.alloc(0)))
    await run()
    const code = /\d{6}/.exec(shown().body)?.[0] ?? ''
    expect((await prove(channel.id, code)).body.isProven).toBe(true)
    await hear(happened('order_created', '7'))
    await run()
    expect(shown()).toMatchObject({ body: 'New orders: 1, the last is #7', path: '/operator', lang: 'en' })
    await hear(happened('order_created', '8'))
    answer = { status: 410 }
    await run()
    expect(await waiting()).toEqual([])
    const [stopped] = (await call('GET', '/channels')).body.items
    expect(stopped).toMatchObject({ lastError: 'answered 410', stoppedAt: expect.any(String) })
    await call('DELETE', `/channels/${channel.id}`)
  })

  it('are tried again with what came meanwhile, and stopped where every try fails until they are proven anew [RIGHT-22]', async () => {
    const { body: channel } = await join(['order_created'])
    await run()
    await prove(channel.id, codeSent())
    await hear(happened('order_created', '1'))
    answer = { status: 500 }
    await run()
    await hear(happened('order_created', '2'))
    const [again, ...others] = await waiting()
    expect(others).toEqual([])
    expect(again?.wait).toBeGreaterThan(20)
    for (let n = 0; n < 5; n++) await run()
    expect(await waiting()).toEqual([])
    const stopped = (await call('GET', '/channels')).body.items[0]
    expect(stopped).toMatchObject({ lastError: 'answered 500' })
    expect(stopped.stoppedAt).not.toBeNull()
    await hear(happened('order_created', '3'))
    expect(await waiting()).toEqual([])
    await call('DELETE', `/channels/${channel.id}`)
  })

  it('are for who asks alone, never more than ten, and tell nobody what their role may not read [RIGHT-22]', async () => {
    const contentId = await addOperator(db, 'channel-content', 'content')
    const content = { 'x-operator': `${contentId}:content` }
    expect((await join(['order_created'], { ...owner, 'x-stale': 'yes' })).code).toBe('step_up_required')
    const inside = { kind: 'webhook', url: 'https://127.0.0.1/hook' }
    expect((await join(['order_created'], owner, inside)).code).toBe('webhook_url_refused')
    expect((await join(['approval_waiting'], content, { kind: 'mail' })).code).toBe('own_email_missing')
    expect((await join([], content)).status).toBe(422)
    await db.query(SET_EMAIL, [contentId, 'content@example.org'])
    const ends = await race(
      db,
      Array.from({ length: 12 }, () => () => join(['order_created'], content, { kind: 'mail' })),
    )
    const codes = ends.map((end) => (end.status === 'fulfilled' ? (end.value.code ?? 'added') : 'broken'))
    expect(codes.filter((code) => code === 'added')).toHaveLength(10)
    expect(codes.filter((code) => code === 'channels_full')).toHaveLength(2)
    mails.length = 0
    await run()
    const [mail] = mails
    const code = /\d{6}/.exec(JSON.stringify(mail))?.[0] ?? ''
    expect(mail).toMatchObject({ kind: 'operator_notice', to: 'content@example.org' })
    const { body } = await call('GET', '/channels', undefined, content)
    const proofs = await Promise.all(
      body.items.map(({ id }: { id: number }) => call('POST', `/channels/${id}/proof`, { code }, content)),
    )
    expect(proofs.some((proof) => proof.body.isProven)).toBe(true)
    await hear(happened('order_created', '7'))
    expect(await waiting()).toEqual([])
    expect((await call('GET', '/channels')).body.items).toEqual([])
    expect((await call('DELETE', `/channels/${body.items[0].id}`)).code).toBe('not_found')
  })

  it('of a mail is proven for one address: another one hears nothing before its own code came back [RIGHT-22]', async () => {
    const financeId = await addOperator(db, 'channel-finance', 'finance')
    const finance = { 'x-operator': `${financeId}:finance` }
    await db.query(SET_EMAIL, [financeId, 'proven@example.org'])
    const { body: channel } = await join(['order_created'], finance, { kind: 'mail' })
    mails.length = 0
    await run()
    const code = /\d{6}/.exec(JSON.stringify(mails))?.[0] ?? ''
    const proof = await call('POST', `/channels/${channel.id}/proof`, { code }, finance)
    expect(proof.body.isProven).toBe(true)
    await hear(happened('order_created', '1'))
    await db.query(SET_EMAIL, [financeId, 'another@example.org'])
    mails.length = 0
    await run()
    await hear(happened('order_created', '2'))
    await run()
    expect(mails).toEqual([])
    const { body } = await call('GET', '/channels', undefined, finance)
    expect(body.items).toMatchObject([{ provenAt: null }])
    await call('DELETE', `/channels/${channel.id}`, undefined, finance)
  })
})
