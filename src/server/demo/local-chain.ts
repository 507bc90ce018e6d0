import type { Address, Hex } from 'viem'

export interface LocalChain {
  call<T>(method: string, ...params: unknown[]): Promise<T>
}

export class ChainRefusal extends Error {}

/** Epochs have 8 blocks; blocks 2 epochs below the tip are final. */
const BLOCKS_UNTIL_FINAL = 24
/** A slow machine mines slowly; an ended chain refuses connections at once. */
const ANSWER_WITHIN_MS = 300_000

/** The URL may contain user and password. */
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

/** Waits until mined. `value` in wei, decimal. */
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

export const makeFinal = (rpc: LocalChain): Promise<unknown> =>
  rpc.call('anvil_mine', `0x${BLOCKS_UNTIL_FINAL.toString(16)}`)

async function secondsBehind(rpc: LocalChain): Promise<number> {
  const { timestamp } = await rpc.call<{ timestamp: Hex }>('eth_getBlockByNumber', 'latest', false)
  return Math.floor(Date.now() / 1000) - Number(timestamp)
}

/** Throws unless the chain was started `hours` in the past. */
export async function requirePast(rpc: LocalChain, hours: number): Promise<void> {
  if ((await secondsBehind(rpc)) < hours * 3600)
    throw new Error(`the local chain has to begin ${hours} hours in the past`)
}

export async function comeToThePresent(rpc: LocalChain): Promise<void> {
  await rpc.call('evm_increaseTime', await secondsBehind(rpc))
  await makeFinal(rpc)
}
