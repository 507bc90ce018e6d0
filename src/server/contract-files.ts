import { readFileSync } from 'node:fs'
import type { Address, Hex } from 'viem'
import { concatHex, encodeAbiParameters } from 'viem/utils'

/** Each address commits to its factory's code. */
export interface Factories {
  readonly deployer: Address
  readonly addresses: Readonly<Record<'TokenFactory' | 'EscrowFactory' | 'DistributorFactory', Address>>
}

export const readArtifact = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`../../contracts/artifacts/${name}.json`, import.meta.url), 'utf8')) as T

/** Most starts never need the result. */
export const once = <T>(make: () => T) => {
  let made: T | undefined
  return () => (made ??= make())
}

export const factories = once(() => readArtifact<Factories>('factories'))

const ZERO_WORD: Hex = `0x${'0'.repeat(64)}`

/** For a factory that accepts only tokens of the token factory. */
export function factoryDeployment(name: 'EscrowFactory' | 'DistributorFactory'): Hex {
  const argument = encodeAbiParameters([{ type: 'address' }], [factories().addresses.TokenFactory])
  return concatHex([ZERO_WORD, readArtifact<{ bytecode: Hex }>(name).bytecode, argument])
}
