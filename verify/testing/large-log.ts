import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bundleOf, LogWriter, leafHash, treeHash } from './log-writer.ts'
import { Sale } from './sale.ts'
import { NOTHING_ELSE } from './served.ts'

const WIDTH = 256
const SALE_MS = 100 * 86_400_000

export interface LargeLog {
  readonly url: string
  readonly entries: number
  readonly bytes: number
  close(): Promise<void>
}

/**
 * A log with so many orders on loopback, and payments of two thirds of them: five entries for three orders.
 * `other` answers further paths.
 */
export async function serveLargeLog(
  orders: number,
  other: (path: string) => { type: string; body: Buffer | string } | undefined = () => undefined,
): Promise<LargeLog> {
  const { log, campaign, rows } = saleOf(orders)
  const files = filesOf(log)
  const server = createServer(({ url = '' }, response) => {
    const file = url.startsWith('/journal/') ? files.get(url.slice('/journal/'.length)) : answerOf(url)
    if (file !== undefined) return response.writeHead(200).end(file)
    const found = other(url)
    if (found === undefined) return response.writeHead(404).end()
    return response.writeHead(200, { 'content-type': found.type }).end(found.body)
  })
  const answerOf = (url: string) =>
    url === '/transparency/orders.csv'
      ? rows
      : url === '/api/v1/campaign'
        ? campaign
        : url.startsWith('/api/')
          ? JSON.stringify(NOTHING_ELSE)
          : undefined
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    entries: log.entries.length,
    bytes: log.entries.reduce((all, entry) => all + entry.length, 0),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

function saleOf(orders: number): { log: LogWriter; campaign: string; rows: string } {
  const sale = new Sale(new LogWriter(), Math.floor(SALE_MS / orders))
  for (let index = 1; index <= orders; index++)
    sale.approve(`order ${index}`, BigInt(index), {
      way: index % 3 === 0 ? 'operator' : 'chain',
      stage: 1 + (index % 2),
    })
  return { log: sale.log, campaign: JSON.stringify(sale.campaign()), rows: sale.orderRows() }
}

/** All files of the log, computed once, because the naive tree is slow. */
function filesOf(log: LogWriter): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  const add = (level: string, items: readonly Buffer[], fileOf: (items: readonly Buffer[]) => Buffer) => {
    for (let index = 0; index * WIDTH < items.length; index++) {
      const part = items.slice(index * WIDTH, (index + 1) * WIDTH)
      const place = String(index).padStart(Math.ceil(String(index).length / 3) * 3, '0')
      const path = place.replaceAll(/(\d{3})(?=\d)/g, 'x$1/')
      files.set(`tile/${level}/${path}${part.length < WIDTH ? `.p/${part.length}` : ''}`, fileOf(part))
    }
  }
  add('entries', log.entries, bundleOf)
  let level = 0
  for (let hashes = log.entries.map(leafHash); hashes.length > 0; level++) {
    add(String(level), hashes, (part) => Buffer.concat(part))
    const full = Math.floor(hashes.length / WIDTH)
    hashes = Array.from({ length: full }, (_, at) => treeHash(hashes, at * WIDTH, (at + 1) * WIDTH))
  }
  files.set('checkpoint', Buffer.from(log.checkpoint()))
  files.set('vkey', Buffer.from(`${log.key.vkey}\n`))
  return files
}
