import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Abi, encodeDeployData, encodeFunctionData, type Hex, parseEther, parseUnits } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { JUNK } from './account-keys.ts'
import type { Anvil } from './processes.ts'

export interface Compiled {
  readonly abi: Abi
  readonly bytecode: Hex
}

interface SolcOutput {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>
}

type Contracts = Record<
  'TestToken' | 'PermitToken' | 'TaxedToken' | 'Forwarder' | 'Fickle' | 'Feed' | 'SmartAccount',
  Compiled
>

let compiled: Contracts | undefined

/** Compiles once per process. */
export const compileContracts = (): Contracts => (compiled ??= compile())

function compile(): Contracts {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string }
  const source = readFileSync(new URL('./contracts.sol', import.meta.url), 'utf8')
  const input = {
    language: 'Solidity',
    sources: { 'contracts.sol': { content: source } },
    settings: { evmVersion: 'paris', outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as SolcOutput
  const errors = (output.errors ?? []).filter((error) => error.severity === 'error')
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  const of = (name: string): Compiled => {
    const contract = output.contracts['contracts.sol']?.[name]
    if (!contract) throw new Error(`${name} was not compiled`)
    return { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` }
  }
  return {
    TestToken: of('TestToken'),
    PermitToken: of('PermitToken'),
    TaxedToken: of('TaxedToken'),
    Forwarder: of('Forwarder'),
    Fickle: of('Fickle'),
    Feed: of('Feed'),
    SmartAccount: of('SmartAccount'),
  }
}

/** A payer that signs itself, so that a transaction can be resent. */
export function createPayer(anvil: Anvil, index = 0) {
  const account = mnemonicToAccount(JUNK, { addressIndex: index })
  const nonce = async () =>
    Number(await anvil.rpc.call<string>('eth_getTransactionCount', account.address, 'pending'))

  const sign = async (fields: {
    to?: Hex
    value?: bigint
    data?: Hex
    nonce?: number
    tip?: bigint
  }): Promise<Hex> =>
    account.signTransaction({
      type: 'eip1559',
      chainId: 31_337,
      nonce: fields.nonce ?? (await nonce()),
      to: fields.to,
      value: fields.value ?? 0n,
      data: fields.data ?? '0x',
      gas: fields.to && !fields.data ? 60_000n : 2_000_000n,
      maxFeePerGas: 100n * (fields.tip ?? 1_000_000_000n),
      maxPriorityFeePerGas: fields.tip ?? 1_000_000_000n,
    })
  const send = (raw: Hex) => anvil.rpc.call<Hex>('eth_sendRawTransaction', raw)

  return {
    address: account.address,
    nonce,
    sign,
    send,
    pay: async (to: string, ether: string, options: { nonce?: number; tip?: bigint } = {}) =>
      send(await sign({ to: to as Hex, value: parseEther(ether), ...options })),
    async deploy(contract: Compiled, args: readonly unknown[] = []): Promise<Hex> {
      const data = encodeDeployData({
        abi: contract.abi,
        bytecode: contract.bytecode,
        args: [...args],
      } as never)
      const hash = await send(await sign({ data }))
      await anvil.rpc.call('anvil_mine', '0x1')
      const receipt = await anvil.rpc.call<{ contractAddress: Hex; status: string }>(
        'eth_getTransactionReceipt',
        hash,
      )
      if (receipt.status !== '0x1') throw new Error('the contract was not deployed')
      return receipt.contractAddress
    },
    call: async (contract: Compiled, at: Hex, functionName: string, args: readonly unknown[], value = 0n) =>
      send(
        await sign({
          to: at,
          data: encodeFunctionData({ abi: contract.abi, functionName, args: [...args] } as never),
          value,
        }),
      ),
  }
}

export const units = (amount: string, decimals: number) => parseUnits(amount, decimals)
