import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { JsonRpc } from '../../src/server/payments/json-rpc.ts'
import { freePort } from '../support/database-server.ts'
import { makeFolder } from '../support/folders.ts'
import { patienceMs } from '../support/patience.ts'

async function waitFor(what: string, child: ChildProcess, ready: () => Promise<unknown>): Promise<void> {
  const until = Date.now() + patienceMs
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${what} ended with exit code ${child.exitCode}`)
    try {
      await ready()
      return
    } catch (error) {
      if (Date.now() > until) throw new Error(`${what} did not answer`, { cause: error })
      await delay(50)
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

export interface Anvil {
  readonly url: string
  readonly port: number
  readonly rpc: JsonRpc
  stop(): Promise<void>
}

/** The binary itself, because the package's wrapper does not stop it. */
function anvilBinary(): string {
  const packageName = `@foundry-rs/anvil-${process.platform === 'darwin' ? 'darwin' : 'linux'}-${process.arch === 'arm64' ? 'arm64' : 'amd64'}`
  return join(dirname(createRequire(import.meta.url).resolve(`${packageName}/package.json`)), 'bin/anvil')
}

/** The chain mines on demand. */
export async function startAnvil(
  options: { port?: number; statePath?: string; args?: readonly string[] } = {},
): Promise<Anvil> {
  const port = options.port ?? (await freePort())
  const state = options.statePath ? ['--state', options.statePath] : []
  const child = spawn(
    anvilBinary(),
    [
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      '--no-mining',
      '--slots-in-an-epoch',
      '8',
      '--silent',
      // A state moved to disk is lost in a reorg, with its contracts.
      '--prune-history',
      '5000',
      ...state,
      ...(options.args ?? []),
    ],
    { stdio: 'ignore' },
  )
  const url = `http://127.0.0.1:${port}`
  const rpc = new JsonRpc(url)
  await waitFor('anvil', child, () => rpc.call('eth_chainId'))
  return {
    url,
    port,
    rpc,
    async stop() {
      if (options.statePath === undefined) return end(child)
      // The chain is only saved on a clean exit.
      const gone = once(child, 'exit')
      child.kill('SIGINT')
      await gone
    },
  }
}

export interface Litecoind {
  readonly url: string
  readonly rpc: JsonRpc
  mine(blocks: number): Promise<string[]>
  send(address: string, amount: string, options?: { replaceable?: boolean }): Promise<string>
  /** Stops and saves its data; `restart` uses the same port. */
  shutDown(): Promise<void>
  restart(): Promise<void>
  stop(): Promise<void>
}

export const litecoindPath = '/usr/bin/litecoind'

/** The wallet has spendable coins. */
export async function startLitecoind(): Promise<Litecoind> {
  if (!existsSync(litecoindPath)) throw new Error('litecoind is missing: apt-get install -y litecoind')
  const dataDir = await makeFolder('litecoind')
  const port = await freePort()
  const url = `http://test:test@127.0.0.1:${port}`
  const rpc = new JsonRpc(url)
  let child: ChildProcess
  const launch = async () => {
    child = spawn(
      litecoindPath,
      [
        '-regtest',
        `-datadir=${dataDir}`,
        `-rpcport=${port}`,
        '-rpcuser=test',
        '-rpcpassword=test',
        '-listen=0',
        '-server=1',
        '-fallbackfee=0.0001',
        '-mempoolreplacement=1',
        '-walletrbf=1',
        '-vbparams=mweb:4000000000:4100000000',
        '-dbcache=16',
        '-printtoconsole=0',
      ],
      { stdio: 'ignore' },
    )
    await waitFor('litecoind', child, () => rpc.call('getblockcount'))
  }
  await launch()
  await rpc.call('createwallet', 'miner')
  const miner = await rpc.call<string>('getnewaddress', '', 'bech32')
  await rpc.call('generatetoaddress', 130, miner)
  return {
    url,
    rpc,
    mine: (blocks) => rpc.call<string[]>('generatetoaddress', blocks, miner),
    send: (address, amount, options) =>
      rpc.call<string>('sendtoaddress', address, amount, '', '', false, options?.replaceable ?? true),
    async shutDown() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
    async restart() {
      await launch()
      const loaded = await rpc.call<string[]>('listwallets')
      if (!loaded.includes('miner')) await rpc.call('loadwallet', 'miner')
    },
    async stop() {
      await end(child)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
