import type { EvmChainConfig } from '../../chain-config.ts'
import { JsonRpc } from '../json-rpc.ts'

type Nodes = Pick<EvmChainConfig, 'rpcUrl' | 'secondRpcUrl' | 'publicOnly'>

/** The node that a chain is read from. */
export function firstRpc({ rpcUrl, publicOnly }: Nodes, timeoutMs?: number): JsonRpc {
  return new JsonRpc(rpcUrl, { publicOnly: publicOnly?.first, timeoutMs })
}

/** The node that is asked for second opinions; null where there is none. */
export function secondRpc({ secondRpcUrl, publicOnly }: Nodes, timeoutMs?: number): JsonRpc | null {
  return secondRpcUrl ? new JsonRpc(secondRpcUrl, { publicOnly: publicOnly?.second, timeoutMs }) : null
}
