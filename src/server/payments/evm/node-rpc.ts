import type { EvmChainConfig } from '../../chain-config.ts'
import { JsonRpc } from '../json-rpc.ts'

type Nodes = Pick<EvmChainConfig, 'rpcUrl' | 'secondRpcUrl' | 'publicOnly'>

export function firstRpc({ rpcUrl, publicOnly }: Nodes, timeoutMs?: number): JsonRpc {
  return new JsonRpc(rpcUrl, { publicOnly: publicOnly?.first, timeoutMs })
}

export function secondRpc({ secondRpcUrl, publicOnly }: Nodes, timeoutMs?: number): JsonRpc | null {
  return secondRpcUrl ? new JsonRpc(secondRpcUrl, { publicOnly: publicOnly?.second, timeoutMs }) : null
}
