import type { NodeAnswer } from '../../shared/api/chain-nodes.ts'
import type { ChainConfig } from '../chain-config.ts'
import { type Queryable, sql } from '../database/database.ts'
import { RetryableError, refuse } from '../refusal.ts'
import { createSource } from './chain-access.ts'
import { nothingWatched } from './chain-source.ts'
import { RpcError } from './json-rpc.ts'
import { isOnNetwork } from './network-identity.ts'

/** Somebody waits for the answer. */
const ASK_MS = 8_000

/**
 * The node's newest block, its age, and the lag behind the followed node. Errors: node_silent, also for
 * invalid answers; node_other_network, by the configuration, or by the first block once anything was paid on
 * the chain.
 */
export async function askNode(db: Queryable, config: ChainConfig): Promise<NodeAnswer> {
  const source = createSource(config, ASK_MS)
  const said = await orSilent(async () => {
    const identity = await source.identity()
    const height = await source.tipHeight()
    const [newest] = await source.blocks(height, height, nothingWatched)
    return { identity, height, minedAt: newest?.minedAt }
  })
  const known = await db.maybeOne<{ identity: string | null; node_height: string | null }>(
    sql`select case when chain_is_in_use(name) then identity end as identity, node_height
          from chains where name = ${config.network}`,
  )
  if (!isOnNetwork(config, said.identity) || (known?.identity && known.identity !== said.identity))
    return refuse('node_other_network')
  const { height, minedAt } = said
  return {
    height,
    minedAt: minedAt?.toISOString() ?? null,
    behindBlocks: known?.node_height ? Math.max(0, Number(known.node_height) - height) : null,
  }
}

/** Also for invalid answers. */
async function orSilent<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RetryableError || error instanceof RpcError)
      return refuse('node_silent', { why: error.message.slice(0, 200) })
    if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError)
      return refuse('node_silent', { why: 'the node answered something else than a block' })
    throw error
  }
}
