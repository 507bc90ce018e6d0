import { splitCredentials } from '../../outside/outside.ts'
import { RetryableError } from '../../refusal.ts'
import { fetchNode, JsonRpc, type NodeReach, RpcError, reasonOf } from '../json-rpc.ts'

/** Core's RPC, or Esplora over HTTP. */
export interface BitcoinNode {
  tipHeight(): Promise<number>
  /** Null above the tip. */
  hashAt(height: number): Promise<string | null>
  hashesOf(heights: readonly number[]): Promise<(string | null)[]>
  rawBlocks(hashes: readonly string[]): Promise<Buffer[]>
  mempoolIds(): Promise<string[]>
  /** Null: left the mempool. */
  rawTransactions(ids: readonly string[]): Promise<(Buffer | null)[]>
}

const NOT_FOUND = new Set([-5, -8])

/** Any fork of Core, without wallet and transaction index. */
export class CoreNode implements BitcoinNode {
  readonly #rpc: JsonRpc

  constructor(url: string, reach?: NodeReach) {
    this.#rpc = new JsonRpc(url, reach)
  }

  tipHeight(): Promise<number> {
    return must(this.#rpc.call<number>('getblockcount'))
  }

  hashAt(height: number): Promise<string | null> {
    return orNull(this.#rpc.call<string>('getblockhash', height))
  }

  async hashesOf(heights: readonly number[]): Promise<(string | null)[]> {
    const answers = await must(
      this.#rpc.batchEach<string>(heights.map((height) => ({ method: 'getblockhash', params: [height] }))),
    )
    return answers.map(orMissing)
  }

  async rawBlocks(hashes: readonly string[]): Promise<Buffer[]> {
    // `false` is verbosity 0 in every fork; some accept nothing else.
    const blocks = await must(
      this.#rpc.batch<string>(hashes.map((hash) => ({ method: 'getblock', params: [hash, false] }))),
    )
    return blocks.map((hex) => Buffer.from(hex, 'hex'))
  }

  mempoolIds(): Promise<string[]> {
    return must(this.#rpc.call<string[]>('getrawmempool', false))
  }

  async rawTransactions(ids: readonly string[]): Promise<(Buffer | null)[]> {
    // A node accepts only a few requests at a time (rpcworkqueue).
    const answers = await must(
      this.#rpc.batchEach<string>(ids.map((id) => ({ method: 'getrawtransaction', params: [id, false] }))),
    )
    return answers.map((answer) => {
      const hex = orMissing(answer)
      return hex === null ? null : Buffer.from(hex, 'hex')
    })
  }
}

function orMissing<T>(answer: T | RpcError): T | null {
  if (!(answer instanceof RpcError)) return answer
  if (NOT_FOUND.has(answer.code)) return null
  throw asRetryable(answer)
}

async function must<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw asRetryable(error)
  }
}

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof RpcError && NOT_FOUND.has(error.code)) return null
    throw asRetryable(error)
  }
}

/** Retries a node that is warming up (−28) or short of resources. */
function asRetryable(error: unknown): unknown {
  return error instanceof RpcError ? new RetryableError(error) : error
}

const AT_ONCE = 8

/** electrs, and the public explorers built on it. */
export class EsploraNode implements BitcoinNode {
  readonly #base: string
  readonly #headers: Record<string, string>
  readonly #reach: NodeReach

  constructor(url: string, reach: NodeReach = {}) {
    const { endpoint, headers } = splitCredentials(url.replace(/\/$/, ''))
    this.#base = endpoint.replace(/\/$/, '')
    this.#headers = headers
    this.#reach = reach
  }

  async tipHeight(): Promise<number> {
    const text = (await this.#must('/blocks/tip/height')).toString('utf8').trim()
    if (!/^\d{1,9}$/.test(text)) throw new RetryableError(new Error('the tip is not a number'))
    return Number(text)
  }

  async hashAt(height: number): Promise<string | null> {
    const hash = (await this.#get(`/block-height/${height}`))?.toString('utf8').trim()
    if (hash === undefined) return null
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new RetryableError(new Error('the node answered what is no hash'))
    return hash
  }

  hashesOf(heights: readonly number[]): Promise<(string | null)[]> {
    return inTurns(heights, (height) => this.hashAt(height))
  }

  rawBlocks(hashes: readonly string[]): Promise<Buffer[]> {
    return inTurns(hashes, (hash) => this.#must(`/block/${hash}/raw`))
  }

  async mempoolIds(): Promise<string[]> {
    const text = (await this.#must('/mempool/txids')).toString('utf8')
    try {
      return JSON.parse(text) as string[]
    } catch {
      throw new RetryableError(new Error('the node answered something that is not JSON'))
    }
  }

  rawTransactions(ids: readonly string[]): Promise<(Buffer | null)[]> {
    return inTurns(ids, (id) => this.#get(`/tx/${id}/raw`))
  }

  async #get(path: string): Promise<Buffer | null> {
    try {
      const response = await fetchNode(this.#base + path, { headers: this.#headers }, this.#reach)
      if (response.status === 404 || response.status === 400) return null
      if (!response.ok) throw new Error(`HTTP ${response.status}`)
      return Buffer.from(await response.arrayBuffer())
    } catch (error) {
      throw new RetryableError(reasonOf(error))
    }
  }

  async #must(path: string): Promise<Buffer> {
    const body = await this.#get(path)
    if (body === null) throw new RetryableError(new Error(`${path}: not found`))
    return body
  }
}

/** Public services count requests. */
async function inTurns<A, B>(items: readonly A[], work: (item: A) => Promise<B>): Promise<B[]> {
  const results: B[] = []
  for (let start = 0; start < items.length; start += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(work))))
  }
  return results
}
