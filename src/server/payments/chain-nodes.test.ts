import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { LyingNode } from '../../../test/chains/lying-node.ts'
import { type Anvil, startAnvil } from '../../../test/chains/processes.ts'
import { actionsOf, operatorActor, quietUnits } from '../../../test/support/actions.ts'
import { openSale } from '../../../test/support/campaign.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { addOperator, headerServer } from '../../../test/support/header-server.ts'
import { rateSources } from '../../../test/support/rate-sources.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { tlsCertificate, tlsKey, tlsName } from '../../../test/support/tls.ts'
import { until } from '../../../test/support/until.ts'
import type { AnyAction } from '../actions/actions.ts'
import { type ChainConfig, readChains } from '../chain-config.ts'
import { sql } from '../database/database.ts'
import { mountApprovals } from '../http/approvals.ts'
import { mountPayments } from '../http/payments.ts'
import { publicFetch } from '../outside/outside.ts'
import { Rates } from '../rates/rates.ts'
import { createSource } from './chain-access.ts'
import { ChainNodes } from './chain-nodes.ts'
import { Payments } from './payments.ts'
import { Watchers } from './watchers.ts'

const { db } = await createTestDatabase({ holds: 'demo' })
await openSale(db)
const quiet = { info() {}, warn() {}, error() {} }
const anvil: Anvil = await startAnvil()
const other: Anvil = await startAnvil()
const servers: Server[] = []
afterAll(async () => {
  await Promise.all([anvil.stop(), other.stop()])
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

/** Something at an address that is no node. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const html = await serve((_, response) => response.end('<html>Welcome to nginx</html>'))
const silent = await serve(() => {})
const lying = await serve((request, response) => {
  let text = ''
  request.on('data', (part) => {
    text += part
  })
  request.on('end', () => response.end(JSON.stringify({ id: JSON.parse(text).id, result: 'no block' })))
})
const between = new LyingNode()
const betweenUrl = await between.start(anvil.url)
const mine = (blocks: number) => anvil.rpc.call('anvil_mine', `0x${blocks.toString(16)}`)
const hostOf = (url: string) => new URL(url).host

const settings = new Map([
  ['CHAIN_ETHEREUM_ID', '31337'],
  ['CHAIN_ETHEREUM_POLL_MS', '100'],
])
const rules = { settings, hosts: [anvil.url, other.url, html, silent, lying, betweenUrl].map(hostOf) }
const given = readChains({ CHAIN_LITECOIN_RPC_URL: 'http://user:geheim@127.0.0.1:1' })
const payments = new Payments({
  db,
  units: quietUnits(db),
  secrets: testSecrets,
  configs: given,
  nodeRules: rules,
  hintOutbox() {},
  log: quiet,
})
const actions = actionsOf(db, payments.actions)
const app = headerServer(db, (server) => {
  mountPayments(
    { ...server, actions },
    payments,
    new Rates({ db, secrets: testSecrets, sources: rateSources() }),
  )
  mountApprovals({ ...server, actions }, actions)
})
const owner = await addOperator(db, 'owner', 'owner')
const second = await addOperator(db, 'other', 'owner')
const support = await addOperator(db, 'support', 'support')

async function call(method: 'GET' | 'POST' | 'PUT', path: string, body?: object, role = 'owner', id = owner) {
  const response = await app.inject({
    method,
    url: `/api/v1/operator${path}`,
    headers: { 'x-operator': `${id}:${role}` },
    ...(body && { payload: body }),
  })
  return { status: response.statusCode, text: response.body, body: response.json() }
}
const chainOf = async (network: string) =>
  (await call('GET', '/chains')).body.items.find((chain: { network: string }) => chain.network === network)
const revisionOf = async (network = 'ethereum') => (await chainOf(network))?.revision ?? null
async function name(url: string, place = 1, network = 'ethereum', kind = 'evm') {
  return call('PUT', `/chains/${network}/nodes/${place}`, { kind, url, revision: await revisionOf(network) })
}
const remove = async (place = 1, network = 'ethereum') =>
  call('POST', `/chains/${network}/nodes/${place}/remove`, { revision: await revisionOf(network) })
const rows = () =>
  db.query<{ id: string; url_encrypted: Buffer }>(sql`select id, url_encrypted from chain_nodes`)
const wantTwo = (wanted: boolean) =>
  db.query(
    sql`update campaign set settings = jsonb_set(settings, '{secondOperator}', to_jsonb(${wanted}::boolean))`,
  )

beforeEach(async () => {
  await wantTwo(false)
  await db.query(sql`delete from chain_nodes`)
  await payments.nodes.refresh()
})

/** A process of its own: it reads the nodes and follows them. */
function startFollowing(): { nodes: ChainNodes; watchers: Watchers; stop: () => Promise<void> } {
  const nodes = new ChainNodes({ db, secrets: testSecrets, given: [], rules, log: quiet })
  const watchers = new Watchers({
    db,
    secrets: testSecrets,
    chains: nodes.configs,
    nodes,
    sourceOf: (chain: ChainConfig) => createSource(chain),
    hintOutbox() {},
    log: quiet,
  })
  return {
    nodes,
    watchers,
    stop: async () => {
      await Promise.all([watchers.stop(), nodes.stop()])
    },
  }
}
const leaderOf = () =>
  db.one<{ leader: string | null; epoch: string; height: string | null; node_height: string | null }>(
    sql`select leader, epoch::text, height::text, node_height::text from chains where name = 'ethereum'`,
  )
const sees = (height: number) => until(async () => Number((await leaderOf()).node_height) >= height)

describe('a node that a page names', () => {
  test('is asked, kept sealed, and shown by its host alone [SETTLE-26]', async () => {
    const url = `${anvil.url}/?key=schluessel-im-pfad`
    const asked = await call('POST', '/chains/ethereum/nodes/1/ask', {
      node: { kind: 'evm', url, revision: await revisionOf() },
    })
    expect(asked).toMatchObject({
      status: 200,
      body: { height: expect.any(Number), minedAt: expect.any(String) },
    })
    expect(await rows()).toEqual([])
    expect(await db.query(sql`select action from audit_log where action = 'chain.ask-node'`)).toHaveLength(1)
    const named = await name(url)
    expect(named).toMatchObject({
      status: 200,
      body: {
        network: 'ethereum',
        configured: true,
        nodes: [{ place: 1, kind: 'evm', host: hostOf(anvil.url), source: 'page', setBy: 'owner' }],
      },
    })
    const [row] = await rows()
    expect(testSecrets.decrypt('chain-node', row?.url_encrypted ?? Buffer.alloc(0), row?.id)).toBe(url)
    const shown = [named.text, (await call('GET', '/chains')).text]
    const audit = await db.query(sql`select * from audit_log where action like 'chain.%node%'`)
    expect(audit.length).toBeGreaterThan(0)
    const kept = JSON.stringify([shown, audit, await rows()])
    expect(kept).not.toContain('schluessel')
    expect(kept).toContain(hostOf(anvil.url))
    expect((await call('POST', '/chains/ethereum/nodes/1/ask', { node: null })).status).toBe(200)
    expect((await call('POST', '/chains/ethereum/nodes/2/ask', { node: null })).body.error.code).toBe(
      'node_unknown',
    )
  })

  test.each([
    ['http, outside the list', 'http://node.example.org'],
    ['this machine, at another port', 'http://127.0.0.1:5432'],
    ['this machine over TLS', 'https://127.0.0.1'],
    ['a private network', 'https://10.0.0.5:8545'],
    ['the metadata of a cloud', 'https://169.254.169.254/latest'],
    ['a name of the own network', 'https://node.internal'],
    ['no address', 'ftp://node.example.org'],
    ['nothing of the kind', 'anvil'],
  ])('is not at %s', async (_, url) => {
    expect((await name(url)).body.error.code).toBe('node_address_refused')
    const node = { kind: 'evm', url, revision: await revisionOf() }
    expect((await call('POST', '/chains/ethereum/nodes/1/ask', { node })).body.error.code).toBe(
      'node_address_refused',
    )
    await expect(
      actions.execute(payments.actions['chain.node'] as AnyAction, operatorActor(owner), {
        network: 'ethereum',
        place: 1,
        ...node,
      }),
    ).rejects.toMatchObject({ code: 'node_address_refused' })
    expect(await rows()).toEqual([])
  })

  test.each([
    ['a page of HTML', html],
    ['silence', silent],
    ['answers that are none', lying],
  ])('is none where there is %s', async (_, url) => {
    expect((await name(url)).body.error).toMatchObject({ code: 'node_silent' })
    expect(await rows()).toEqual([])
  })

  test('is none of another network', async () => {
    expect((await name(anvil.url, 1, 'polygon')).body.error.code).toBe('node_other_network')
    expect(await rows()).toEqual([])
  })

  test('is not one of a network that nobody can follow, of another kind, or second where there is one alone', async () => {
    expect((await name(anvil.url, 1, 'solana')).body.error.code).toBe('chain_unknown')
    expect((await name(anvil.url, 1, 'ethereum', 'core')).status).toBe(422)
    expect((await name(anvil.url, 2, 'bitcoin', 'core')).status).toBe(422)
    expect((await name(anvil.url, 3)).status).toBe(422)
    expect(await rows()).toEqual([])
  })

  test('stands behind the one of the environment [SETTLE-26]', async () => {
    expect((await name(anvil.url, 1, 'litecoin', 'core')).body.error.code).toBe('node_of_environment')
    expect((await remove(1, 'litecoin')).body.error.code).toBe('node_of_environment')
    await db.query(
      sql`insert into chains (name, family, confirmation_rules) values ('litecoin', 'bitcoin', '[]') on conflict do nothing`,
    )
    // As where the environment names one later.
    await db.query(
      sql`insert into chain_nodes (network, place, kind, host, url_encrypted, set_by)
          values ('litecoin', 1, 'core', 'evil.example.org', ${testSecrets.encrypt('chain-node', 'https://evil.example.org', 'x')}, ${owner})`,
    )
    await payments.nodes.refresh()
    expect(payments.configs.find(({ network }) => network === 'litecoin')).toBe(given[0])
    expect((await chainOf('litecoin')).nodes).toEqual([
      { place: 1, kind: 'core', host: '127.0.0.1:1', source: 'environment', setAt: null, setBy: null },
    ])
    expect(JSON.stringify((await call('GET', '/chains')).text)).not.toContain('geheim')
  })

  test('is named by whoever may, over what they saw', async () => {
    const revision = await revisionOf()
    const node = { kind: 'evm', url: anvil.url, revision }
    expect((await call('PUT', '/chains/ethereum/nodes/1', node, 'support', support)).status).toBe(403)
    expect((await call('POST', '/chains/ethereum/nodes/1/ask', { node }, 'support', support)).status).toBe(
      403,
    )
    const both = await Promise.all(
      [anvil.url, other.url].map((url) => call('PUT', '/chains/ethereum/nodes/1', { ...node, url })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(both.find(({ status }) => status === 409)?.body.error.code).toBe('conflict')
    expect(await rows()).toHaveLength(1)
    expect((await call('POST', '/chains/ethereum/nodes/1/remove', { revision })).body.error.code).toBe(
      'conflict',
    )
    expect((await remove()).body).toMatchObject({ configured: false, nodes: [] })
    expect((await remove()).body.error.code).toBe('node_unknown')
  })

  test('waits for a second operator, who sees its host and not its key [SETTLE-26]', async () => {
    await wantTwo(true)
    const url = anvil.url.replace('http://', 'http://user:kennwort@')
    expect((await name(url)).body.error.code).toBe('second_operator_required')
    expect(await rows()).toEqual([])
    const waiting = await call('GET', '/approval-requests?state=waiting', undefined, 'owner', second)
    expect(waiting.body.items[0]).toMatchObject({
      kind: 'chain.node',
      summary: { network: 'ethereum', place: '1', before: '—', host: `${hostOf(anvil.url)} (evm)` },
    })
    const kept = await db.query(sql`select payload from approval_requests`)
    expect(JSON.stringify([waiting.text, kept])).not.toContain('kennwort')
    const { id } = waiting.body.items[0]
    // Another change of the chain in between: what was looked at is no longer what would change.
    await db.query(sql`update chains set revision = revision + 1 where name = 'ethereum'`)
    const confirm = (which: string) =>
      call('POST', `/approval-requests/${which}/confirm`, undefined, 'owner', second)
    expect((await confirm(id)).body.error.code).toBe('conflict')
    await call('POST', `/approval-requests/${id}/refuse`, undefined, 'owner', second)
    await name(url)
    const again = (await call('GET', '/approval-requests?state=waiting', undefined, 'owner', second)).body
      .items[0].id
    expect((await confirm(again)).status).toBe(200)
    expect(await rows()).toHaveLength(1)
    expect((await remove()).body.error.code).toBe('second_operator_required')
    expect(await rows()).toHaveLength(1)
  })

  test('is left out where its address can not be opened, and the rest goes on', async () => {
    await name(anvil.url)
    await payments.nodes.refresh()
    expect(payments.configs.map(({ network }) => network)).toEqual(['litecoin', 'ethereum'])
    await db.query(sql`update chain_nodes set url_encrypted = '\\x00'`)
    await payments.nodes.refresh()
    expect(payments.configs.map(({ network }) => network)).toEqual(['litecoin'])
  })

  test('is still asked as the second one where its address can not be opened: what needs its word waits [SETTLE-28]', async () => {
    await name(anvil.url)
    await name(other.url, 2)
    await db.query(sql`update chain_nodes set url_encrypted = '\\x00' where place = 2`)
    await payments.nodes.refresh()
    const config = payments.configs.find(({ network }) => network === 'ethereum')
    const source = config && createSource(config)
    expect(source?.secondOpinions).toBeDefined()
    await expect(source?.secondOpinions?.([anyPayment])).rejects.toThrow()
  })
})

const anyPayment = {
  id: '1',
  transactionId: `0x${'1'.repeat(64)}`,
  outputKey: 'value',
  addressKey: `0x${'1'.repeat(40)}`,
  asset: 'native',
  amount: '1',
  decimals: 18,
  height: 1,
  held: [],
  sent: [],
  isLacking: false,
}

describe('watchers', () => {
  test('follow a node that is named, replaced and removed, without a restart [SETTLE-26]', async () => {
    await name(anvil.url)
    await remove()
    const [one, two] = [startFollowing(), startFollowing()]
    try {
      for (const { nodes, watchers } of [one, two]) {
        nodes.start()
        await watchers.start()
      }
      await mine(7)
      await name(anvil.url)
      await sees(7)
      const led = await leaderOf()
      expect(led.leader).not.toBeNull()
      // Nothing that the node says which was there is written once another one is named.
      await name(`${anvil.url}/?again`)
      const after = await leaderOf()
      expect(Number(after.epoch)).toBeGreaterThan(Number(led.epoch))
      await mine(3)
      await sees(10)
      // Whoever leads goes: the other one follows the same node.
      const stopped = (await leaderOf()).leader
      await one.stop()
      await mine(3)
      await sees(13)
      await two.stop()
      expect(stopped).not.toBeNull()
      const three = startFollowing()
      await three.nodes.refresh()
      await three.watchers.start()
      await mine(2)
      await sees(15)
      await remove()
      await three.nodes.refresh()
      expect(three.nodes.configs).toEqual([])
      await until(async () => (await locks()) === 0)
      await mine(2)
      const idle = await leaderOf()
      await new Promise((resolve) => setTimeout(resolve, 500))
      expect(await leaderOf()).toEqual(idle)
      await three.stop()
    } finally {
      await Promise.all([one.stop(), two.stop()])
    }
  })

  test('leave a node that keeps silent as soon as another one is named [SETTLE-26]', async () => {
    between.lie = undefined
    await name(betweenUrl)
    const process = startFollowing()
    try {
      process.nodes.start()
      await process.watchers.start()
      await mine(2)
      const height = Number(await anvil.rpc.call<string>('eth_blockNumber'))
      await sees(height)
      between.lie = 'silent'
      await new Promise((resolve) => setTimeout(resolve, 500))
      await name(anvil.url)
      await mine(3)
      await sees(height + 3)
    } finally {
      between.lie = undefined
      await process.stop()
    }
  })

  test('ask again before a chain that one node shows is taken from another [SETTLE-26]', async () => {
    await name(anvil.url)
    await db.query(
      sql`update chains set stopped = true, last_error = 'the chain changed' where name = 'ethereum'`,
    )
    const resumed = { network: 'ethereum', revision: await revisionOf() }
    await actions.execute(payments.actions['chain.resume'] as AnyAction, operatorActor(owner), resumed)
    const takes = () =>
      db.one<{ takes: boolean }>(sql`select takes_new_chain as takes from chains where name = 'ethereum'`)
    expect(await takes()).toEqual({ takes: true })
    await name(`${anvil.url}/?another`)
    expect(await takes()).toEqual({ takes: false })
    await db.query(sql`update chains set takes_new_chain = true where name = 'ethereum'`)
    await remove()
    expect(await takes()).toEqual({ takes: false })
  })

  test('are not asked of a payment twice at one node [SETTLE-26]', async () => {
    expect((await name(anvil.url)).status).toBe(200)
    for (const url of [anvil.url, `${anvil.url}/?another`])
      expect(await name(url, 2)).toMatchObject({
        status: 409,
        body: { error: { code: 'node_in_both_places' } },
      })
    expect((await name(betweenUrl, 2)).status).toBe(200)
    expect((await name(betweenUrl)).body.error.code).toBe('node_in_both_places')
    await remove(2)
  })

  test('are not asked of a payment twice at one node under another name of its host [SETTLE-26]', async () => {
    const set = async (place: number, url: string) =>
      actions.execute(payments.actions['chain.node'], operatorActor(owner), {
        network: 'ethereum',
        place,
        kind: 'evm',
        url,
        revision: await revisionOf(),
      })
    await set(1, 'https://eth.node.example.co.uk/v2/key')
    for (const twin of [
      'https://eth.node.example.co.uk:8443/v2/key',
      'https://eth.node.example.co.uk./v2/key',
      'https://eth2.node.example.co.uk/v2/key',
      'https://EXAMPLE.co.uk/v2/key',
    ])
      await expect(set(2, twin), twin).rejects.toMatchObject({ code: 'node_in_both_places' })
    await set(2, 'https://another.co.uk')
    await expect(set(1, 'https://rpc.another.co.uk:4443')).rejects.toMatchObject({
      code: 'node_in_both_places',
    })
    await remove(2)
  })

  test('read a true node that takes the place of one that lied of its first block [SETTLE-26]', async () => {
    between.change = ({ method, params }, answer) =>
      method === 'eth_getBlockByNumber' && params[0] === '0x0'
        ? { result: { ...(answer.result as object), hash: `0x${'ab'.repeat(32)}` } }
        : undefined
    const identity = async () =>
      (await db.one<{ identity: string | null }>(sql`select identity from chains where name = 'ethereum'`))
        .identity
    const process = startFollowing()
    try {
      expect((await name(betweenUrl)).status).toBe(200)
      process.nodes.start()
      await process.watchers.start()
      await until(async () => (await identity())?.endsWith('ab') === true)
      expect((await name(anvil.url)).status).toBe(200)
      await until(async () => (await identity())?.endsWith('ab') === false)
      await mine(2)
      await sees(Number(await anvil.rpc.call<string>('eth_blockNumber')))
      expect((await chainOf('ethereum')).lastError).toBeNull()
    } finally {
      between.change = () => undefined
      await process.stop()
    }
  })

  test('stop at a node that shows another chain, whatever was said when it was named [SETTLE-26]', async () => {
    await db.query(
      sql`insert into payments (chain, transaction_id, output_key, address, asset, amount, seen_at, confirmations_needed, fault)
          values ('ethereum', '0x1', 'native', '0xnobodys', 'native', 1, now(), 1, 'unmatched')`,
    )
    await db.query(sql`update chains set identity = '31337:0xanother' where name = 'ethereum'`)
    expect((await name(anvil.url)).body.error.code).toBe('node_other_network')
    // Past the question: as by a node that lies only later.
    const revision = await revisionOf()
    const input = { network: 'ethereum', place: 1, kind: 'evm', url: anvil.url, revision }
    await actions.execute(payments.actions['chain.node'] as AnyAction, operatorActor(owner), input)
    const process = startFollowing()
    try {
      await process.nodes.refresh()
      await process.watchers.start()
      await until(
        async () =>
          (await db.one<{ stopped: boolean }>(sql`select stopped from chains where name = 'ethereum'`))
            .stopped,
      )
      expect((await chainOf('ethereum')).lastError).toContain('another network')
    } finally {
      await process.stop()
      await db.query(
        sql`update chains set identity = null, stopped = false, last_error = null where name = 'ethereum'`,
      )
    }
  })
})

const locks = async () =>
  (
    await db.one<{ count: number }>(
      sql`select count(*)::integer as count from pg_stat_activity
         where datname = current_database() and application_name = 'presale watcher ethereum'`,
    )
  ).count

describe('the public internet alone', () => {
  const asked = { headers: {}, signal: AbortSignal.timeout(60_000) }
  test('is where a name has to lead, whatever it said before [SETTLE-26]', async () => {
    const resolve = async () => [{ address: '127.0.0.1', family: 4 as const }]
    await expect(publicFetch('https://node.example.org', asked, 1_000, { resolve })).rejects.toThrow(
      'not on the public internet',
    )
    await expect(publicFetch('http://node.example.org', asked, 1_000)).rejects.toThrow('not https')
  })

  test('is asked by TLS at the address that was checked, and sends nobody on', async () => {
    const receiver = createTlsServer({ key: tlsKey, cert: tlsCertificate }, (request, response) => {
      if (request.url === '/away') response.writeHead(302, { location: 'http://127.0.0.1/' }).end()
      else if (request.url === '/long') response.end('x'.repeat(2_000))
      else response.end(`${request.method} ${request.headers['x-key'] ?? ''}`)
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const base = `https://${tlsName}:${(receiver.address() as AddressInfo).port}`
    const outside = {
      resolve: async () => [{ address: '127.0.0.1', family: 4 as const }],
      isPublic: () => true,
      ca: tlsCertificate,
    }
    const post = { ...asked, method: 'POST', headers: { 'x-key': 'k' }, body: '{}' }
    try {
      expect(await (await publicFetch(`${base}/`, post, 1_000, outside)).text()).toBe('POST k')
      await expect(publicFetch(`${base}/away`, asked, 1_000, outside)).rejects.toThrow(
        'redirects are not followed',
      )
      await expect(publicFetch(`${base}/long`, asked, 1_000, outside)).rejects.toThrow('too long')
    } finally {
      receiver.close()
    }
  })

  test('is asked by every page’s node that the environment does not list', async () => {
    await name(anvil.url)
    const strict = new ChainNodes({
      db,
      secrets: testSecrets,
      given: [],
      rules: { settings, hosts: [] },
      log: quiet,
    })
    await strict.refresh()
    const [chain] = strict.configs
    expect(chain?.publicOnly).toEqual({ first: true, second: false })
    await expect(createSource(chain as ChainConfig).tipHeight()).rejects.toThrow('not https')
  })
})
