import type { Address, Hex } from 'viem'
import {
  decodeAbiParameters,
  encodeFunctionData,
  hashStruct,
  isHex,
  keccak256,
  recoverTypedDataAddress,
  toHex,
} from 'viem/utils'
import { saleTokenAbi } from '../../../contracts/artifacts/abi.ts'
import type { StateRead } from '../../shared/state-read.ts'

// A payer's signature (ERC-2612) instead of an approval transaction.

const TYPE_HASH = keccak256(
  toHex('Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)'),
)

const TYPES = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

export interface PermitTerms {
  readonly asset: Address
  readonly payer: Address
  readonly contract: Address
  readonly amount: bigint
  readonly chainId: number
}

/** EIP-712, without the deadline. */
export interface Permit extends PermitTerms {
  readonly name: string
  readonly version: string
  readonly nonce: bigint
}

const view = (name: string, inputs: readonly { readonly type: string }[] = []) => ({
  abi: [{ type: 'function', name, inputs, outputs: [], stateMutability: 'view' }] as const,
  functionName: name,
})

export const readsOfPermit = ({ asset, payer }: PermitTerms): readonly StateRead[] => [
  { code: payer },
  { to: asset, data: encodeFunctionData({ abi: saleTokenAbi, functionName: 'nonces', args: [payer] }) },
  { to: asset, data: encodeFunctionData({ abi: saleTokenAbi, functionName: 'DOMAIN_SEPARATOR' }) },
  { to: asset, data: encodeFunctionData({ abi: saleTokenAbi, functionName: 'name' }) },
  { to: asset, data: encodeFunctionData(view('version')) },
  { to: asset, data: encodeFunctionData(view('PERMIT_TYPEHASH')) },
]

/** Code of an account that delegates to a contract but still signs by itself (EIP-7702). */
const LENT = '0xef0100'

// Rules: DELIVER-17
/**
 * Null without permits, for other forms (DAI), for a domain that name and version don't produce, or for a
 * payer that is a contract, which has no key.
 */
export function permitOf(terms: PermitTerms, answers: readonly (Hex | null | undefined)[]): Permit | null {
  const [code, nonce, separator, nameAnswer, versionAnswer, typeHash] = answers
  if (code !== '0x' && !code?.startsWith(LENT)) return null
  if (!isWord(nonce) || !isWord(separator)) return null
  if (isWord(typeHash) && typeHash !== TYPE_HASH) return null
  const [name, said] = [textOf(nameAnswer), textOf(versionAnswer)]
  if (name === null) return null
  // OpenZeppelin's tokens have version 1 but show it only in their domain.
  const version = said ?? '1'
  const permit = { ...terms, name, version, nonce: BigInt(nonce) }
  return separatorOf(permit) === separator ? permit : null
}

const isWord = (answer: Hex | null | undefined): answer is Hex => answer?.length === 66

function textOf(answer: Hex | null | undefined): string | null {
  try {
    return isHex(answer) ? decodeAbiParameters([{ type: 'string' }], answer)[0] : null
  } catch {
    return null
  }
}

const separatorOf = (permit: Permit): Hex =>
  hashStruct({ data: domainOf(permit), primaryType: 'EIP712Domain', types: TYPES })

const domainOf = ({ name, version, chainId, asset }: Permit) => ({
  name,
  version,
  chainId: BigInt(chainId),
  verifyingContract: asset,
})

const typedData = (permit: Permit, deadline: bigint) => {
  const { payer: owner, contract: spender, amount: value, nonce } = permit
  const message = { owner, spender, value, nonce, deadline }
  return { domain: domainOf(permit), types: TYPES, primaryType: 'Permit' as const, message }
}

/** For `eth_signTypedData_v4`: JSON, integers as decimal text. */
export const permitText = (permit: Permit, deadline: bigint): string =>
  JSON.stringify(typedData(permit, deadline), (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )

/** contracts/src/ISaleEscrow.sol, Permit. */
export interface SignedPermit {
  readonly deadline: bigint
  readonly v: number
  readonly r: Hex
  readonly s: Hex
}

/** Null unless the payer's key signed exactly this. */
export async function signedPermit(
  permit: Permit,
  deadline: bigint,
  signature: string,
): Promise<SignedPermit | null> {
  const parts = /^0x([0-9a-f]{64})([0-9a-f]{64})(00|01|1b|1c)$/i.exec(signature)
  if (!parts) return null
  const [r, s, v]: Hex[] = [`0x${parts[1]}`, `0x${parts[2]}`, `0x${parts[3]}`]
  const signer = await recoverTypedDataAddress({
    ...typedData(permit, deadline),
    signature: signature as Hex,
  }).catch(() => null)
  if (signer?.toLowerCase() !== permit.payer.toLowerCase()) return null
  // Wallets may return 0 or 1, which tokens reject.
  return { deadline, v: (Number(v) % 27) + 27, r: r as Hex, s: s as Hex }
}
