import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll } from 'vitest'

interface Call {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

type Answer = { readonly result?: unknown; readonly error?: unknown }

/**
 * What stands between a watcher and its node: `empty` leaves out what blocks hold, `stale` answers as the first time, `forged` says
 * that more was paid, `broken` answers errors, `html` a page of somebody else's, `late` the truth after a while; a `silent` one never answers.
 */
export const lies = ['empty', 'stale', 'forged', 'broken', 'html', 'late'] as const
export type Lie = (typeof lies)[number] | 'silent'

/** A proxy before a JSON-RPC node that tells the truth until it is told to lie. Ends after the file's last test. */
export class LyingNode {
  lie: Lie | undefined
  /** Changes single answers while it tells no lie: another answer instead of the node's, or undefined for that one. */
  change: (call: Call, answer: Answer) => Answer | undefined = () => undefined
  readonly #first = new Map<string, Answer>()
  readonly #server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    await this.#answer(Buffer.concat(chunks).toString(), response).catch((error: unknown) =>
      response.destroy(error as Error),
    )
  })
  #nodeUrl = ''

  constructor() {
    afterAll(() => {
      this.#server.closeAllConnections()
      this.#server.close()
    })
  }

  /** Stands before the node at `nodeUrl`; answers the address to ask instead. */
  async start(nodeUrl: string): Promise<string> {
    this.#nodeUrl = nodeUrl
    if (!this.#server.listening)
      await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async #answer(body: string, response: ServerResponse): Promise<void> {
    const asked = JSON.parse(body) as Call | Call[]
    if (this.lie === 'silent') return
    if (this.lie === 'html') return void response.end('<html>busy</html>')
    if (this.lie === 'late') await delay(200)
    const answer = await fetch(this.#nodeUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const honest = (await answer.json()) as (Answer & { id: number }) | (Answer & { id: number })[]
    const said = Array.isArray(asked)
      ? asked.map((call) => ({
          id: call.id,
          ...this.#told(call, [honest].flat().find(({ id }) => id === call.id) ?? {}),
        }))
      : { id: asked.id, ...this.#told(asked, honest as Answer) }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(said))
  }

  #told(call: Call, honest: Answer): Answer {
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
        return this.change(call, honest) ?? honest
    }
  }
}

function empty({ method }: Call, honest: Answer): Answer {
  if (method === 'eth_getLogs') return { result: [] }
  if (method === 'eth_getTransactionReceipt' || method === 'eth_getTransactionByHash') return { result: null }
  if (method !== 'eth_getBlockByNumber' || !honest.result) return honest
  return { result: { ...honest.result, transactions: [] } }
}

/** Sixteen times as much. */
const more = (hex: string) => `${hex}0`

function forged({ method }: Call, { result }: Answer): Answer {
  if (method === 'eth_getLogs')
    return {
      result: (result as { data: string }[]).map((log) => ({ ...log, data: `0x${more(log.data.slice(3))}` })),
    }
  const block = result as { transactions?: (string | { value: string })[] } | null
  if (method !== 'eth_getBlockByNumber' || !block?.transactions) return { result }
  const transactions = block.transactions.map((one) =>
    typeof one === 'string' ? one : { ...one, value: more(one.value) },
  )
  return { result: { ...block, transactions } }
}
