import type { Hex } from 'viem'
import { createSiweMessage, generateSiweNonce, parseSiweMessage } from 'viem/siwe'
import { decodeAbiParameters, verifyMessage } from 'viem/utils'
import type { Network } from '../../shared/networks.ts'
import { sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { BuyerActor } from '../unit-of-work/unit-of-work.ts'
import { type AddressParts, checkedAddress, requireChain } from './address-rows.ts'
import { nameAddress } from './typed-addresses.ts'

export interface SigningText {
  readonly nonce: string
  /** EIP-4361. */
  readonly message: string
  readonly expiresAt: string
}

/** Wallets show only ASCII reliably. */
const STATEMENT =
  'My tokens of this sale go to this address. Signing costs nothing and moves nothing. Nobody will ever ask for a phrase or a key.'

export async function askForSignature(
  parts: AddressParts,
  userId: string,
  given: string,
): Promise<SigningText> {
  await parts.limits.take('delivery_address_account', userId)
  const chain = await requireChain(parts)
  const address = checkedAddress(chain, given)
  const { now, until } = await parts.db.one<{ now: Date; until: Date }>(
    sql`select now() as now, now() + make_interval(mins => signing_minutes) as until from delivery_rules()`,
  )
  const nonce = generateSiweNonce()
  const message = createSiweMessage({
    address,
    chainId: chain.chainId,
    domain: new URL(parts.publicUrl).host,
    uri: parts.publicUrl,
    version: '1',
    statement: STATEMENT,
    nonce,
    issuedAt: now,
    expirationTime: until,
  })
  await parts.db.query(
    sql`insert into delivery_challenges (nonce, user_id, address, message, expires_at)
        values (${nonce}, ${userId}, ${address}, ${message}, ${until})`,
  )
  return { nonce, message, expiresAt: until.toISOString() }
}

// Rules: DELIVER-1, DELIVER-5, DELIVER-6
export async function proveAddress(
  parts: AddressParts,
  actor: BuyerActor,
  { nonce, signature }: { nonce: string; signature: string },
): Promise<void> {
  const chain = await requireChain(parts)
  // A text accepts one answer, right or wrong.
  const asked = await parts.db.maybeOne<{ address: Hex; message: string }>(
    sql`delete from delivery_challenges where nonce = ${nonce} and user_id = ${actor.userId} and expires_at > clock_timestamp()
        returning address, message`,
  )
  if (!asked) return refuse('delivery_text_expired')
  const { address, message } = asked
  const { network } = chain
  if (parseSiweMessage(message).chainId !== chain.chainId) refuse('delivery_network_other')
  const isOwn = await isSignedBy(address, message, signature as Hex)
  if (!isOwn) await requireAccepted(parts, network, { address, message, signature: signature as Hex })
  const lacksCode = isOwn ? await parts.evm.standsOnlyElsewhere(network, address) : false
  const proof = isOwn ? 'signature' : 'contract'
  await parts.db.transaction((tx) =>
    nameAddress(parts, tx, actor, chain, { address, proof, message, signature, lacksCode }),
  )
}

/** Suffix of a signature by an undeployed smart account (EIP-6492), after its deployment call. */
const UNCREATED = '6492'.repeat(16)

/**
 * The contract at the address must accept the signature (EIP-1271). Its deployment is not simulated: tokens
 * at an undeployed address could be stuck forever.
 */
async function requireAccepted(
  { evm }: AddressParts,
  network: Network,
  { address, message, signature }: { address: Hex; message: string; signature: Hex },
): Promise<void> {
  const inner = innerOf(signature)
  if (await evm.acceptsSignature(network, address, message, inner ?? signature)) return
  const isMissing = inner !== null && evm.isFollowed(network) && !(await evm.hasContract(network, address))
  refuse(isMissing ? 'smart_account_missing' : 'signature_wrong')
}

/** Null without an EIP-6492 wrapper. */
function innerOf(signature: Hex): Hex | null {
  if (!signature.toLowerCase().endsWith(UNCREATED)) return null
  const wrapped: Hex = `0x${signature.slice(2, -UNCREATED.length)}`
  try {
    return decodeAbiParameters([{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }], wrapped)[2]
  } catch {
    return null
  }
}

async function isSignedBy(address: Hex, message: string, signature: Hex): Promise<boolean> {
  try {
    return await verifyMessage({ address, message, signature })
  } catch {
    // Other bytes may be a contract's signature.
    return false
  }
}
