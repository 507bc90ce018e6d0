import { once } from 'node:events'
import { createServer } from 'node:http'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { mountDemoWallet } from './demo-wallet.ts'

const accounts = ['0xa', '0xb', '0xc', '0xd', '0xe']

/** A chain that answers with its accounts, refuses an estimate, and otherwise with what it was asked. */
async function startDemo() {
  const asked: { method: string; params: unknown[] }[] = []
  const chain = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += String(piece)
    const { id, method, params } = JSON.parse(text) as { id: number; method: string; params: unknown[] }
    asked.push({ method, params })
    const answer =
      method === 'eth_estimateGas'
        ? { error: { code: 3, message: 'reverted' } }
        : { result: method === 'eth_accounts' ? accounts : '0x1' }
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  }).listen(0, '127.0.0.1')
  await once(chain, 'listening')
  const app = fastify()
  onTestFinished(async () => {
    await app.close()
    chain.close()
  })
  const { port } = chain.address() as { port: number }
  mountDemoWallet(app, `http://127.0.0.1:${port}`)
  app.get('/page', (request, reply) =>
    reply.type('text/html; charset=utf-8').send(`<body>${String(request.headers['accept-encoding'])}</body>`),
  )
  app.get('/file', (_request, reply) =>
    reply.type('text/html').header('content-disposition', 'attachment').send('<body></body>'),
  )
  const ask = async (payload: object) =>
    (await app.inject({ method: 'POST', url: '/demo-wallet', payload })).json()
  return { app, ask, asked }
}

test('each page of the demo has the test wallets, and a file that is downloaded stays as it is', async () => {
  const { app } = await startDemo()
  const headers = { 'accept-encoding': 'br' }
  expect((await app.inject({ url: '/page', headers })).body).toBe(
    '<body>identity<script type="module" src="/demo-wallet.js"></script></body>',
  )
  expect((await app.inject({ url: '/file' })).body).toBe('<body></body>')
  const script = await app.inject({ url: '/demo-wallet.js' })
  expect(script.headers['content-type']).toContain('text/javascript')
  expect(script.body).toContain('eip6963:announceProvider')
  for (const words of ['Test network:', 'Тестовая сеть:', 'Red de prueba:', 'شبكة تجريبية:', 'red de prueba'])
    expect(script.body).toContain(words)
})

test('a test wallet has its own account, never the seller’s, and knows what a page needs alone', async () => {
  const { ask, asked } = await startDemo()
  expect(await ask({ account: 0, method: 'eth_requestAccounts' })).toEqual({ result: ['0xb'] })
  expect(await ask({ account: 2, method: 'eth_accounts' })).toEqual({ result: ['0xd'] })
  expect(await ask({ account: 1, method: 'wallet_switchEthereumChain', params: [{}] })).toEqual({
    result: null,
  })
  asked.length = 0
  const transaction = { from: '0xa', to: '0x1', value: '0x5', nonce: '0x0' }
  expect(await ask({ account: 1, method: 'eth_sendTransaction', params: [transaction] })).toEqual({
    result: '0x1',
  })
  expect(asked.at(-1)).toEqual({
    method: 'eth_sendTransaction',
    params: [{ from: '0xc', to: '0x1', value: '0x5' }],
  })
  asked.length = 0
  const unknown = { error: { message: expect.any(String) } }
  expect(await ask({ account: 3, method: 'eth_accounts' })).toEqual(unknown)
  expect(await ask({ account: 0, method: 'anvil_setBalance', params: ['0xb', '0x1'] })).toEqual(unknown)
  expect(asked).toEqual([])
  expect(await ask({ account: 0, method: 'eth_estimateGas', params: [{}] })).toEqual(unknown)
})
