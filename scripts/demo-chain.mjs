// The demo with a local EVM node (anvil) and, if litecoind is installed, a Litecoin regtest, on which ETH and
// LTC are really paid. For test wallets only.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fail, root } from './setup.mjs'

const PORT = process.env.DEMO_CHAIN_PORT ?? '8545'
const url = `http://127.0.0.1:${PORT}`
const binary = anvilBinary()
const children = []
// Stop the children however this program ends, also during preparation.
process.on('exit', () => stopAll('SIGTERM'))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
const dataDir = process.env.DATA_DIR ?? join(root, 'data', `demo-chain-${Date.now()}`)

const anvil = start(binary, [
  '--host',
  '127.0.0.1',
  '--port',
  PORT,
  '--block-time',
  '2',
  '--slots-in-an-epoch',
  '8',
  // Start in the past: a demo escrow is nearly overdue, and escrows last at least a day.
  '--timestamp',
  String(Math.floor(Date.now() / 1000) - 26 * 3600 - 60),
  '--silent',
])
await untilAnswers('the local chain', anvil, () =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
  }),
)
const litecoin = await startLitecoin()
// An old database does not match a new chain.
const environment = {
  ...process.env,
  DEMO: 'on',
  DEMO_CHAIN_URL: url,
  CHAIN_ETHEREUM_RPC_URL: url,
  CHAIN_ETHEREUM_ID: '31337',
  CHAIN_ETHEREUM_EXPLORER_URL: 'none',
  ...(litecoin && {
    DEMO_LITECOIN_URL: litecoin.url,
    CHAIN_LITECOIN_RPC_URL: litecoin.url,
    CHAIN_LITECOIN_NETWORK: 'regtest',
    CHAIN_LITECOIN_EXPLORER_URL: 'none',
  }),
  DATA_DIR: dataDir,
}
const server = start(process.execPath, ['dist/server/main.js'], environment)
const port = process.env.PORT ?? '3000'
await untilAnswers('the server', server, async () => {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`)
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
})
await finished('preparing the demo', start(process.execPath, ['dist/server/demo-chain.js'], environment))
litecoin?.mineOnAndOn()
// `fill` adds some hundred buyers, half of them with delivered tokens.
if (process.argv[2] === 'fill')
  await finished('filling the demo', start(process.execPath, ['dist/server/demo-fill.js'], environment))
const { settings } = await (await fetch(`http://127.0.0.1:${port}/api/v1/campaign`)).json()
process.stdout.write(
  [
    '',
    `Local chain: ${url}, chain id 31337, a block every 2 s, 12 confirmations.`,
    'Every page has three test wallets with 10,000 test ETH each.',
    '1. Buy with ETH, take the account from “Test wallet 1”, and pay with it: the order page says “Escrowed”, and half a minute later “approved”.',
    `2. A minute after that the demo’s seller closes the escrow and delivers it. “${settings.name} Hub” then claims your tokens.`,
    `3. Another escrow is overdue three minutes from now: take the address of “Test wallet 2” at http://127.0.0.1:${port}/claim and send its money back with any wallet.`,
    '4. The same page claims what the first delivery round has for each test wallet. The second round, of a filled demo, is its buyers’, whose keys nobody has.',
    litecoin
      ? '5. Buy with Litecoin, which no escrow takes: “Open in a wallet” on the order page pays it from a test wallet, a block comes every 3 s, and its tokens wait for a delivery round.'
      : 'Litecoin is left out: litecoind is not installed (Debian: apt-get install litecoind).',
    'Nothing on this chain is worth anything, and its wallets ask nobody for leave.',
    '',
  ].join('\n'),
)
start(process.execPath, ['dist/server/demo-chain.js', 'seller'], environment)

for (const child of [anvil, server]) child.on('exit', (code) => process.exit(code ?? 1))

/** Returns undefined if litecoind is not installed. */
async function startLitecoin() {
  const command = '/usr/bin/litecoind'
  if (!existsSync(command)) return undefined
  const folder = join(dataDir, 'litecoin')
  mkdirSync(folder, { recursive: true })
  const rpcPort = process.env.DEMO_LITECOIN_PORT ?? '19443'
  const password = randomBytes(16).toString('hex')
  const node = start(command, [
    '-regtest',
    `-datadir=${folder}`,
    `-rpcport=${rpcPort}`,
    '-rpcuser=demo',
    `-rpcpassword=${password}`,
    '-listen=0',
    '-server=1',
    '-fallbackfee=0.0001',
    '-vbparams=mweb:4000000000:4100000000',
    '-printtoconsole=0',
  ])
  const call = async (method, ...params) => {
    const response = await fetch(`http://127.0.0.1:${rpcPort}`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`demo:${password}`)}` },
      body: JSON.stringify({ id: 1, method, params }),
    })
    const { result, error } = await response.json()
    if (error) throw new Error(error.message)
    return result
  }
  await untilAnswers('litecoind', node, () => call('getblockcount'))
  return {
    url: `http://demo:${password}@127.0.0.1:${rpcPort}`,
    async mineOnAndOn() {
      const miner = await call('getnewaddress', '', 'bech32')
      setInterval(() => call('generatetoaddress', 1, miner).catch(() => {}), 3_000).unref()
    },
  }
}

function anvilBinary() {
  const name = `@foundry-rs/anvil-${process.platform === 'darwin' ? 'darwin' : 'linux'}-${process.arch === 'arm64' ? 'arm64' : 'amd64'}`
  try {
    const path = join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin/anvil')
    if (existsSync(path)) return path
  } catch {
    // Reported below.
  }
  return fail('anvil is missing: npm ci')
}

function start(command, args, env = process.env) {
  const child = spawn(command, args, { cwd: root, env, stdio: 'inherit' })
  children.push(child)
  return child
}

function finished(what, child) {
  return new Promise((resolve) => {
    child.on('exit', (code) => (code === 0 ? resolve() : fail(`${what} ended with ${code}`)))
  })
}

/** However slow the machine is. */
async function untilAnswers(what, child, ask) {
  while (child.exitCode === null && child.signalCode === null) {
    try {
      await ask()
      return
    } catch {
      await delay(200)
    }
  }
  fail(`${what} ended before it answered`)
}

function stopAll(signal) {
  for (const child of children) child.kill(signal)
}
