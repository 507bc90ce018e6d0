import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { RetryableError } from '../refusal.ts'
import { JsonRpc } from './json-rpc.ts'

const call = { method: 'eth_blockNumber', params: [] }

test('what is no answer is asked again later, whatever it is', async () => {
  let said = ''
  const node = createServer((_, reply) => reply.end(said)).listen(0, '127.0.0.1')
  await once(node, 'listening')
  try {
    const rpc = new JsonRpc(`http://127.0.0.1:${(node.address() as AddressInfo).port}`)
    for (said of [
      '<html>',
      '{',
      '[null]',
      '[1, "2", []]',
      '[]',
      '[[{"id": 0, "result": "0x1"}]]',
      '{"id": 0}',
    ])
      await expect(rpc.batch([call]), said).rejects.toThrow(RetryableError)
    for (said of ['<html>', '[null]', '[]'])
      await expect(rpc.call('eth_blockNumber'), said).rejects.toThrow(RetryableError)
    said = '[null, {"id": 0, "result": "0x1"}]'
    expect(await rpc.batch([call])).toEqual(['0x1'])
  } finally {
    node.close()
  }
})
