import { readFileSync } from 'node:fs'
import type { Address, Hex } from 'viem'
import {
  concatHex,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  isAddressEqual,
  keccak256,
  pad,
  toHex,
} from 'viem/utils'
import {
  distributorAbi,
  distributorFactoryAbi,
  saleTokenAbi,
  tokenFactoryAbi,
} from '../../../contracts/artifacts/abi.ts'
import type { DistributorFault, UnsignedCall } from '../../shared/api/rounds.ts'
import type { StateLook, StateRead } from '../payments/evm/evm-looks.ts'
import type { Terms } from './round-file.ts'

const ZERO_WORD: Hex = `0x${'0'.repeat(64)}`

interface Artifact {
  readonly bytecode: Hex
  readonly deployedBytecode: Hex
  readonly immutableReferences: Record<string, readonly { readonly start: number; readonly length: number }[]>
}
interface Factories {
  readonly deployer: Address
  readonly addresses: { readonly TokenFactory: Address; readonly DistributorFactory: Address }
}

const read = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`../../../contracts/artifacts/${name}.json`, import.meta.url), 'utf8')) as T
/** Read by the first who asks: most starts of the program never do. */
const once = <T>(make: () => T) => {
  let made: T | undefined
  return () => (made ??= make())
}
const distributorArtifact = once(() => read<Artifact>('Distributor'))
const factoryArtifact = once(() => read<Artifact>('DistributorFactory'))
const factories = once(() => read<Factories>('factories'))

/** What the constructor writes into the code, in the order in which contracts/src/Distributor.sol declares it. */
const wordsOf = ({ token, root, total, start, leftoverTo, leftoverFrom, schedule }: Terms): readonly Hex[] =>
  [
    token,
    root,
    total,
    start,
    leftoverTo,
    leftoverFrom,
    schedule.startBps,
    schedule.cliff,
    schedule.linear,
  ].map((value) => pad(typeof value === 'string' ? (value.toLowerCase() as Hex) : toHex(value)))

/** Where each of these words stands in the code; the compiler numbers immutables as they are declared. */
const placesOfWords = once(() =>
  Object.entries(distributorArtifact().immutableReferences)
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([, places]) => places.map(({ start }) => start)),
)

/** The code with these words in their places. */
function codeWith(words: readonly Hex[], code: Hex = distributorArtifact().deployedBytecode): Hex {
  const bytes = Buffer.from(code.slice(2), 'hex')
  for (const [index, places] of placesOfWords().entries())
    for (const at of places) bytes.write((words[index] ?? ZERO_WORD).slice(2), at, 'hex')
  return `0x${bytes.toString('hex')}`
}

/** The code that stands where a distributor was made with these terms: all of it, byte by byte. */
export const codeOf = (terms: Terms): Hex => codeWith(wordsOf(terms))

const blank = (code: Hex) =>
  code.length === distributorArtifact().deployedBytecode.length ? codeWith([], code) : code

/** Why code that stands at an address is not that of the published distributor; null where it is. */
function faultOfCode(terms: Terms, code: Hex): DistributorFault | null {
  if (code === '0x') return 'distributor_missing'
  if (code === codeOf(terms)) return null
  const template = blank(distributorArtifact().deployedBytecode)
  if (template !== blank(code)) return 'distributor_other_code'
  const found = placesOfWords().map(([at = 0]): Hex => `0x${code.slice(2 + 2 * at, 2 + 2 * at + 64)}`)
  const wanted = wordsOf(terms)
  if (found[0] !== wanted[0]) return 'distributor_other_token'
  return found[1] === wanted[1] ? 'distributor_other_terms' : 'distributor_other_root'
}

/**
 * Code says nothing of what its maker did before it stood there: who writes to the storage can note claims that nobody made, and who calls the
 * token can let somebody take the tokens back. An address that commits to the published constructor says that nothing else ran.
 */
function faultOfMaker(terms: Terms, { address, sha256 }: Named): DistributorFault | null {
  const { deployer, addresses } = factories()
  const makers = [deployer, addresses.DistributorFactory]
  const isPublished = makers.some((maker) => isAddressEqual(placeOf(terms, sha256, maker), address))
  return isPublished ? null : 'distributor_other_maker'
}

/** What the published constructor is run by, with these terms. */
const initCodeOf = (terms: Terms): Hex =>
  encodeDeployData({ abi: distributorAbi, bytecode: distributorArtifact().bytecode, args: [terms] })

/** Where one of the two makers puts a list's distributor; the list's hash is the salt. */
const placeOf = (terms: Terms, sha256: string, from: Address) =>
  getContractAddress({ opcode: 'CREATE2', from, salt: `0x${sha256}`, bytecode: initCodeOf(terms) })

/** What a chain shows of a distributor. */
export interface DistributorLook {
  readonly fault: DistributorFault | null
  readonly codeHash: Hex
  /** What it holds and what accounts have got of it, in the token's smallest units. */
  readonly balance: bigint
  readonly claimed: bigint
}

/** What is read of the chain at a distributor's address. */
export function readsOf(terms: Terms, address: Address): readonly StateRead[] {
  const ask = (functionName: 'funded' | 'claimed'): StateRead => ({
    to: address,
    data: encodeFunctionData({ abi: distributorAbi, functionName }),
  })
  const data = encodeFunctionData({ abi: saleTokenAbi, functionName: 'balanceOf', args: [address] })
  return [{ code: address }, ask('funded'), ask('claimed'), { to: terms.token, data }]
}

/** A list's distributor as one is named. */
export interface Named {
  readonly address: Address
  /** Hash of the list. */
  readonly sha256: string
  /** The code's hash, where a final block has shown it already. */
  readonly codeHash?: string | undefined
}

/**
 * What the answers to `readsOf` say; null where the node answered no more than half of it. A live round's code is known by the hash that it
 * was seen with, because a later release may publish another.
 */
export function distributorLook(
  terms: Terms,
  { answers }: Pick<StateLook, 'answers'>,
  named: Named,
): DistributorLook | null {
  const [given, ...figures] = answers
  if (!given) return null
  const code = given.toLowerCase() as Hex
  const codeHash = keccak256(code)
  const fault = codeHash === named.codeHash ? null : (faultOfCode(terms, code) ?? faultOfMaker(terms, named))
  if (fault) return { fault, codeHash, balance: 0n, claimed: 0n }
  if (figures.some((figure) => figure?.length !== 66)) return null
  const [funded = 0n, claimed = 0n, balance = 0n] = figures.map((figure) => BigInt(figure ?? 0))
  return { fault: faultOfFunds(terms, { funded, claimed, balance }), codeHash, balance, claimed }
}

function faultOfFunds(
  terms: Terms,
  { funded, claimed, balance }: Record<'funded' | 'claimed' | 'balance', bigint>,
): DistributorFault | null {
  if (funded !== 1n) return 'distributor_not_funded'
  if (balance + claimed < terms.total) return 'distributor_short'
  return null
}

/** What is read to know how a distributor can be made on a chain. */
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
  /** Where the distributor stands once it is made: the address commits to its code and all of its terms. */
  readonly address: Address
  /** Whether the token is one of the token factory, whose code is known. */
  readonly isFactoryToken: boolean
  /** What makes it; null on a chain that lacks the keyless deployer. */
  readonly calls: readonly UnsignedCall[] | null
}

/**
 * How the distributor of a list is made, by the answers to `readsOfFactories`; its hash is the salt. The factory of distributors takes
 * tokens of the token factory alone; for any other token the keyless deployer makes the same code. Who makes it has no right in it.
 */
export function makingOf(terms: Terms, sha256: string, { answers }: StateLook): Making {
  const { deployer, addresses } = factories()
  const [deployerCode, factoryCode, tokenFactoryCode, made] = answers
  const salt: Hex = `0x${sha256}`
  const isFactoryToken = !!tokenFactoryCode && tokenFactoryCode !== '0x' && !!made && BigInt(made) === 1n
  if (!isFactoryToken) {
    const call = unsigned('make', deployer, concatHex([salt, initCodeOf(terms)]))
    return {
      address: placeOf(terms, sha256, deployer),
      isFactoryToken,
      calls: deployerCode === '0x' ? null : [call],
    }
  }
  const make = unsigned(
    'make',
    addresses.DistributorFactory,
    encodeFunctionData({ abi: distributorFactoryAbi, functionName: 'make', args: [terms, salt] }),
  )
  const calls = factoryCode === '0x' ? [unsigned('factory', deployer, factoryDeployment()), make] : [make]
  return { address: placeOf(terms, sha256, addresses.DistributorFactory), isFactoryToken, calls }
}

/** What the keyless deployer makes the factory of distributors from. */
function factoryDeployment(): Hex {
  const argument = encodeAbiParameters([{ type: 'address' }], [factories().addresses.TokenFactory])
  return concatHex([ZERO_WORD, factoryArtifact().bytecode, argument])
}

/** What brings the tokens that are lacking: the holder's leave for them, and the call that opens the claims. */
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
