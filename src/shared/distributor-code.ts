import type { Address, Hex } from 'viem'
import { encodeDeployData, encodeFunctionData, getContractAddress, keccak256, pad, toHex } from 'viem/utils'
import { distributorAbi, saleTokenAbi } from '../../contracts/artifacts/abi.ts'
import type { DistributorFault } from './api/rounds.ts'
import type { Leaf } from './merkle-tree.ts'
import type { Terms } from './round-list.ts'
import type { StateRead } from './state-read.ts'

/** What `npm run contracts` made of contracts/src/Distributor.sol, and who puts it where its address follows from code and terms. */
export interface DistributorBuild {
  readonly bytecode: Hex
  readonly deployedBytecode: Hex
  readonly immutableReferences: Readonly<Record<string, readonly { readonly start: number }[]>>
  /** The keyless deployer and the factory of distributors. */
  readonly makers: readonly Address[]
}

const ZERO_WORD: Hex = `0x${'0'.repeat(64)}`

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
const placesOfWords = ({ immutableReferences }: DistributorBuild) =>
  Object.entries(immutableReferences)
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([, places]) => places.map(({ start }) => 2 + 2 * start))

/** The code with these words in their places. */
function codeWith(build: DistributorBuild, words: readonly Hex[], code = build.deployedBytecode): Hex {
  let text: string = code
  for (const [index, places] of placesOfWords(build).entries())
    for (const at of places)
      text = text.slice(0, at) + (words[index] ?? ZERO_WORD).slice(2) + text.slice(at + 64)
  return text as Hex
}

/** The code that stands where a distributor was made with these terms: all of it, byte by byte. */
export const codeOf = (build: DistributorBuild, terms: Terms): Hex => codeWith(build, wordsOf(terms))

const blank = (build: DistributorBuild, code: Hex) =>
  code.length === build.deployedBytecode.length ? codeWith(build, [], code) : code

/** Why code that stands at an address is not that of the published distributor; null where it is. */
function faultOfCode(build: DistributorBuild, terms: Terms, code: Hex): DistributorFault | null {
  if (code === '0x') return 'distributor_missing'
  if (code === codeOf(build, terms)) return null
  if (blank(build, build.deployedBytecode) !== blank(build, code)) return 'distributor_other_code'
  const found = placesOfWords(build).map(([at = 0]): Hex => `0x${code.slice(at, at + 64)}`)
  const wanted = wordsOf(terms)
  if (found[0] !== wanted[0]) return 'distributor_other_token'
  return found[1] === wanted[1] ? 'distributor_other_terms' : 'distributor_other_root'
}

/** What the published constructor is run by, with these terms. */
export const initCodeOf = ({ bytecode }: DistributorBuild, terms: Terms): Hex =>
  encodeDeployData({ abi: distributorAbi, bytecode, args: [terms] })

/** Where one of the makers puts a list's distributor; the list's hash is the salt. */
export const placeOf = (build: DistributorBuild, terms: Terms, sha256: string, from: Address) =>
  getContractAddress({
    opcode: 'CREATE2',
    from,
    salt: `0x${sha256}`,
    bytecode: initCodeOf(build, terms),
  })

/**
 * Code says nothing of what its maker did before it stood there: who writes to the storage can note claims that nobody made, and who calls the
 * token can let somebody take the tokens back. An address that commits to the published constructor says that nothing else ran.
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

// Rules: DELIVER-31, DELIVER-38
/**
 * What the answers to `readsOf` say; null where the node answered no more than half of it. A live round's code is known by the hash that it
 * was seen with, because a later release may publish another.
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

/** What is read of a row at its distributor: what it has got, and what of it is unlocked. */
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

/** The data of the call that claims a row's unlocked tokens. */
export function claimData({ place, account, tokens }: Leaf, proof: readonly Hex[]): Hex {
  const claim = { place: BigInt(place), account: account as Address, tokens, proof }
  return encodeFunctionData({ abi: distributorAbi, functionName: 'claim', args: [claim] })
}
