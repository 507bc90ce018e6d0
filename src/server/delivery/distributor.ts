import type { Address, Hex } from 'viem'
import { concatHex, encodeFunctionData } from 'viem/utils'
import {
  distributorAbi,
  distributorFactoryAbi,
  saleTokenAbi,
  tokenFactoryAbi,
} from '../../../contracts/artifacts/abi.ts'
import type { UnsignedCall } from '../../shared/api/rounds.ts'
import { type DistributorBuild, initCodeOf, placeOf } from '../../shared/distributor-code.ts'
import type { Terms } from '../../shared/round-list.ts'
import type { StateRead } from '../../shared/state-read.ts'
import { factories, factoryDeployment, once, readArtifact } from '../contract-files.ts'
import type { StateLook } from '../payments/evm/evm-looks.ts'

export const distributorBuild = once((): DistributorBuild => {
  const { deployer, addresses } = factories()
  return {
    ...readArtifact<Omit<DistributorBuild, 'makers'>>('Distributor'),
    makers: [deployer, addresses.DistributorFactory],
  }
})

export function readsOfFactories(terms: Terms): readonly StateRead[] {
  const { deployer, addresses } = factories()
  const data = encodeFunctionData({ abi: tokenFactoryAbi, functionName: 'made', args: [terms.token] })
  return [
    { code: deployer },
    { code: addresses.DistributorFactory },
    { code: addresses.TokenFactory },
    { to: addresses.TokenFactory, data },
  ]
}

export interface Making {
  /** Commits to the code and all terms. */
  readonly address: Address
  /** The token's code is known. */
  readonly isFactoryToken: boolean
  /** Null if the chain lacks the keyless deployer. */
  readonly calls: readonly UnsignedCall[] | null
}

/**
 * Returns how to deploy a list's distributor; the list's hash is the salt. The distributor factory accepts
 * only tokens of the token factory; for others the keyless deployer deploys the same code. The deployer gets
 * no rights in it.
 */
export function makingOf(terms: Terms, sha256: string, { answers }: StateLook): Making {
  const { deployer, addresses } = factories()
  const [deployerCode, factoryCode, tokenFactoryCode, made] = answers
  const salt: Hex = `0x${sha256}`
  const isFactoryToken = !!tokenFactoryCode && tokenFactoryCode !== '0x' && !!made && BigInt(made) === 1n
  if (!isFactoryToken) {
    const call = unsigned('make', deployer, concatHex([salt, initCodeOf(distributorBuild(), terms)]))
    return {
      address: placeOf(distributorBuild(), terms, sha256, deployer),
      isFactoryToken,
      calls: deployerCode === '0x' ? null : [call],
    }
  }
  const make = unsigned(
    'make',
    addresses.DistributorFactory,
    encodeFunctionData({ abi: distributorFactoryAbi, functionName: 'make', args: [terms, salt] }),
  )
  const calls =
    factoryCode === '0x'
      ? [unsigned('factory', deployer, factoryDeployment('DistributorFactory')), make]
      : [make]
  return {
    address: placeOf(distributorBuild(), terms, sha256, addresses.DistributorFactory),
    isFactoryToken,
    calls,
  }
}

/** The holder's approval, and the call that opens claims. */
export function fundingOf(terms: Terms, address: Address): readonly UnsignedCall[] {
  return [
    unsigned(
      'approve',
      terms.token,
      encodeFunctionData({ abi: saleTokenAbi, functionName: 'approve', args: [address, terms.total] }),
    ),
    unsigned('fund', address, encodeFunctionData({ abi: distributorAbi, functionName: 'fund' })),
  ]
}

const unsigned = (what: UnsignedCall['what'], to: Address, data: Hex): UnsignedCall => ({
  what,
  to,
  value: '0',
  data,
})
