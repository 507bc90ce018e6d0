import type { Hex } from 'viem'
import { afterAll, beforeAll } from 'vitest'
import type { EvmChainConfig } from '../../src/server/chain-config.ts'
import { ABANDON, accountOf } from './account-keys.ts'
import { type ChainSale, withChainSale } from './chain-sale.ts'
import { compileContracts, createPayer, units } from './evm-accounts.ts'
import { type Anvil, startAnvil } from './processes.ts'

/** Sales on a test file's own anvil with two listed tokens. */
export class EvmSales {
  readonly contracts = compileContracts()
  #account = 0
  #anvil: Anvil | undefined
  #tokens: Hex[] = []

  constructor() {
    beforeAll(async () => {
      this.#anvil = await startAnvil()
      const { payer, contracts } = this
      for (const [contract, name, code] of [
        [contracts.TestToken, 'Tether USD', 'USDT'],
        [contracts.PermitToken, 'USD Coin', 'USDC'],
      ] as const)
        this.#tokens.push(await payer.deploy(contract, [name, code, 6]))
      for (const token of this.#tokens) await this.mint(token, payer.address, '1000000')
      await this.mine(1)
    })
    afterAll(() => this.anvil.stop())
  }

  get anvil(): Anvil {
    if (!this.#anvil) throw new Error('anvil runs while tests do')
    return this.#anvil
  }

  get payer() {
    return createPayer(this.anvil)
  }

  get usdt(): Hex {
    return this.#tokens[0] ?? '0x'
  }

  get usdc(): Hex {
    return this.#tokens[1] ?? '0x'
  }

  mine(blocks: number): Promise<unknown> {
    return this.anvil.rpc.call('anvil_mine', `0x${blocks.toString(16)}`)
  }

  /** Mines as many empty blocks; the first contains the signed `transactions`. */
  reorg(depth: number, transactions: readonly Hex[] = []): Promise<unknown> {
    const pairs = transactions.map((raw) => [raw, 0])
    return this.anvil.rpc.call('anvil_reorg', depth, pairs)
  }

  mint(token: Hex, to: string, amount: string, decimals = 6): Promise<Hex> {
    return this.payer.call(this.contracts.TestToken, token, 'mint', [to, units(amount, decimals)])
  }

  transfer(token: Hex, to: string, amount: string): Promise<Hex> {
    return this.payer.call(this.contracts.TestToken, token, 'transfer', [to, units(amount, 6)])
  }

  /** In smallest units. */
  async usdtOf(address: string): Promise<bigint> {
    const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}`
    return BigInt(await this.anvil.rpc.call<Hex>('eth_call', { to: this.usdt, data }, 'latest'))
  }

  withSale(work: (sale: EvmSale) => Promise<void>, config: Partial<EvmChainConfig> = {}): Promise<void> {
    const chain = {
      family: 'evm' as const,
      network: 'ethereum' as const,
      chainId: 31_337,
      rpcUrl: this.anvil.url,
      secondRpcUrl: undefined,
      secondAboveUsd: '1000',
      net: 'main' as const,
      pollMs: 100,
      startHeight: undefined,
      explorerUrl: undefined,
      ...config,
    }
    return withChainSale([chain], async (sale) => {
      await sale.sql(
        'list_tokens',
        "update currencies set token_contract = case code when 'USDT' then $1 when 'USDC' then $2 end, network = 'ethereum' where code in ('USDT', 'USDC')",
        [this.usdt, this.usdc],
      )
      await sale.sql(
        'no_other_tokens',
        "update currencies set switched_off_at = now(), network = 'other' where code not in ('ETH', 'USDT', 'USDC')",
      )
      // Each test has its own account, because tests share a chain.
      const xpub = accountOf(ABANDON, `m/44'/60'/${(this.#account += 1)}'`, 'xpub').publicExtendedKey
      for (const currency of ['ETH', 'USDT', 'USDC']) await sale.watch(currency, 'evm', xpub)
      const pass = () => sale.pass('ethereum')
      const mineAnd = async (blocks: number) => {
        await this.mine(blocks)
        return pass()
      }
      const look = async (blocks = 1) => {
        await this.mine(blocks)
        await sale.takeOver('ethereum')
        return pass()
      }
      const lackFor = async (hours = 1) => {
        for (const [table, column] of [
          ['payments', 'lacking'],
          ['payments', 'second_lacking'],
          ['payments', 'return_lacking'],
          ['refunds', 'lacking'],
          ['second_words', 'lacking'],
          ['coins_sent', 'lacking'],
        ])
          await sale.sql(
            `lack_for_${table}_${column}`,
            `update ${table} set ${column} = tstzrange(lower(${column}) - $1 * interval '1 hour', upper(${column}) - $1 * interval '1 hour', '[]')
              where ${column} is not null`,
            [hours],
          )
      }
      await pass()
      await work(Object.assign(sale, { passes: pass, mineAnd, look, lackFor }))
    })
  }
}

export type EvmSale = ChainSale & {
  passes(): Promise<unknown>
  mineAnd(blocks: number): Promise<unknown>
  /** Mines; another leader then reads every balance at once. */
  look(blocks?: number): Promise<unknown>
  /** Lets hours pass for payments that their block lacks. */
  lackFor(hours?: number): Promise<unknown>
}
