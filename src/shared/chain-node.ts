import type { Hex } from 'viem'
import type { StateRead } from './state-read.ts'

/** A node by its address, or a browser wallet. */
export interface ChainNode {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

export function nodeAt(url: string): ChainNode {
  return {
    async request(call) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, params: [], ...call }),
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
      })
      const { result, error } = (await response.json()) as {
        result?: unknown
        error?: { message?: string }
      }
      if (error) throw new Error(error.message ?? `HTTP ${response.status}`)
      return result
    },
  }
}

/** Null if the node has no such block. */
export async function read(node: ChainNode, at: Hex, one: StateRead): Promise<Hex | null> {
  const isCode = 'code' in one
  const call = isCode
    ? { method: 'eth_getCode', params: [one.code, at] }
    : { method: 'eth_call', params: [one, at] }
  const answer = await node.request(call)
  return typeof answer === 'string' && answer.startsWith('0x') ? (answer as Hex) : null
}
