import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ABANDON, accountOf } from '../test/chains/account-keys.ts'
import { type Litecoind, startLitecoind } from '../test/chains/processes.ts'
import { apiOf, operatorToken } from '../test/support/api.ts'
import type { Payer } from '../test/support/failover.ts'

const PAYMENT_EVERY_MS = 5_000
const BLOCK_EVERY_MS = 2_000
const CONFIRMATIONS = 12

/** A chain that mines by itself and pays orders. */
export class PaidChain implements Payer {
  readonly currency = 'LTC'
  readonly everyMs = PAYMENT_EVERY_MS
  readonly #node: Litecoind
  readonly #ending = new AbortController()
  #mining: Promise<void> = Promise.resolve()

  private constructor(node: Litecoind) {
    this.#node = node
  }

  static async open(): Promise<PaidChain> {
    return new PaidChain(await startLitecoind())
  }

  get environment(): Record<string, string> {
    return { CHAIN_LITECOIN_RPC_URL: this.#node.url, CHAIN_LITECOIN_NETWORK: 'regtest' }
  }

  /** Adds a wallet to the sale. */
  async watch(siteUrl: string): Promise<void> {
    const call = apiOf(siteUrl, await operatorToken(siteUrl, 'owner'))
    // Wait: the chain must be watched and read first.
    for (let isRead = false; !isRead; await delay(200)) {
      const { items } = await call<{ items: { network: string; height: number | null }[] }>(
        'GET',
        '/operator/chains',
      )
      isRead = items.some(({ network, height }) => network === 'litecoin' && height !== null)
    }
    const accountKey = accountOf(ABANDON, "m/84'/1'/0'", 'vpub').publicExtendedKey
    const named = { family: 'litecoin', accountKey, name: 'failover' }
    const wallet = await call<{ id: number; firstAddresses: string[] }>('POST', '/operator/wallets', named)
    await call('POST', `/operator/wallets/${wallet.id}/check`, { addresses: wallet.firstAddresses })
    await call('PUT', '/operator/currencies/LTC/wallet', { walletId: wallet.id })
    this.#mining = this.#mine()
  }

  readonly pay = async (address: string): Promise<void> => {
    await this.#node.send(address, '2')
  }

  async settle(): Promise<void> {
    this.#ending.abort()
    await this.#mining
    await this.#node.mine(CONFIRMATIONS)
  }

  async stop(): Promise<void> {
    this.#ending.abort()
    await this.#mining
    await this.#node.stop()
  }

  async #mine(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      await this.#node.mine(1)
      await delay(BLOCK_EVERY_MS, undefined, { signal: this.#ending.signal }).catch(() => undefined)
    }
  }
}

/** By the files in the senders' folders. */
export async function approvalMails(folders: readonly string[]): Promise<Map<number, number[]>> {
  const mails = new Map<number, number[]>()
  for (const folder of folders) {
    const names = await readdir(join(folder, 'mail')).catch(() => [])
    for (const name of names) {
      const [, day, hour, minute, second, ms] =
        /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z/.exec(name) ?? []
      const text = await readFile(join(folder, 'mail', name), 'utf8')
      const number = Number(/^Subject: .*Order #(\d+) was approved/m.exec(text)?.[1])
      if (!number) continue
      const at = Date.parse(`${day}T${hour}:${minute}:${second}.${ms}Z`)
      mails.set(number, [...(mails.get(number) ?? []), at])
    }
  }
  return mails
}
