import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { RawTx } from '@scure/btc-signer'
import { afterAll } from 'vitest'
import { splitCredentials } from '../../src/server/outside/outside.ts'

interface Call {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

type Answer = { readonly result?: unknown; readonly error?: unknown }

/**
 * The node's lies: `empty` omits block contents, `stale` repeats the first answers, `forged`
 * reports higher amounts, `late` the truth after a while. `silent` never answers; it closes waiting requests
 * once it speaks again.
 */
export const lies = ['empty', 'stale', 'forged', 'broken', 'html', 'late'] as const
export type Lie = (typeof lies)[number] | 'silent'

/** For either family. Ends after the file's last test. */
export class LyingNode {
  #lie: Lie | undefined
  readonly #unanswered = new Set<ServerResponse>()
  /** Changes answers while it does not lie; undefined keeps the node's. */
  change: (call: Call, answer: Answer) => Answer | undefined | Promise<Answer | undefined> = () => undefined
  readonly #first = new Map<string, Answer>()
  readonly #server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    await this.#answer(Buffer.concat(chunks).toString(), response).catch((error: unknown) =>
      response.destroy(error as Error),
    )
  })
  #node: ReturnType<typeof splitCredentials> = { endpoint: '', headers: {} }

  get lie(): Lie | undefined {
    return this.#lie
  }

  set lie(lie: Lie | undefined) {
    this.#lie = lie
    if (lie === 'silent') return
    for (const response of this.#unanswered) response.destroy()
    this.#unanswered.clear()
  }

  constructor() {
    afterAll(() => {
      this.#server.closeAllConnections()
      this.#server.close()
    })
  }

  async start(nodeUrl: string): Promise<string> {
    this.#node = splitCredentials(nodeUrl)
    if (!this.#server.listening)
      await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async #answer(body: string, response: ServerResponse): Promise<void> {
    const asked = JSON.parse(body) as Call | Call[]
    if (this.lie === 'silent') return void this.#unanswered.add(response)
    if (this.lie === 'html') return void response.end('<html>busy</html>')
    if (this.lie === 'late') await delay(200)
    const answer = await fetch(this.#node.endpoint, {
      method: 'POST',
      headers: { ...this.#node.headers, 'content-type': 'application/json' },
      body,
    })
    const honest = (await answer.json()) as (Answer & { id: number }) | (Answer & { id: number })[]
    const said = await Promise.all(
      [asked].flat().map(async (call) => {
        const told = await this.#told(call, [honest].flat().find(({ id }) => id === call.id) ?? {})
        return { id: call.id, ...told }
      }),
    )
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(Array.isArray(asked) ? said : said[0]))
  }

  async #told(call: Call, honest: Answer): Promise<Answer> {
    const key = JSON.stringify([call.method, call.params])
    const first = this.#first.get(key)
    if (!first) this.#first.set(key, honest)
    switch (this.lie) {
      case 'empty':
        return empty(call, honest)
      case 'stale':
        return first ?? honest
      case 'forged':
        return forged(call, honest)
      case 'broken':
        return { error: { code: -32_000, message: 'out of order' } }
      default:
        return (await this.change(call, honest)) ?? honest
    }
  }
}

function empty({ method }: Call, honest: Answer): Answer {
  switch (method) {
    case 'eth_getLogs':
    case 'getrawmempool':
      return { result: [] }
    case 'eth_getTransactionReceipt':
    case 'eth_getTransactionByHash':
      return { result: null }
    case 'getblockhash':
    case 'getrawtransaction':
      return { error: { code: -5, message: 'not found' } }
    case 'getblock':
      return changed<string>(honest, (hex) => hex.slice(0, HEADER_DIGITS) + withoutPayments(hex))
    case 'eth_getBlockByNumber':
      return changed<object>(honest, (block) => ({ ...block, transactions: [] }))
    default:
      return honest
  }
}

/** Hex digits of a Bitcoin-family block header. */
const HEADER_DIGITS = 160

const withoutPayments = (hex: string) => `01${hex.slice(HEADER_DIGITS + 2)}`

const changed = <T>(honest: Answer, change: (result: T) => unknown): Answer =>
  honest.result ? { result: change(honest.result as T) } : honest

/** Sixteen times as much. */
const more = (hex: string) => `${hex}0`

/** The transaction with sixteen times the amounts. */
function forgedTransaction(hex: string): string {
  const transaction = RawTx.decode(Buffer.from(hex, 'hex'))
  const outputs = transaction.outputs.map((output) => ({ ...output, amount: output.amount * 16n }))
  return Buffer.from(RawTx.encode({ ...transaction, outputs })).toString('hex')
}

function forged({ method }: Call, honest: Answer): Answer {
  switch (method) {
    case 'eth_getLogs':
      return changed<{ data: string }[]>(honest, (logs) =>
        logs.map((log) => ({ ...log, data: `0x${more(log.data.slice(3))}` })),
      )
    case 'eth_getBlockByNumber':
      return changed<{ transactions: (string | { value: string })[] }>(honest, (block) => ({
        ...block,
        transactions: block.transactions.map((one) =>
          typeof one === 'string' ? one : { ...one, value: more(one.value) },
        ),
      }))
    case 'getblockcount':
      return changed<number>(honest, (height) => height + 3)
    case 'getrawtransaction':
      return changed(honest, forgedTransaction)
    case 'getblock':
      // Changes the lock time: any change breaks the header's hash.
      return changed<string>(honest, (hex) => `${hex.slice(0, -2)}${hex.endsWith('00') ? '01' : '00'}`)
    default:
      return honest
  }
}
