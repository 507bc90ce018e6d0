import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runProgram } from '../test/support/program.ts'
import { sha256 } from './node-hash.ts'
import {
  consistencyProof,
  cosigned,
  inclusionProof,
  LogWriter,
  leafHash,
  makeKey,
  treeHash,
} from './testing/log-writer.ts'
import { askOriginal } from './testing/original.ts'
import { exampleSale, orderName, Sale } from './testing/sale.ts'
import { NOTHING_ELSE } from './testing/served.ts'
import { pathOf, rangeHash, tileAt, upperTilesOf } from './tiles.ts'
import { consistencyRangesOf, TreeHash } from './tree.ts'

describe('the program', () => {
  const sale = exampleSale()
  /** The same log with another key, and the sale's figures with one that is not. */
  const campaigns: Record<string, unknown> = {
    '': sale.campaign(),
    '/wrong': { ...sale.campaign(), purchasedTokens: '134.343333' },
    '/other': sale.campaign(),
  }
  const others = sale.log.rewritten((entries) => entries)
  others.key = makeKey(sale.log.origin)
  let server: Server
  let url: string
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'verify-'))
    server = createServer(({ url: path = '' }, response) => {
      const [, site = '', rest = ''] = /^(\/wrong|\/other)?\/(.*)$/.exec(path) ?? []
      const log = site === '/other' ? others : sale.log
      const isFigures = rest === 'api/v1/campaign'
      const answer = isFigures ? campaigns[site] : rest.startsWith('api/') ? NOTHING_ELSE : undefined
      const body = answer ? JSON.stringify(answer) : log.file(rest.replace('journal/', ''))
      response.writeHead(body === undefined ? 404 : 200).end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })

  afterAll(async () => {
    for (const each of [server, ...servers]) each.close()
    await rm(folder, { recursive: true })
  })

  /** The address of another server, which ends with the tests. */
  const servers: Server[] = []
  const listening = async (answer: RequestListener) => {
    const other = createServer(answer)
    servers.push(other)
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  }

  const verify = (...args: string[]) => runProgram(['verify/verify.ts', ...args], { XDG_STATE_HOME: folder })

  test('ends with 0 where all agrees and keeps what it saw, with 1 where a figure or the log does not', async () => {
    const first = await verify(url)
    expect(first).toMatchObject({ code: 0, output: expect.stringContaining('First look') })
    expect(first.output).toMatch(/All \d+ figures agree with the journal's first 22 entries\./)
    const file = join(folder, 'journal-verifier', `${new URL(url).host.replace(':', '_')}.json`)
    const kept = await readFile(file, 'utf8')
    expect(JSON.parse(kept)).toMatchObject({ v: 1, vkey: sale.log.key.vkey })
    const copy = join(folder, 'copy.json')
    await copyFile(file, copy)
    const [again, figures, log] = await Promise.all([
      verify(url, '--json'),
      verify(`${url}/wrong`, '--state', join(folder, 'wrong.json')),
      verify(`${url}/other`, '--state', copy, '--json'),
    ])
    expect(again.code).toBe(0)
    expect(JSON.parse(again.output)).toMatchObject({ agrees: true, previous: { size: 22 } })
    expect(figures).toMatchObject({
      code: 1,
      output: expect.stringMatching(/DIFFERS {2}purchasedTokens .* by 0\.01, /),
    })
    expect(log.code).toBe(1)
    expect(JSON.parse(log.output).faults).toContainEqual(expect.stringContaining('The log has another key'))
    expect(await readFile(copy, 'utf8')).toBe(kept)
  })

  test('ends with 2 where it could not look', async () => {
    const damaged = join(folder, 'damaged.json')
    await writeFile(damaged, '{')
    const [address, nothing, option, elsewhere, state] = await Promise.all([
      verify('ftp://sale.example'),
      verify(),
      verify('--colour', url),
      verify(`${url}/elsewhere`, '--json'),
      verify(url, '--state', damaged),
    ])
    const unchecked = (part: string) => ({ code: 2, output: expect.stringContaining(part) })
    expect(address).toMatchObject(unchecked('no address of a site'))
    expect(nothing).toMatchObject(unchecked('npm run verify -- https://site'))
    expect(option).toMatchObject(unchecked('--colour'))
    expect(elsewhere).toMatchObject(unchecked('"agrees":null'))
    expect(state).toMatchObject(unchecked('last look'))
  })

  test('checks a receipt with the key of the site, of the last look or of an argument', async () => {
    const file = join(folder, 'order.tlog-proof')
    await writeFile(file, sale.log.proof(2, 9))
    const none = ['--state', join(folder, 'none.json')]
    const [online, keyless, named, nonsense, stranger] = await Promise.all([
      verify('--proof', file, url, ...none),
      verify('--proof', file, ...none),
      verify('--proof', file, '--vkey', sale.log.key.vkey),
      verify('--proof', file, '--vkey', 'nonsense'),
      verify('--proof', file, '--vkey', others.key.vkey, '--json'),
    ])
    expect(online).toMatchObject({ code: 0, output: expect.stringContaining('22 entries, still holds it') })
    expect(online.output).toContain(sale.log.entries[2]?.toString())
    expect(online.output).toContain('Whether it was taken back after that is not in a receipt')
    expect([keyless.code, named.code, nonsense.code]).toEqual([2, 0, 2])
    expect(stranger).toMatchObject({ code: 1, output: expect.stringContaining('"agrees":false') })
  })

  test('takes a receipt from before its log’s key was replaced, once it has followed the keys', async () => {
    const rekeyed = exampleSale()
    const own = rekeyed.log.key
    const file = join(folder, 'before.tlog-proof')
    await writeFile(file, rekeyed.log.proof(2))
    rekeyed.log.rekey('2027-01-01T00:00:00.000Z')
    const site = createServer(({ url: path = '' }, response) => {
      const rest = path.slice(1)
      const figures = rest === 'api/v1/campaign' ? rekeyed.campaign() : NOTHING_ELSE
      const body = rest.startsWith('api/')
        ? JSON.stringify(figures)
        : rekeyed.log.file(rest.replace('journal/', ''))
      response.writeHead(body === undefined ? 404 : 200).end(body)
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    const state = ['--state', join(folder, 'rekeyed.json')]
    const unknown = await verify('--proof', file, address, ...state)
    expect(unknown).toMatchObject({ code: 2, output: expect.stringContaining('not signed with today’s key') })
    expect((await verify(address, ...state)).code).toBe(0)
    const followed = await verify('--proof', file, address, ...state)
    expect(followed).toMatchObject({ code: 0, output: expect.stringContaining('23 entries, still holds it') })
    const named = await verify('--proof', file, address, ...state, '--vkey', own.vkey)
    expect(named).toMatchObject({ code: 0, output: expect.stringContaining('still holds it') })
    // A longer list signed by a stolen replaced key is invalid, even with that key named.
    const forged = rekeyed.log.rewritten((entries) => [...entries, { ...entries[8], row: 'postings/999' }])
    forged.key = own
    const forgery = join(folder, 'forged.tlog-proof')
    await writeFile(forgery, forged.proof(forged.entries.length - 1))
    for (const key of [[], ['--vkey', own.vkey]])
      expect(await verify('--proof', forgery, ...state, ...key)).toMatchObject({
        code: 1,
        output: expect.stringContaining('was replaced at the end of 23 entries'),
      })
    site.close()
  })

  test('names a payment that no chain knows, though every figure agrees and it covers its order', async () => {
    const credited = exampleSale()
    const currency = { code: 'BTC', network: 'bitcoin', address: 'bc1qseller' }
    credited.say('currency.set', {
      subject: 'currencies/1',
      currency: currency.code,
      network: currency.network,
      contract: null,
      address: currency.address,
      wallet: null,
      isAccepted: true,
      isPaused: false,
    })
    credited.approve('made up', 40_000_000n)
    const order = orderName('made up')
    const said = credited.log.entries.map((entry) => JSON.parse(entry.toString()) as Record<string, string>)
    const payments = said.filter(({ kind }) => kind === 'payment.credited')
    const madeUp = payments.find((payment) => payment['order'] === order) as Record<string, string>
    /** A Bitcoin node, which knows all payments or all but that one. */
    const nodeThat = (knows: (transaction: string) => boolean) =>
      listening((request, response) => {
        let body = ''
        request.on('data', (part) => (body += part))
        request.on('end', () => {
          const [transaction] = (JSON.parse(body) as { params: string[] }).params
          const paid = payments.find((payment) => payment['transaction'] === transaction)
          const answer =
            paid && knows(paid['transaction'] ?? '')
              ? {
                  result: {
                    confirmations: 9,
                    vout: [{ value: Number(paid['amount']), scriptPubKey: { address: paid['address'] } }],
                  },
                }
              : { error: { code: -5, message: 'No such mempool or blockchain transaction' } }
          response.end(JSON.stringify(answer))
        })
      })
    const [site, all, most] = await Promise.all([
      listening(({ url: path = '' }, response) => {
        const rest = path.slice(1)
        const items = [{ ...currency, watched: false }]
        const shown = { 'api/v1/campaign': credited.campaign(), 'api/v1/currencies': { items } }[rest]
        const body = rest.startsWith('api/')
          ? JSON.stringify(shown ?? NOTHING_ELSE)
          : credited.log.file(rest.replace('journal/', ''))
        response.writeHead(body === undefined ? 404 : 200).end(body)
      }),
      nodeThat(() => true),
      nodeThat((transaction) => transaction !== madeUp['transaction']),
    ])
    const state = (name: string) => ['--state', join(folder, `${name}.json`)]
    const [unasked, known, missing, json] = await Promise.all([
      verify(site, ...state('unasked')),
      verify(site, ...state('known'), '--node', `bitcoin=${all}`),
      verify(site, ...state('missing'), '--node', `bitcoin=${most}`),
      verify(site, ...state('json'), '--node', `bitcoin=${most}`, '--json'),
    ])
    expect(unasked).toMatchObject({ code: 0 })
    expect(known).toMatchObject({ code: 0, output: expect.stringContaining('On the chains: 3 payments') })
    expect(missing.code).toBe(1)
    expect(missing.output).toContain(
      `MISSING  ${madeUp['subject']} (bitcoin ${madeUp['transaction']}): no chain knows this transaction`,
    )
    expect(missing.output).toMatch(/This does NOT agree: 1 payments are on no chain\.\n$/)
    expect(json.code).toBe(1)
    expect(JSON.parse(json.output).chains).toMatchObject({ found: 2, missing: [{ order, output: '0' }] })
  })

  test('checks whose the address of an order is, offline, by a tree that somebody else has made', async () => {
    const bought = new Sale()
    const [key, salt] = ['ab'.repeat(32), 'cd'.repeat(32)]
    const leaves = Array.from({ length: 11 }, (_, at) =>
      JSON.stringify({ address: `bc1q${at}`, index: 100 + at, key, salt, v: 1 }),
    )
    const hashes = leaves.map((leaf) => leafHash(Buffer.from(leaf)))
    const terms = {
      subject: 'wallet_announcements/2',
      wallet: 7,
      family: 'bitcoin',
      script: 'p2wpkh',
      net: 'main',
      key,
    }
    bought.say('wallet.announced', {
      ...terms,
      first: 100,
      count: 11,
      root: treeHash(hashes).toString('hex'),
    })
    const parts = {
      v: 1,
      leaf: leaves[3],
      path: inclusionProof(hashes, 3).map((hash) => hash.toString('hex')),
      proof: bought.log.proof(1, 2),
    }
    const write = async (name: string, change: object) => {
      const file = join(folder, `${name}.address.json`)
      await writeFile(file, JSON.stringify({ ...parts, ...change }))
      return file
    }
    const [good, swapped] = [
      await write('good', {}),
      await write('swapped', { leaf: leaves[3]?.replace('bc1q3', 'bc1qthief') }),
    ]
    const address = (file: string, ...more: string[]) =>
      verify('--address', file, '--vkey', bought.log.key.vkey, ...more)
    const [right, own, other, wrong] = await Promise.all([
      address(good),
      address(good, '--is', 'bc1q3', '--json'),
      address(good, '--is', 'bc1q4'),
      address(swapped),
    ])
    expect(right).toMatchObject({
      code: 0,
      output: expect.stringContaining('bc1q3 is address 103 of the wallet 7'),
    })
    expect(own).toMatchObject({ code: 0, output: expect.stringContaining('"address": "bc1q3"') })
    expect(other).toMatchObject({
      code: 1,
      output: expect.stringContaining('of the address bc1q3, not bc1q4'),
    })
    expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining('bc1qthief is not address 103') })
  })

  test('wants the cosignature of each witness that is named, under the receipt’s own checkpoint', async () => {
    const [witness, other] = [makeKey('witness.example/w', 4), makeKey('other.example/w', 4)]
    const { log } = sale
    const own = log.proof(2, 9).split('\n\n').slice(1).join('\n\n')
    const ofAnother = cosigned(log.checkpoint(8), witness, 1_700_000_000).split('\n').at(-2)
    const files = [cosigned(own, witness, 1_700_000_000), `${own}${ofAnother}\n`]
    const [seen, wrong] = await Promise.all(
      files.map(async (note, n) => {
        const file = join(folder, `seen-${n}.tlog-proof`)
        await writeFile(file, log.proof(2, 9).replace(own, note))
        return file
      }),
    )
    const receipt = (file = '', ...more: string[]) => verify('--proof', file, '--vkey', log.key.vkey, ...more)
    const [good, absent, forged, ignored, log1] = await Promise.all([
      receipt(seen, '--witness', witness.vkey),
      receipt(seen, '--witness', witness.vkey, '--witness', other.vkey),
      receipt(wrong, '--witness', witness.vkey),
      receipt(wrong),
      receipt(seen, '--witness', log.key.vkey),
    ])
    expect(good).toMatchObject({ code: 0, output: expect.stringContaining('on 2023-11-14T22:13:20.000Z') })
    expect(absent).toMatchObject({ code: 1, output: expect.stringContaining('has not signed') })
    expect(forged).toMatchObject({ code: 1, output: expect.stringContaining('is wrong') })
    expect([ignored.code, log1.code]).toEqual([0, 2])
  })
})

/** A log with its checkpoints, as the original takes it, and the proofs that this implementation makes. */
async function logForOriginal(log: LogWriter, olderSizes: readonly number[]) {
  const size = log.entries.length
  const leaves = log.leavesAt(size)
  const checkpoints = [...olderSizes, size].map((one) => log.checkpoint(one))
  const tiles = [
    ...upperTilesOf(size),
    ...Array.from({ length: Math.ceil(size / 256) }, (_, index) => tileAt(0, index, size)),
  ]
  const paths = tiles.map(pathOf).flatMap((path) => [path, path.replace('tile/0/', 'tile/entries/')])
  const read = (path: string) => log.file(path) as Buffer
  const hash = new TreeHash(sha256)
  const consistency = olderSizes.map(async (older) => [
    older,
    await Promise.all(
      consistencyRangesOf(older, size).map((range) =>
        rangeHash(hash, range, size, async (tile) => read(pathOf(tile))).then((bytes) => Buffer.from(bytes)),
      ),
    ),
  ])
  const indices = [0, 1, 255, 256, 511, size - 2, size - 1]
  const inBase64 = (entries: [PropertyKey, Buffer[]][]) =>
    Object.fromEntries(entries.map(([key, list]) => [key, list.map((one) => one.toString('base64'))]))
  return {
    vkey: log.key.vkey,
    checkpoints,
    files: Object.fromEntries(paths.map((path) => [path, read(path).toString('base64')])),
    inclusion: inBase64(indices.map((index) => [index, inclusionProof(leaves, index)])),
    consistency: inBase64((await Promise.all(consistency)) as [number, Buffer[]][]),
  }
}

describe('the original implementation of tiled logs', () => {
  const sale = new Sale(new LogWriter('sale.example/journal'))
  for (let index = 0; index < 700; index++) {
    sale.approve(`order ${index}`, BigInt(index + 1) * 1_000_000n, { way: 'operator' })
  }
  const { log } = sale

  test('opens our checkpoints, reads our tiles, takes our proofs and makes the same', async () => {
    const input = await logForOriginal(log, [1, 255, 256, 300, 700])
    const { code, error, output } = askOriginal(input)
    expect({ code, error }).toEqual({ code: 0, error: '' })
    expect(JSON.parse(output)).toEqual({
      size: 701,
      inclusion: input.inclusion,
      consistency: input.consistency,
    })
    expect(input.consistency[300]).toEqual(
      consistencyProof(log.leavesAt(701), 300).map((one) => one.toString('base64')),
    )
  })

  test('refuses what is tampered with', async () => {
    const input = await logForOriginal(log, [300])
    const other = log.rewritten((entries) => entries.with(3, { ...entries[3], currency: 'ETH' }))
    other.checkpoint()
    const bundle = Buffer.from(other.file('tile/entries/000') as Uint8Array).toString('base64')
    expect(askOriginal({ ...input, files: { ...input.files, 'tile/entries/000': bundle } }).error).toContain(
      'entry 3 is not in its tile',
    )
    expect(
      askOriginal({ ...input, checkpoints: [other.checkpoint(300), input.checkpoints[1] ?? ''] }).error,
    ).toContain('consistency from 300')
  })
})
