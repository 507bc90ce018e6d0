import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startPriceServices } from '../../../test/chains/price-stand-ins.ts'
import { actionsOf, operatorActor } from '../../../test/support/actions.ts'
import { openSale } from '../../../test/support/campaign.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { addOperator, headerServer } from '../../../test/support/header-server.ts'
import { rateSources } from '../../../test/support/rate-sources.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { tlsCertificate, tlsKey, tlsName } from '../../../test/support/tls.ts'
import type { SourceKind } from '../../shared/api/rate-sources.ts'
import type { AnyAction } from '../actions/actions.ts'
import { Currencies } from '../currencies/currencies.ts'
import { sql } from '../database/database.ts'
import { mountApprovals } from '../http/approvals.ts'
import { mountCurrencies, mountRateSources } from '../http/currencies.ts'
import { voiceOf } from '../outside/outside.ts'
import { Rates } from './rates.ts'

const { db } = await createTestDatabase({ holds: 'demo' })
await openSale(db)
const servers: Server[] = []
/** The program's own sources, and two strangers whom an operator may name. */
const [own, one, two, third] = [
  await startPriceServices(),
  await startPriceServices(),
  await startPriceServices(),
  await startPriceServices(),
]
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  await Promise.all([own, one, two, third].map((services) => services.stop()))
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
/** A source that answers this for Bitcoin, in CoinGecko's way; `AT` is now. */
const saying = (text: string) =>
  serve((_, response) => response.end(text.replace('AT', String(Math.floor(Date.now() / 1000)))))
const hostOf = (url: string) => new URL(url).host
const hosts: string[] = [one, two, third].map(({ coingecko }) => hostOf(coingecko))

const isGiven = { coingecko: true, kraken: false, coinbase: false }
const ownUrls = { coingecko: own.coingecko, kraken: own.kraken, coinbase: own.coinbase }
const needs = {
  own: {
    coingecko: { url: ownUrls.coingecko, isGiven: isGiven.coingecko },
    kraken: { url: ownUrls.kraken, isGiven: isGiven.kraken },
    coinbase: { url: ownUrls.coinbase, isGiven: isGiven.coinbase },
  },
  hosts,
}
/** As in a process of its own. */
const startProcess = () => new Rates({ db, secrets: testSecrets, sources: rateSources(needs) })
const rates = startProcess()
const other = startProcess()
const currencies = new Currencies({ db, fetchPrices: (coins) => rates.agreed(coins) })
const actions = actionsOf(db, { ...rates.actions, ...currencies.actions })
const app = headerServer(db, (server) => {
  mountRateSources({ ...server, actions }, rates)
  mountCurrencies({ ...server, actions }, currencies)
  mountApprovals({ ...server, actions }, actions)
})
const owner = await addOperator(db, 'owner', 'owner')
const second = await addOperator(db, 'other', 'owner')
const support = await addOperator(db, 'support', 'support')

async function call(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
  role = 'owner',
  id = owner,
) {
  const response = await app.inject({
    method,
    url: `/api/v1/operator${path}`,
    headers: { 'x-operator': `${id}:${role}` },
    ...(body && { payload: body }),
  })
  return { status: response.statusCode, text: response.body, body: response.json() }
}
const list = async () => (await call('GET', '/rate-sources')).body
const sourceAt = async (name: string) =>
  (await list()).items.find((item: { name: string }) => item.name === name)
const name = (url: string, replaces: number | null = null, kind: SourceKind = 'coingecko') =>
  call('POST', '/rate-sources', { kind, url, replaces })
const ask = (url: string, kind: SourceKind = 'coingecko') =>
  call('POST', '/rate-sources/ask', { name: null, source: { kind, url } })
const leaveOut = (which: string, leftOut: boolean) => call('PUT', `/rate-sources/own/${which}`, { leftOut })
const rows = () =>
  db.query<{ id: string; url_encrypted: Buffer }>(sql`select id, url_encrypted from rate_sources order by id`)
const rateOf = async (code = 'BTC') =>
  (await db.one<{ rate: string }>(sql`select rate from currencies where code = ${code}`)).rate
const wantTwo = (wanted: boolean) =>
  db.query(
    sql`update campaign set settings = jsonb_set(settings, '{secondOperator}', to_jsonb(${wanted}::boolean))`,
  )
/** What the program's own three sources say of Bitcoin. */
function sayOwn(coingecko: string, kraken: string, coinbase: string): void {
  own.say('coingecko', 'bitcoin', coingecko)
  own.say('kraken', 'XBTUSD', kraken)
  own.say('coinbase', 'BTC-USD', coinbase)
}

beforeAll(async () => {
  await db.query(sql`update currencies set rate_source = 'feed' where code = 'BTC'`)
})
beforeEach(async () => {
  await wantTwo(false)
  await db.query(sql`delete from rate_sources`)
  await db.query(sql`delete from rate_sources_left_out`)
  for (const services of [one, two, third]) services.say('coingecko', 'bitcoin', '90000')
  sayOwn('90000', '90000', '90000')
})

describe('a source that a page names', () => {
  test('is asked first, kept sealed, and shown by its host alone [RATE-5]', async () => {
    one.say('coingecko', 'bitcoin', '91800')
    await rates.refresh()
    const url = `${one.coingecko.replace('http://', 'http://user:kennwort@')}?x_cg_pro_api_key=schluessel`
    const asked = await ask(url)
    expect(asked.status).toBe(200)
    expect(asked.body.items.find(({ code }: { code: string }) => code === 'BTC')).toEqual({
      code: 'BTC',
      priceUsd: '91800',
      at: expect.any(String),
      problem: null,
      presentUsd: '90000',
      deviationPercent: '2.00',
    })
    expect(asked.body.items.find(({ code }: { code: string }) => code === 'ETH')).toMatchObject({
      priceUsd: null,
      problem: 'absent',
      deviationPercent: null,
    })
    expect(await rows()).toEqual([])
    const named = await name(url)
    expect(named.status).toBe(200)
    expect(named.body.items.at(-1)).toMatchObject({
      name: hostOf(one.coingecko),
      kind: 'coingecko',
      host: hostOf(one.coingecko),
      source: 'page',
      silence: null,
      setBy: 'owner',
    })
    const [row] = await rows()
    expect(testSecrets.decrypt('rate-source', row?.url_encrypted ?? Buffer.alloc(0), row?.id)).toBe(url)
    expect((await call('POST', '/rate-sources/ask', { name: hostOf(url), source: null })).status).toBe(200)
    await rates.refresh()
    const audit = await db.query(sql`select * from audit_log where action like 'rate-source.%'`)
    const readings = await db.query(sql`select * from rate_readings`)
    const told = await db.query(sql`select payload from outbox`)
    expect(audit).toHaveLength(3)
    const kept = JSON.stringify([asked, named, await list(), audit, readings, told, await rows()])
    expect(kept).not.toMatch(/schluessel|kennwort/)
    expect(kept).toContain(hostOf(one.coingecko))
    expect(JSON.stringify(told)).toContain('rate_source')
  })

  test('sends its key and credentials with each question', async () => {
    const seen: string[] = []
    const url = await serve((request, response) => {
      seen.push(`${request.url} ${request.headers.authorization}`)
      response.end('{"bitcoin":{"usd":90000}}')
    })
    hosts.push(hostOf(url))
    expect((await ask(`${url.replace('//', '//user:pass%@')}/api/v3/?key=k`)).status).toBe(200)
    expect(seen[0]).toMatch(/^\/api\/v3\/simple\/price\?key=k&ids=bitcoin/)
    expect(seen[0]).toContain(`Basic ${Buffer.from('user:pass%').toString('base64')}`)
  })

  test.each([
    ['http, outside the list', 'http://prices.example.org'],
    ['this machine, at another port', 'http://127.0.0.1:5432'],
    ['this machine over TLS', 'https://127.0.0.1'],
    ['this machine in IPv6', 'https://[::1]/'],
    ['a private network', 'https://10.0.0.5/api'],
    ['the metadata of a cloud', 'https://169.254.169.254/latest'],
    ['a name of the own network', 'https://prices.internal'],
    ['no address', 'ftp://prices.example.org'],
    ['nothing of the kind', 'prices'],
  ])('is not at %s', async (_, url) => {
    for (const answered of [await ask(url), await name(url)])
      expect(answered.body.error).toMatchObject({ code: 'rate_source_address_refused' })
    const input = { kind: 'coingecko', url, replaces: null }
    await expect(
      actions.execute(rates.actions['rate-source.set'] as AnyAction, operatorActor(owner), input),
    ).rejects.toMatchObject({ code: 'rate_source_address_refused' })
    expect(await rows()).toEqual([])
  })

  test('is not behind a name that leads to a private network [RATE-5]', async () => {
    const receiver = createTlsServer({ key: tlsKey, cert: tlsCertificate }, (_, response) => {
      response.end('{"bitcoin":{"usd":90000}}')
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const url = `https://${tlsName}:${(receiver.address() as AddressInfo).port}`
    const resolve = async () => [{ address: '127.0.0.1', family: 4 as const }]
    const at = (isPublic: boolean) => {
      const outside = { resolve, ca: tlsCertificate, ...(isPublic && { isPublic: () => true }) }
      return new Rates({ db, secrets: testSecrets, sources: rateSources({ outside }) })
    }
    try {
      await expect(at(false).ask({ kind: 'coingecko', url })).rejects.toMatchObject({
        code: 'rate_source_silent',
        details: { why: 'the address is not on the public internet' },
      })
      // The same one where that address counts as public.
      expect((await at(true).ask({ kind: 'coingecko', url })).host).toBe(hostOf(url))
    } finally {
      receiver.close()
    }
  })

  test.each([
    ['HTML', '<html>Welcome to nginx</html>', 'the answer is no JSON'],
    ['NaN', '{"bitcoin":{"usd":NaN}}', 'the answer is no JSON'],
    ['a negative price', '{"bitcoin":{"usd":-90000}}', 'not_positive'],
    ['a price of zero', '{"bitcoin":{"usd":0}}', 'not_positive'],
    ['a price beyond all bounds', '{"bitcoin":{"usd":1e400}}', 'not_positive'],
    ['a price without end', `{"bitcoin":{"usd":${'9'.repeat(500)}}}`, 'not_positive'],
    ['a price of yesterday', '{"bitcoin":{"usd":90000,"last_updated_at":1700000000}}', 'stale'],
    ['a price of no day at all', '{"bitcoin":{"usd":90000,"last_updated_at":1e40}}', 'stale'],
    ['a price of tomorrow', '{"bitcoin":{"usd":90000,"last_updated_at":9999999999}}', 'from_the_future'],
    ['nothing that it knows', '{}', 'absent'],
    ['a list', '[]', 'the answer has no prices where they belong'],
    ['prices that are objects', '{"bitcoin":{"usd":{}}}', 'the answer has no prices where they belong'],
    ['too much', `{"x":"${'x'.repeat(1_100_000)}"}`, 'the answer is too long'],
  ])('is none where it answers %s, and stops no other', async (_, text, why) => {
    const url = await saying(text)
    hosts.push(hostOf(url))
    const refused = await name(url)
    expect(refused.body.error).toMatchObject({ code: 'rate_source_silent', details: { why } })
    expect(await rows()).toEqual([])
    // As where it says so only once it is named.
    const input = { kind: 'coingecko', url, replaces: null }
    await actions.execute(rates.actions['rate-source.set'] as AnyAction, operatorActor(owner), input)
    expect(await rates.refresh()).toEqual({ updated: ['BTC'], problems: [] })
    const shown = (await sourceAt(hostOf(url))).said
    expect(shown).toEqual([expect.objectContaining({ code: 'BTC', used: false, problem: why })])
  })

  test('is none where it keeps silent, fails or leads on', async () => {
    const silent = await serve(() => {})
    const failing = await serve((_, response) => response.writeHead(500).end('{"bitcoin":{"usd":90000}}'))
    const away = await serve((_, response) => response.writeHead(302, { location: one.coingecko }).end())
    hosts.push(...[silent, failing, away].map(hostOf))
    const why = await Promise.all([silent, failing, away].map(async (url) => (await name(url)).body.error))
    expect(why.map(({ code }) => code)).toEqual(Array(3).fill('rate_source_silent'))
    expect(why[0].details.why).toBe('no answer within 8 s')
    expect(why[1].details.why).toBe('HTTP 500')
    expect(await rows()).toEqual([])
  })

  test('counts from the next reading on in every process, and no longer once it is removed', async () => {
    for (const which of ['kraken', 'coinbase']) own.fail(which, true)
    try {
      expect((await other.refresh()).problems).toEqual([{ code: 'BTC', problem: 'too_few' }])
      await name(one.coingecko)
      expect(await other.refresh()).toEqual({ updated: ['BTC'], problems: [] })
      expect((await sourceAt(hostOf(one.coingecko))).said).toMatchObject([{ code: 'BTC', used: true }])
      const { id } = await sourceAt(hostOf(one.coingecko))
      expect((await call('DELETE', `/rate-sources/${id}`)).status).toBe(200)
      expect((await other.refresh()).problems).toEqual([{ code: 'BTC', problem: 'too_few' }])
      expect((await call('DELETE', `/rate-sources/${id}`)).body.error.code).toBe('rate_source_unknown')
    } finally {
      for (const which of ['kraken', 'coinbase']) own.fail(which, false)
    }
  })

  test('says nothing any more that is written once it is taken away while it was asked [RATE-6]', async () => {
    sayOwn('90000', '90000', '90000')
    for (const which of ['kraken', 'coinbase']) own.fail(which, true)
    let answer: (() => void) | undefined
    const url = await serve((_, response) => {
      answer = () => response.end('{"bitcoin":{"usd":90900}}')
      if (isQuick) answer()
    })
    let isQuick = true
    hosts.push(hostOf(url))
    try {
      await name(url)
      isQuick = false
      answer = undefined
      const before = await rateOf()
      const refreshing = other.refresh()
      await expect.poll(() => answer !== undefined).toBe(true)
      await call('DELETE', `/rate-sources/${(await sourceAt(hostOf(url))).id}`)
      ;(answer as unknown as () => void)()
      expect((await refreshing).updated).toEqual([])
      expect(await rateOf()).toBe(before)
    } finally {
      for (const which of ['kraken', 'coinbase']) own.fail(which, false)
    }
  })

  test('alone moves no rate, whatever it says [RATE-6]', async () => {
    await name(one.coingecko)
    for (const lie of ['1', '45000', '99999999', '92000']) {
      one.say('coingecko', 'bitcoin', lie)
      expect(await other.refresh()).toEqual({ updated: ['BTC'], problems: [] })
      expect(Number(await rateOf())).toBe(20_000)
    }
    expect((await sourceAt(hostOf(one.coingecko))).said).toMatchObject([{ used: false, problem: 'outlier' }])
    // Within the limit it moves the median by less than that limit.
    one.say('coingecko', 'bitcoin', '91799')
    await other.refresh()
    expect(Math.abs(Number(await rateOf()) - 20_000)).toBeLessThan(20_000 * 0.02)
  })

  test('has a voice of its own [RATE-6]', async () => {
    await name(one.coingecko)
    // Another way of answering at the same host, and the host of one of the program.
    expect((await name(`${one.coinbase}`, null, 'coinbase')).body.error.code).toBe('rate_source_silent')
    one.say('coinbase', 'BTC-USD', '90000')
    expect((await name(one.coinbase, null, 'coinbase')).body.error.code).toBe('rate_source_twice')
    hosts.push(hostOf(own.kraken))
    try {
      // Where the environment lists its host, the address that the program knows has that voice, too.
      expect((await name(own.kraken, null, 'kraken')).body.error.code).toBe('rate_source_twice')
      expect((await name(own.coingecko)).body.error.code).toBe('rate_source_twice')
    } finally {
      hosts.pop()
    }
    expect(await rows()).toHaveLength(1)
    for (const [url, voice] of [
      ['https://pro-api.coingecko.com/api/v3', 'coingecko.com'],
      ['https://api.coingecko.com./api/v3', 'coingecko.com'],
      ['https://API.CoinGecko.com', 'coingecko.com'],
      ['https://prices.shop.co.uk', 'shop.co.uk'],
      ['https://prices.shop.com.br', 'shop.com.br'],
      // A short name below a country is one domain, too.
      ['https://one.abc.io', 'abc.io'],
      ['https://two.t.co', 't.co'],
      ['https://9.9.9.9:8443/x', '9.9.9.9'],
      ['https://[2606:4700::1111]/', '[2606:4700::1111]'],
    ])
      expect(voiceOf(url ?? '', [])).toBe(voice)
  })

  test('is not asked while one of the environment has its voice', async () => {
    await name(one.coingecko)
    const later = new Rates({
      db,
      secrets: testSecrets,
      sources: rateSources({
        own: { ...needs.own, coingecko: { url: `${one.coingecko}/other`, isGiven: true } },
        hosts,
      }),
    })
    expect((await later.list()).items.at(-1)).toMatchObject({ source: 'page', silence: 'same_voice' })
    await expect(later.askPresent(hostOf(one.coingecko))).rejects.toMatchObject({
      code: 'rate_source_unknown',
    })
  })

  test('is left out where its address can not be opened, and the others are asked', async () => {
    await name(one.coingecko)
    await db.query(sql`update rate_sources set url_encrypted = '\\x00'`)
    expect(await sourceAt(hostOf(one.coingecko))).toMatchObject({ silence: 'sealed' })
    expect(await rates.refresh()).toEqual({ updated: ['BTC'], problems: [] })
    // It is named again by its address.
    expect((await name(one.coingecko)).status).toBe(200)
    expect(await sourceAt(hostOf(one.coingecko))).toMatchObject({ silence: null })
  })

  test('is named by whoever may, over what they saw', async () => {
    const source = { kind: 'coingecko', url: one.coingecko }
    const by = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
      call(method, `/rate-sources${path}`, body, 'support', support)
    for (const refused of [
      await by('POST', '', { ...source, replaces: null }),
      await by('POST', '/ask', { name: null, source }),
      await by('PUT', '/own/kraken', { leftOut: true }),
      await by('DELETE', '/1'),
    ])
      expect(refused.status).toBe(403)
    const stale = await app.inject({
      method: 'POST',
      url: '/api/v1/operator/rate-sources',
      headers: { 'x-operator': `${owner}:owner`, 'x-stale': '1' },
      payload: { ...source, replaces: null },
    })
    expect(stale.json().error.code).toBe('step_up_required')
    await name(one.coingecko)
    const { id } = await sourceAt(hostOf(one.coingecko))
    const both = await Promise.all([two, third].map(({ coingecko }) => name(coingecko, id)))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(both.find(({ status }) => status === 409)?.body.error.code).toBe('conflict')
    expect(await rows()).toHaveLength(1)
  })

  test('is one of at most ten', async () => {
    for (let index = 0; index < 10; index += 1)
      await db.query(
        sql`insert into rate_sources (kind, host, url_encrypted, set_by)
            values ('kraken', ${`p${index}.example.org`}, '\\x00', ${owner})`,
      )
    expect((await name(one.coingecko)).body.error.code).toBe('rate_sources_full')
  })

  test('waits for a second operator, who sees its host and not its key [RATE-5]', async () => {
    await wantTwo(true)
    const url = `${one.coingecko}?key=geheim`
    expect((await name(url)).body.error.code).toBe('second_operator_required')
    expect(await rows()).toEqual([])
    const waiting = await call('GET', '/approval-requests?state=waiting', undefined, 'owner', second)
    expect(waiting.body.items[0]).toMatchObject({
      kind: 'rate-source.set',
      summary: { before: '—', host: `${hostOf(url)} (coingecko)` },
    })
    const kept = await db.query(sql`select payload, summary from approval_requests`)
    expect(JSON.stringify([waiting.text, kept])).not.toContain('geheim')
    const confirm = (id: string) =>
      call('POST', `/approval-requests/${id}/confirm`, undefined, 'owner', second)
    const newest = async () =>
      (await call('GET', '/approval-requests?state=waiting', undefined, 'owner', second)).body.items[0].id
    expect((await call('POST', `/approval-requests/${await newest()}/confirm`)).body.error.code).toBe(
      'approval_own',
    )
    expect((await confirm(await newest())).status).toBe(200)
    expect(await rows()).toHaveLength(1)
    const { id } = await sourceAt(hostOf(url))
    expect((await call('DELETE', `/rate-sources/${id}`)).body.error.code).toBe('second_operator_required')
    expect((await leaveOut('kraken', true)).body.error.code).toBe('second_operator_required')
    expect(await rows()).toHaveLength(1)
    expect(await sourceAt('kraken')).toMatchObject({ silence: null })
    // What was looked at is no longer what would change.
    expect((await name(two.coingecko, id)).body.error.code).toBe('second_operator_required')
    const replacing = await newest()
    await db.query(sql`delete from rate_sources`)
    expect((await confirm(replacing)).body.error.code).toBe('conflict')
    expect(await rows()).toEqual([])
  })
})

describe('a source of the program', () => {
  test('is left out and asked again from a page, in every process', async () => {
    sayOwn('90000', '45000', '90000')
    expect((await leaveOut('kraken', true)).status).toBe(200)
    expect(await sourceAt('kraken')).toMatchObject({
      source: 'program',
      silence: 'left_out',
      setBy: 'owner',
    })
    await other.refresh()
    const said = async () =>
      (await list()).items.flatMap((item: { name: string; said: unknown[] }) =>
        item.said.length > 0 ? [item.name] : [],
      )
    expect(await said()).toEqual(['coingecko', 'coinbase'])
    await leaveOut('kraken', true)
    expect((await leaveOut('kraken', false)).status).toBe(200)
    await other.refresh()
    expect(await said()).toEqual(['coingecko', 'kraken', 'coinbase'])
  })

  test('is not asked again beside one of its voice', async () => {
    const kraken = { url: third.kraken, isGiven: false }
    const here = new Rates({
      db,
      secrets: testSecrets,
      sources: rateSources({ own: { ...needs.own, kraken }, hosts }),
    })
    const set = (leftOut: boolean) =>
      actionsOf(db, here.actions).execute(
        here.actions['rate-source.leave-out'] as AnyAction,
        operatorActor(owner),
        {
          name: 'kraken',
          leftOut,
        },
      )
    await set(true)
    expect((await name(third.coingecko)).status).toBe(200)
    await expect(set(false)).rejects.toMatchObject({ code: 'rate_source_twice' })
    await db.query(sql`delete from rate_sources`)
    await set(false)
  })

  test('stands where the environment says so, and is shown as such [RATE-5]', async () => {
    expect((await leaveOut('coingecko', true)).body.error.code).toBe('rate_source_of_environment')
    // As where the environment names it later.
    await db.query(sql`insert into rate_sources_left_out (name, set_by) values ('coingecko', ${owner})`)
    expect(await sourceAt('coingecko')).toMatchObject({
      source: 'environment',
      silence: null,
      setBy: null,
      host: hostOf(own.coingecko),
    })
    const off = rateSources({ own: { ...needs.own, kraken: { url: null, isGiven: true } } })
    const items = (await off.list(db)).items
    expect(items.find((item) => item.name === 'kraken')).toMatchObject({
      source: 'environment',
      silence: 'left_out',
      host: null,
    })
  })
})

describe('Update Crypto Rates', () => {
  const refresh = () => call('POST', '/currencies/refresh-rates', {})

  test('sets without any setting what two sources agree on, and names the rest [RATE-4]', async () => {
    for (const [service, code] of [
      ['coingecko', 'ethereum'],
      ['kraken', 'ETHUSD'],
    ] as const)
      own.say(service, code, '4500')
    own.say('coingecko', 'litecoin', '90')
    own.say('kraken', 'LTCUSD', '45')
    const before = await rateOf('LTC')
    const { status, body } = await refresh()
    expect(status).toBe(200)
    expect(body.updated.toSorted()).toEqual(['BTC', 'ETH'])
    expect(body.missing).toContain('LTC')
    expect(Number(await rateOf('ETH'))).toBe(1_000)
    expect(await rateOf('LTC')).toBe(before)
  })

  test('changes nothing and says why where no two agree, or fewer than two are asked [RATE-4]', async () => {
    const before = await rateOf()
    sayOwn('1', '2', '3')
    own.say('kraken', 'ETHUSD', '1')
    expect((await refresh()).body.error).toMatchObject({
      code: 'rates_unavailable',
      details: { why: 'no_agreement' },
    })
    await leaveOut('kraken', true)
    await leaveOut('coinbase', true)
    expect((await refresh()).body.error).toMatchObject({
      code: 'rates_unavailable',
      details: { why: 'too_few_sources' },
    })
    expect(await rateOf()).toBe(before)
  })
})
