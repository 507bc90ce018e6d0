import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { publicLocales } from '../../shared/languages.ts'
import { charged, SHARED } from '../http/costs.ts'
import { say } from '../texts.ts'
import { ChainRefusal, type LocalChain, localChainAt } from './local-chain.ts'

export const DEMO_WALLETS = 3
const PATH = '/demo-wallet'

const asked = z.object({
  account: z
    .number()
    .int()
    .min(0)
    .max(DEMO_WALLETS - 1),
  method: z.enum([
    'eth_accounts',
    'eth_blockNumber',
    'eth_call',
    'eth_chainId',
    'eth_estimateGas',
    'eth_gasPrice',
    'eth_getBalance',
    'eth_getBlockByNumber',
    'eth_getCode',
    'eth_getTransactionReceipt',
    'eth_requestAccounts',
    'eth_sendTransaction',
    'eth_signTypedData_v4',
    'personal_sign',
    'litecoin_send',
    'wallet_switchEthereumChain',
  ]),
  params: z.array(z.unknown()).max(4).default([]),
})

const inEach = (id: string) => Object.fromEntries(publicLocales.map((locale) => [locale, say(locale, id)]))

/**
 * Announces the wallets like extensions (EIP-6963) and marks the page. They ask no permission: the coins are
 * worthless.
 */
const script = () => `const names = ${JSON.stringify(inEach('demo.network'))}
const language = document.documentElement.lang in names ? document.documentElement.lang : 'en'
const mark = document.createElement('aside')
mark.className = 'bg-now px-4 py-1.5 text-center text-sm font-medium text-on-now'
mark.textContent = ${JSON.stringify(inEach('demo.mark'))}[language]
mark.setAttribute('aria-label', names[language])
document.body.prepend(mark)

async function ask(account, method, params = []) {
  const body = JSON.stringify({ account, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch('${PATH}', { method: 'POST', headers, body })
  const { result, error } = await response.json()
  if (error) throw error
  return result
}

// A link that a device hands to its wallet is paid by the test wallet, once.
const paid = new Set()
addEventListener('click', async (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[href^="litecoin:"]') : null
  if (!link) return
  event.preventDefault()
  if (paid.has(link.href)) return
  paid.add(link.href)
  const { pathname, searchParams } = new URL(link.href)
  try {
    await ask(0, 'litecoin_send', [pathname, searchParams.get('amount')])
    mark.textContent = ${JSON.stringify(inEach('demo.sent'))}[language]
  } catch (error) {
    paid.delete(link.href)
    mark.textContent = error.message
  }
})

for (let account = 0; account < ${DEMO_WALLETS}; account += 1) {
  const provider = {
    request: ({ method, params }) => ask(account, method, params),
  }
  const detail = { info: { uuid: 'demo-' + account, name: 'Test wallet ' + (account + 1) }, provider }
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  addEventListener('eip6963:requestProvider', announce)
  announce()
}
`

/**
 * Adds the local chain's unlocked accounts (`npm run demo:chain`) to every page as wallets. Pages and their
 * policy stay unchanged; the site serves the script.
 */
export function mountDemoWallet(app: FastifyInstance, chainUrl: string, litecoinUrl?: string): void {
  const rpc = localChainAt(chainUrl)
  const litecoin = litecoinUrl === undefined ? undefined : localChainAt(litecoinUrl)
  app.addHook('onRequest', async ({ headers }) => {
    // A compressed page cannot be extended.
    headers['accept-encoding'] = 'identity'
  })
  app.addHook('onSend', async (_request, reply, payload) => {
    const isPage = String(reply.getHeader('content-type')).startsWith('text/html')
    if (!isPage || reply.hasHeader('content-disposition')) return payload
    const text = Buffer.isBuffer(payload) || typeof payload === 'string' ? String(payload) : undefined
    return text?.replace('</body>', `<script type="module" src="${PATH}.js"></script></body>`) ?? payload
  })
  app.get(`${PATH}.js`, SHARED, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(script()),
  )
  app.post(PATH, charged({ statements: 0, bodyBytes: 65_536 }), async ({ body }, reply) => {
    const given = asked.safeParse(body)
    if (!given.success)
      return reply.code(422).send({ error: { message: 'The test wallet does not know this.' } })
    try {
      return { result: await answerOf(rpc, litecoin, given.data) }
    } catch (error) {
      if (error instanceof ChainRefusal) return { error: { message: error.message } }
      throw error
    }
  })
}

async function answerOf(
  rpc: LocalChain,
  litecoin: LocalChain | undefined,
  { account, method, params }: z.output<typeof asked>,
): Promise<unknown> {
  if (method === 'wallet_switchEthereumChain') return null
  if (method === 'litecoin_send') {
    if (!litecoin) throw new ChainRefusal('This demo has no Litecoin of its own.')
    const [address, amount] = z.tuple([z.string(), z.string()]).parse(params)
    return litecoin.call('sendtoaddress', address, amount)
  }
  const accounts = await rpc.call<string[]>('eth_accounts')
  const own = walletsOf(accounts)[account]
  if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [own]
  if (method !== 'eth_sendTransaction') return rpc.call(method, ...params)
  const { to, data, value } = z
    .object({ to: z.string(), data: z.string().optional(), value: z.string().optional() })
    .parse(params[0])
  return rpc.call(method, { from: own, to, data, value })
}

/** The first account is the seller's. */
export const walletsOf = (accounts: readonly string[]) => accounts.slice(1, 1 + DEMO_WALLETS)
