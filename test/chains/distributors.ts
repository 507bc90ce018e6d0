import {
  type Address,
  concatHex,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  size,
  toHex,
} from 'viem'
import { distributorAbi, saleTokenAbi, tokenFactoryAbi } from '../../contracts/artifacts/abi.ts'
import distributor from '../../contracts/artifacts/Distributor.json' with { type: 'json' }
import factories from '../../contracts/artifacts/factories.json' with { type: 'json' }
import saleToken from '../../contracts/artifacts/SaleToken.json' with { type: 'json' }
import tokenFactory from '../../contracts/artifacts/TokenFactory.json' with { type: 'json' }
import { distributorBuild } from '../../src/server/delivery/distributor.ts'
import { evmChecksum } from '../../src/shared/addresses.ts'
import { codeOf } from '../../src/shared/distributor-code.ts'
import type { Terms } from '../../src/shared/round-list.ts'
import type { Anvil } from './processes.ts'

const SUPPLY = 10n ** 27n
const constructing = (terms: Terms): Hex =>
  encodeDeployData({ abi: distributorAbi, bytecode: distributor.bytecode as Hex, args: [terms] })
const ZERO_WORD: Hex = `0x${'0'.repeat(64)}`

/** Wallets and contracts on an anvil. */
export class DistributorChain {
  readonly anvil: Anvil
  #accounts: Address[] = []

  constructor(anvil: Anvil) {
    this.anvil = anvil
  }

  /** Deploys the factory by the keyless deployer, which every anvil has. */
  async begin(): Promise<void> {
    this.#accounts = await this.accounts()
    const data = concatHex([ZERO_WORD, tokenFactory.bytecode as Hex])
    await this.send({ to: factories.deployer as Address, data })
  }

  /** Sends and mines. Returns the created contract. */
  async send({ to, data }: { to?: string; data: string }, wallet = 0): Promise<Address | null> {
    const from = this.#accounts[wallet]
    const hash = await this.anvil.rpc.call<Hex>('eth_sendTransaction', { from, to, data, gas: '0x989680' })
    await this.mine(1)
    const receipt = await this.anvil.rpc.call<{ status: string; contractAddress: Address | null }>(
      'eth_getTransactionReceipt',
      hash,
    )
    if (receipt.status !== '0x1') throw new Error(`the transaction to ${to ?? 'nobody'} reverted`)
    return receipt.contractAddress && (evmChecksum(receipt.contractAddress) as Address)
  }

  accounts(): Promise<Address[]> {
    return this.anvil.rpc.call<Address[]>('eth_accounts')
  }

  mine(blocks: number): Promise<unknown> {
    return this.anvil.rpc.call('anvil_mine', `0x${blocks.toString(16)}`)
  }

  /** An anvil with two slots of 8 blocks is final 16 blocks below its tip. */
  finalise(): Promise<unknown> {
    return this.mine(32)
  }

  /** The first replacement differs, because equal blocks would have equal hashes. */
  reorg(depth: number): Promise<unknown> {
    const [from, to] = this.#accounts
    return this.anvil.rpc.call('anvil_reorg', depth, [[{ from, to, value: '0x1' }, 0]])
  }

  /** Makes a token whose supply the first wallet owns: by the factory, or the same code by hand. */
  async makeToken(symbol: string, by: 'factory' | 'hand' = 'factory'): Promise<Address> {
    const holder = this.#accounts[0] ?? '0x'
    if (by === 'hand') {
      const data = encodeDeployData({
        abi: saleTokenAbi,
        bytecode: saleToken.bytecode as Hex,
        args: [symbol, symbol, [holder], [SUPPLY]],
      })
      return (await this.send({ data })) ?? '0x'
    }
    const to = factories.addresses.TokenFactory as Address
    const data = encodeFunctionData({
      abi: tokenFactoryAbi,
      functionName: 'make',
      args: [symbol, symbol, [holder], [SUPPLY], ZERO_WORD],
    })
    const answer = await this.anvil.rpc.call<Hex>('eth_call', { from: holder, to, data }, 'latest')
    await this.send({ to, data })
    return evmChecksum(`0x${answer.slice(-40)}`) as Address
  }

  /** Makes the contract without a factory. */
  async makeDistributor(terms: Terms): Promise<Address> {
    return (await this.send({ data: constructing(terms) })) ?? '0x'
  }

  /** Makes the contract by the keyless deployer. */
  async makePublished(terms: Terms, salt: Hex, wallet: number): Promise<Address> {
    const from = factories.deployer as Address
    await this.send({ to: from, data: concatHex([salt, constructing(terms)]) }, wallet)
    return getContractAddress({ opcode: 'CREATE2', from, salt, bytecode: constructing(terms) })
  }

  /**
   * Deploys the published code by a constructor that writes its first slot and approves `to` for its tokens.
   */
  async makeRigged(terms: Terms, { to, storage }: { to: Address; storage: bigint }): Promise<Address> {
    const code = codeOf(distributorBuild(), terms)
    const leave = encodeFunctionData({ abi: saleTokenAbi, functionName: 'approve', args: [to, 2n ** 255n] })
    const word = (value: number) => toHex(value, { size: 2 })
    // sstore(0, storage); call(token, leave); return(code)
    const maker = (length: number): Hex =>
      concatHex([
        '0x7f',
        toHex(storage, { size: 32 }),
        '0x600055',
        '0x604461',
        word(length),
        '0x60003960006000604460006000',
        '0x73',
        terms.token,
        '0x5af150',
        '0x61',
        word(size(code)),
        '0x61',
        word(length + 68),
        '0x60003961',
        word(size(code)),
        '0x6000f3',
      ])
    const data = concatHex([maker(size(maker(0))), leave, code])
    return (await this.send({ data })) ?? '0x'
  }

  transfer(token: Address, to: Address, units: bigint): Promise<unknown> {
    const data = encodeFunctionData({ abi: saleTokenAbi, functionName: 'transfer', args: [to, units] })
    return this.send({ to: token, data })
  }

  async balanceOf(token: Address, account: string): Promise<bigint> {
    const data = encodeFunctionData({
      abi: saleTokenAbi,
      functionName: 'balanceOf',
      args: [account as Address],
    })
    return BigInt(await this.anvil.rpc.call<Hex>('eth_call', { to: token, data }, 'latest'))
  }

  codeAt(address: string): Promise<Hex> {
    return this.anvil.rpc.call<Hex>('eth_getCode', address, 'latest')
  }
}
