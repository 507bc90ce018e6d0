import { setTimeout as delay } from 'node:timers/promises'
import { accountOf, JUNK } from '../test/chains/account-keys.ts'
import { type Anvil, startAnvil } from '../test/chains/processes.ts'
import { apiOf } from '../test/support/api.ts'

const BLOCK_EVERY_MS = 2_000
const WEI = 10n ** 18n
const TRANSFER_GAS = '0x5208'

interface Due {
  readonly address: string
  readonly amount: string
}

/** A chain with a block every two seconds; each payment is its own transaction. */
export class BusyChain {
  readonly currency = 'ETH'
  readonly #node: Anvil
  readonly #payers: readonly string[]
  readonly #ending = new AbortController()
  #due: Due[] = []
  #mining: Promise<void> = Promise.resolve()
  #paid = 0

  private constructor(node: Anvil, payers: readonly string[]) {
    this.#node = node
    this.#payers = payers
  }

  static async open(): Promise<BusyChain> {
    const node = await startAnvil()
    return new BusyChain(node, await node.rpc.call<string[]>('eth_accounts'))
  }

  get environment(): Record<string, string> {
    return {
      CHAIN_ETHEREUM_RPC_URL: this.#node.url,
      CHAIN_ETHEREUM_ID: '31337',
      CHAIN_ETHEREUM_EXPLORER_URL: 'none',
    }
  }

  get paid(): number {
    return this.#paid
  }

  /** Each order gets an address; starts mining. */
  async watch(siteUrl: string, operator: string): Promise<void> {
    const call = apiOf(siteUrl, operator)
    this.#mining = this.#mine()
    // The error is thrown where it is awaited, after all is stopped.
    this.#mining.catch(() => undefined)
    // Wait: the chain must be watched and read first.
    for (let isRead = false; !isRead; await delay(200)) {
      const chains = await call<{ items: { network: string; height: number | null }[] }>(
        'GET',
        '/operator/chains',
      )
      isRead = chains.items.some(({ network, height }) => network === 'ethereum' && height !== null)
    }
    const accountKey = accountOf(JUNK, "m/44'/60'/7'", 'xpub').publicExtendedKey
    const named = { family: 'evm', accountKey, name: 'load day' }
    const wallet = await call<{ id: number; firstAddresses: string[] }>('POST', '/operator/wallets', named)
    await call('POST', `/operator/wallets/${wallet.id}/check`, { addresses: wallet.firstAddresses })
    await call('PUT', '/operator/currencies/ETH/wallet', { walletId: wallet.id })
  }

  /** Pays in the next block. */
  pay(due: Due): void {
    this.#due.push(due)
  }

  async stop(): Promise<void> {
    this.#ending.abort()
    await this.#mining.finally(() => this.#node.stop())
  }

  async #mine(): Promise<void> {
    const { signal } = this.#ending
    while (!signal.aborted) {
      const due = this.#due.splice(0)
      await Promise.all(this.#payers.map((payer, at) => this.#sendAll(payer, at, due)))
      this.#paid += due.length
      await this.#node.rpc.call('anvil_mine', '0x1')
      await delay(BLOCK_EVERY_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  /** Sends in order, because the node counts a payer's transactions. */
  async #sendAll(payer: string, at: number, due: readonly Due[]): Promise<void> {
    for (let index = at; index < due.length; index += this.#payers.length) {
      const one = due[index]
      if (one) await this.#send(one, payer)
    }
  }

  #send({ address, amount }: Due, from: string): Promise<unknown> {
    const [whole = '0', part = ''] = amount.split('.')
    const wei = BigInt(whole) * WEI + BigInt(part.padEnd(18, '0'))
    const value = `0x${wei.toString(16)}`
    return this.#node.rpc.call('eth_sendTransaction', { from, to: address, value, gas: TRANSFER_GAS })
  }
}
