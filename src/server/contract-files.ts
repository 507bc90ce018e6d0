import { readFileSync } from 'node:fs'
import type { Address, Hex } from 'viem'
import { concatHex, encodeAbiParameters } from 'viem/utils'

/** Where the keyless deployer puts the factories: each address commits to its code. */
export interface Factories {
  readonly deployer: Address
  readonly addresses: Readonly<Record<'TokenFactory' | 'EscrowFactory' | 'DistributorFactory', Address>>
}

/** What `npm run contracts` wrote. */
export const readArtifact = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`../../contracts/artifacts/${name}.json`, import.meta.url), 'utf8')) as T

/** Read by the first who asks: most starts of the program never do. */
export const once = <T>(make: () => T) => {
  let made: T | undefined
  return () => (made ??= make())
}

export const factories = once(() => readArtifact<Factories>('factories'))

const ZERO_WORD: Hex = `0x${'0'.repeat(64)}`

/** What the keyless deployer makes a factory from that takes tokens of the token factory alone. */
export function factoryDeployment(name: 'EscrowFactory' | 'DistributorFactory'): Hex {
  const argument = encodeAbiParameters([{ type: 'address' }], [factories().addresses.TokenFactory])
  return concatHex([ZERO_WORD, readArtifact<{ bytecode: Hex }>(name).bytecode, argument])
}
