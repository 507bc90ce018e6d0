import type { Address, Hex } from 'viem'
import { encodeDeployData, encodeFunctionData, getContractAddress, keccak256, pad, toHex } from 'viem/utils'
import { distributorAbi, saleTokenAbi } from '../../contracts/artifacts/abi.ts'
import type { DistributorFault } from './api/rounds.ts'
import type { Leaf } from './merkle-tree.ts'
import type { Terms } from './round-list.ts'
import type { StateRead } from './state-read.ts'

/** The compiled contracts/src/Distributor.sol; its `makers` deploy by CREATE2. */
export interface DistributorBuild {
  readonly bytecode: Hex
  readonly deployedBytecode: Hex
  readonly immutableReferences: Readonly<Record<string, readonly { readonly start: number }[]>>
  /** The keyless deployer and the factory. */
  readonly makers: readonly Address[]
}

const ZERO_WORD: Hex = `0x${'0'.repeat(64)}`

/** Words in the order of contracts/src/Distributor.sol. */
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

/** The compiler numbers immutables by declaration. */
const placesOfWords = ({ immutableReferences }: DistributorBuild) =>
  Object.entries(immutableReferences)
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([, places]) => places.map(({ start }) => 2 + 2 * start))

function codeWith(build: DistributorBuild, words: readonly Hex[], code = build.deployedBytecode): Hex {
  let text: string = code
  for (const [index, places] of placesOfWords(build).entries())
    for (const at of places)
      text = text.slice(0, at) + (words[index] ?? ZERO_WORD).slice(2) + text.slice(at + 64)
  return text as Hex
}

/** The code as deployed with these terms. */
export const codeOf = (build: DistributorBuild, terms: Terms): Hex => codeWith(build, wordsOf(terms))

const blank = (build: DistributorBuild, code: Hex) =>
  code.length === build.deployedBytecode.length ? codeWith(build, [], code) : code

/** Null if the code is the published distributor's. */
function faultOfCode(build: DistributorBuild, terms: Terms, code: Hex): DistributorFault | null {
  if (code === '0x') return 'distributor_missing'
  if (code === codeOf(build, terms)) return null
  if (blank(build, build.deployedBytecode) !== blank(build, code)) return 'distributor_other_code'
  const found = placesOfWords(build).map(([at = 0]): Hex => `0x${code.slice(at, at + 64)}`)
  const wanted = wordsOf(terms)
  if (found[0] !== wanted[0]) return 'distributor_other_token'
  return found[1] === wanted[1] ? 'distributor_other_terms' : 'distributor_other_root'
}

export const initCodeOf = ({ bytecode }: DistributorBuild, terms: Terms): Hex =>
  encodeDeployData({ abi: distributorAbi, bytecode, args: [terms] })

/** The list's hash is the salt. */
export const placeOf = (build: DistributorBuild, terms: Terms, sha256: string, from: Address) =>
  getContractAddress({
    opcode: 'CREATE2',
    from,
    salt: `0x${sha256}`,
    bytecode: initCodeOf(build, terms),
  })

/**
 * A deployed code's constructor could have forged claims in storage or granted an allowance on the tokens. An
 * address that commits to the published constructor excludes that.
 */
function faultOfMaker(
  build: DistributorBuild,
  terms: Terms,
  { address, sha256 }: Named,
): DistributorFault | null {
  const isPublished = build.makers.some(
    (maker) => placeOf(build, terms, sha256, maker).toLowerCase() === address.toLowerCase(),
  )
  return isPublished ? null : 'distributor_other_maker'
}

export interface DistributorLook {
  readonly fault: DistributorFault | null
  readonly codeHash: Hex
  /** Amounts in the token's smallest units. */
  readonly balance: bigint
  readonly claimed: bigint
}

export function readsOf(terms: Terms, address: Address): readonly StateRead[] {
  const ask = (functionName: 'funded' | 'claimed'): StateRead => ({
    to: address,
    data: encodeFunctionData({ abi: distributorAbi, functionName }),
  })
  const data = encodeFunctionData({ abi: saleTokenAbi, functionName: 'balanceOf', args: [address] })
  return [{ code: address }, ask('funded'), ask('claimed'), { to: terms.token, data }]
}

export interface Named {
  readonly address: Address
  /** The hash of the list. */
  readonly sha256: string
  /** The code's hash, once a final block showed it. */
  readonly codeHash?: string | undefined
}

// Rules: DELIVER-31, DELIVER-38
/**
 * Null if the node left any answer out. A live round's code is recognised by its recorded hash: a later
 * release may publish another.
 */
export function distributorLook(
  build: DistributorBuild,
  terms: Terms,
  answers: readonly (Hex | null)[],
  named: Named,
): DistributorLook | null {
  const [given, ...figures] = answers
  if (!given) return null
  const code = given.toLowerCase() as Hex
  const codeHash = keccak256(code)
  const fault =
    codeHash === named.codeHash
      ? null
      : (faultOfCode(build, terms, code) ?? faultOfMaker(build, terms, named))
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

/** Reads the row's claimed and unlocked tokens. */
export function readsOfRow(address: Address, leaf: Leaf, leafHash: Hex): readonly StateRead[] {
  return [
    {
      to: address,
      data: encodeFunctionData({ abi: distributorAbi, functionName: 'claimedOf', args: [leafHash] }),
    },
    {
      to: address,
      data: encodeFunctionData({ abi: distributorAbi, functionName: 'vested', args: [leaf.tokens] }),
    },
  ]
}

export function claimData({ place, account, tokens }: Leaf, proof: readonly Hex[]): Hex {
  const claim = { place: BigInt(place), account: account as Address, tokens, proof }
  return encodeFunctionData({ abi: distributorAbi, functionName: 'claim', args: [claim] })
}
