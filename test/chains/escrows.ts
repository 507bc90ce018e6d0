import { type Address, encodeDeployData, encodeFunctionData, type Hex, keccak256, toHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { saleEscrowAbi, saleTokenAbi } from '../../contracts/artifacts/abi.ts'
import saleEscrow from '../../contracts/artifacts/SaleEscrow.json' with { type: 'json' }
import saleToken from '../../contracts/artifacts/SaleToken.json' with { type: 'json' }
import { escrowPrefix, orderKeyOf, placeInEscrow } from '../../src/shared/escrow-places.ts'
import { JUNK } from './account-keys.ts'
import { units } from './evm-accounts.ts'
import type { EvmSale, EvmSales } from './evm-sale.ts'

const NATIVE: Address = `0x${'0'.repeat(40)}`
const DAY = 86_400
const CAP = 10n ** 24n
/** Signs the sale's quotes. */
const quoteKey = mnemonicToAccount(JUNK, { addressIndex: 9 })
export const thief = mnemonicToAccount(JUNK, { addressIndex: 8 })

const QUOTE_TYPE = {
  Quote: [
    { name: 'orderId', type: 'bytes32' },
    { name: 'payer', type: 'address' },
    { name: 'beneficiary', type: 'address' },
    { name: 'asset', type: 'address' },
    { name: 'amount', type: 'uint256' },
    { name: 'tokens', type: 'uint256' },
    { name: 'validUntil', type: 'uint256' },
  ],
} as const

export interface EscrowQuote {
  readonly orderId: Hex
  readonly payer: Address
  readonly beneficiary: Address
  readonly asset: Address
  readonly amount: bigint
  readonly tokens: bigint
  readonly validUntil: bigint
}

/** An escrow with locked tokens; seller and payer are anvil's first account. */
export class TestEscrow {
  readonly address: Address
  readonly #chain: EvmSales
  readonly #token: Address

  private constructor(chain: EvmSales, token: Address, address: Address) {
    this.#chain = chain
    this.#token = token
    this.address = address
  }

  static async make(chain: EvmSales): Promise<TestEscrow> {
    const { payer, anvil } = chain
    const supply = [['Sale', 'SALE', [payer.address], [10n ** 27n]]] as const
    const made = async (data: Hex): Promise<Address> => {
      const hash = await payer.send(await signedBig(chain, { data }))
      await chain.mine(1)
      const receipt = await anvil.rpc.call<{ status: string; contractAddress: Address }>(
        'eth_getTransactionReceipt',
        hash,
      )
      if (receipt.status !== '0x1') throw new Error('the contract was not made')
      return receipt.contractAddress
    }
    const token = await made(
      encodeDeployData({ abi: saleTokenAbi, bytecode: saleToken.bytecode as Hex, args: supply[0] as never }),
    )
    const { timestamp } = await anvil.rpc.call<{ timestamp: Hex }>('eth_getBlockByNumber', 'latest', false)
    const closeAt = Number(timestamp) + 30 * DAY
    const terms = {
      token,
      seller: payer.address,
      treasury: thief.address,
      quoteKey: quoteKey.address,
      capTokens: CAP,
      closeAt,
      deliverBy: closeAt + 30 * DAY,
      review: DAY,
      lockFirst: true,
      schedule: { startBps: 10_000, cliff: 0, linear: 0 },
      assets: [NATIVE, chain.usdt, chain.usdc],
    }
    const address = await made(
      encodeDeployData({ abi: saleEscrowAbi, bytecode: saleEscrow.bytecode as Hex, args: [terms] }),
    )
    const escrow = new TestEscrow(chain, token, address)
    await escrow.#allow(token, CAP)
    await escrow.call('lock', [])
    await chain.mine(1)
    return escrow
  }

  /** Activates it for the sale's open stage directly: for ETH, USDT and these others. */
  async stand(sale: EvmSale, others: readonly Address[] = []): Promise<void> {
    await sale.sql(
      'escrow_in_force',
      `insert into escrows (stage_id, chain, chain_id, address, token, seller, treasury, cap_tokens, closes_at, deliver_by, review_seconds,
                            locks_first, start_bps, cliff_seconds, linear_seconds, assets, quote_key, code_hash, height, block_hash, mined_at,
                            second_node)
       select id, 'ethereum', 31337, $1, $2, $3, $3, 1000000, now() + interval '30 days', now() + interval '60 days', 86400, true, 10000, 0, 0,
              array[$4, $6] || $7::text[], $3, $5, 1, $5, now(), false
         from stages where starts_at <= now() and ends_at > now()`,
      [
        this.address,
        this.#token,
        this.#chain.payer.address,
        NATIVE,
        keccak256(await this.#chain.anvil.rpc.call<Hex>('eth_getCode', this.address, 'latest')),
        this.#chain.usdt,
        others,
      ],
    )
  }

  /** Makes an order with its signed quote. */
  async order(sale: EvmSale, currency: 'ETH' | 'USDT', tokens: string) {
    const order = await sale.order(currency, tokens)
    const payer = this.#chain.payer.address
    const quote: EscrowQuote = {
      orderId: keccak256(toHex(order.token)),
      payer,
      beneficiary: payer,
      asset: currency === 'ETH' ? NATIVE : this.#chain.usdt,
      amount: units(order.cryptoAmount, currency === 'ETH' ? 18 : 6),
      tokens: units(order.receiveTokens, 18),
      validUntil: BigInt(Math.floor(Date.parse(order.expiresAt) / 1000) + 365 * DAY),
    }
    const prefix = escrowPrefix('ethereum', this.address)
    await sale.sql(
      'escrow_place',
      `with e as (select id from escrows where lower(address) = lower($4)),
            o as (update orders set place = $2, escrow_id = (select id from e) where id = $1 returning currency_id)
       insert into wallet_addresses (escrow_id, order_key, address, address_key, currency_id)
       select e.id, $3, $2, $2, o.currency_id from e, o`,
      [order.number, placeInEscrow(prefix, quote), orderKeyOf(prefix, quote.orderId), this.address],
    )
    return { order, quote }
  }

  sign(quote: EscrowQuote, by = quoteKey): Promise<Hex> {
    return by.signTypedData({
      domain: { name: 'SaleEscrow', version: '1', chainId: 31_337, verifyingContract: this.address },
      types: QUOTE_TYPE,
      primaryType: 'Quote',
      message: quote,
    })
  }

  async pay(quote: EscrowQuote): Promise<Hex> {
    const isNative = quote.asset === NATIVE
    if (!isNative) await this.#allow(quote.asset, quote.amount)
    return this.call('pay', [quote, await this.sign(quote)], isNative ? quote.amount : 0n)
  }

  call(functionName: string, args: readonly unknown[], value = 0n): Promise<Hex> {
    const { payer } = this.#chain
    return payer.call({ abi: saleEscrowAbi, bytecode: '0x' }, this.address, functionName, args, value)
  }

  /** The tokens that the contract owes in the newest block. */
  async owed(): Promise<bigint> {
    const data = encodeFunctionData({ abi: saleEscrowAbi, functionName: 'owed' })
    return BigInt(await this.#chain.anvil.rpc.call<Hex>('eth_call', { to: this.address, data }, 'latest'))
  }

  #allow(token: Address, amount: bigint): Promise<Hex> {
    const data = encodeFunctionData({
      abi: saleTokenAbi,
      functionName: 'approve',
      args: [this.address, amount],
    })
    return this.#send({ to: token, data })
  }

  async #send(fields: { to: Address; data: Hex }): Promise<Hex> {
    const { payer } = this.#chain
    return payer.send(await payer.sign(fields))
  }
}

/** A transaction with enough gas to deploy an escrow. */
async function signedBig({ payer }: EvmSales, { data }: { data: Hex }): Promise<Hex> {
  return mnemonicToAccount(JUNK).signTransaction({
    type: 'eip1559',
    chainId: 31_337,
    nonce: await payer.nonce(),
    data,
    gas: 6_000_000n,
    maxFeePerGas: 100_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  })
}
