/** The demo's local chain, which answers whoever runs on this machine. */
export interface LocalChain {
  call<T>(method: string, ...params: unknown[]): Promise<T>
}

/** What the chain itself refused. */
export class ChainRefusal extends Error {}

export function localChainAt(url: string): LocalChain {
  return {
    async call<T>(method: string, ...params: unknown[]): Promise<T> {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        signal: AbortSignal.timeout(10_000),
      })
      const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
      if (error) throw new ChainRefusal(`${method}: ${error.message}`)
      return result
    },
  }
}
