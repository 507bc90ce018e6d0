import type { Address, Hex } from 'viem'

/** A local chain of the demo, which answers whoever runs on this machine. */
export interface LocalChain {
  call<T>(method: string, ...params: unknown[]): Promise<T>
}

/** What the chain itself refused. */
export class ChainRefusal extends Error {}

/** An epoch of the demo's chain is 8 blocks; what is 2 of them below the tip is final. */
const BLOCKS_UNTIL_FINAL = 24
/** A slow machine takes long to mine what it is asked for; a chain that ended refuses the connection at once. */
const ANSWER_WITHIN_MS = 300_000

/** User and password may stand in the address. */
export function localChainAt(address: string): LocalChain {
  const { origin, username, password } = new URL(address)
  const login: Record<string, string> = username
    ? { authorization: `Basic ${btoa(`${username}:${password}`)}` }
    : {}
  return {
    async call<T>(method: string, ...params: unknown[]): Promise<T> {
      const response = await fetch(origin, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...login },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      })
      const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
      if (error) throw new ChainRefusal(`${method}: ${error.message}`)
      return result
    },
  }
}

/** Sends a transaction from an unlocked account of the local chain, and waits until a block holds it. `value` in wei, decimal. */
export async function send(
  rpc: LocalChain,
  from: Address,
  { to, data, value = '0' }: { to: string; data: string; value?: string },
): Promise<void> {
  const sent = { from, to, data, value: `0x${BigInt(value).toString(16)}`, gas: '0x989680' }
  const hash = await rpc.call<Hex>('eth_sendTransaction', sent)
  await rpc.call('anvil_mine', '0x1')
  const receipt = await rpc.call<{ status: Hex } | null>('eth_getTransactionReceipt', hash)
  if (receipt?.status !== '0x1') throw new Error(`the local chain refused a transaction to ${to}`)
}

/** Makes final what was mined until now. */
export const makeFinal = (rpc: LocalChain): Promise<unknown> =>
  rpc.call('anvil_mine', `0x${BLOCKS_UNTIL_FINAL.toString(16)}`)

/** How far the chain's clock is behind the real one, in seconds. */
async function secondsBehind(rpc: LocalChain): Promise<number> {
  const { timestamp } = await rpc.call<{ timestamp: Hex }>('eth_getBlockByNumber', 'latest', false)
  return Math.floor(Date.now() / 1000) - Number(timestamp)
}

/** Refuses a chain that was not started `hours` in the past. */
export async function requirePast(rpc: LocalChain, hours: number): Promise<void> {
  if ((await secondsBehind(rpc)) < hours * 3600)
    throw new Error(`the local chain has to begin ${hours} hours in the past`)
}

/** From here on the chain's clock is the real one. */
export async function comeToThePresent(rpc: LocalChain): Promise<void> {
  await rpc.call('evm_increaseTime', await secondsBehind(rpc))
  await makeFinal(rpc)
}
