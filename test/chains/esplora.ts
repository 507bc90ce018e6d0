import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RpcError } from '../../src/server/payments/json-rpc.ts'
import type { Litecoind } from './processes.ts'

/** An Esplora API backed by the real node. */
export async function startEsplora(node: Litecoind) {
  /** A false answer for any block's hash. */
  const instead: { hash?: string } = {}
  const answers: [RegExp, (match: string) => Promise<string | Buffer>][] = [
    [/^\/api\/blocks\/tip\/height$/, async () => String(await node.rpc.call<number>('getblockcount'))],
    [
      /^\/api\/block-height\/(\d+)$/,
      async (height) => instead.hash ?? node.rpc.call<string>('getblockhash', Number(height)),
    ],
    [
      /^\/api\/block\/([0-9a-f]{64})\/raw$/,
      async (hash) => Buffer.from(await node.rpc.call<string>('getblock', hash, 0), 'hex'),
    ],
    [/^\/api\/mempool\/txids$/, async () => JSON.stringify(await node.rpc.call<string[]>('getrawmempool'))],
    [
      /^\/api\/tx\/([0-9a-f]{64})\/raw$/,
      async (id) => Buffer.from(await node.rpc.call<string>('getrawtransaction', id), 'hex'),
    ],
  ]
  const server = createServer(async (request, response) => {
    for (const [pattern, answer] of answers) {
      const match = pattern.exec(request.url ?? '')
      if (!match) continue
      try {
        response.end(await answer(match[1] ?? ''))
      } catch (error) {
        response.statusCode = error instanceof RpcError ? 404 : 502
        response.end('not found')
      }
      return
    }
    response.statusCode = 404
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    instead,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
