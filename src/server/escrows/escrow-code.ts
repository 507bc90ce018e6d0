import type { Address, Hex } from 'viem'
import { encodeDeployData, encodeFunctionData, getContractAddress, keccak256, toHex } from 'viem/utils'
import {
  escrowFactoryAbi,
  saleEscrowAbi,
  saleTokenAbi,
  tokenFactoryAbi,
} from '../../../contracts/artifacts/abi.ts'
import type { EscrowCall, EscrowFault } from '../../shared/api/escrows.ts'
import type { StateRead } from '../../shared/state-read.ts'
import { unitsOf } from '../../shared/token-units.ts'
import { factories, factoryDeployment, once, readArtifact } from '../contract-files.ts'
import type { StateLook } from '../payments/evm/evm-looks.ts'
import { refuse } from '../refusal.ts'
import type { EscrowPlan } from './escrow-plans.ts'

const build = once(() => readArtifact<{ bytecode: Hex }>('SaleEscrow'))

const secondsOf = (moment: Date) => Math.floor(moment.getTime() / 1000)
/** Two escrows with equal terms get two addresses. */
const saltOf = ({ number }: EscrowPlan) => toHex(number, { size: 32 })

/** contracts/src/ISaleEscrow.sol, Terms. */
const termsOf = (plan: EscrowPlan) => ({
  token: plan.token,
  seller: plan.seller,
  treasury: plan.treasury,
  quoteKey: plan.quoteKey,
  capTokens: unitsOf(plan.capTokens),
  closeAt: secondsOf(plan.closesAt),
  deliverBy: secondsOf(plan.deliverBy),
  review: plan.reviewSeconds,
  lockFirst: plan.locksFirst,
  schedule: { startBps: plan.startBps, cliff: plan.cliffSeconds, linear: plan.linearSeconds },
  assets: plan.assets,
})

// Rules: DELIVER-15
/** Made by the factory; commits to the code and every term. */
export const placeOfEscrow = (plan: EscrowPlan): Address =>
  getContractAddress({
    opcode: 'CREATE2',
    from: factories().addresses.EscrowFactory,
    salt: saltOf(plan),
    bytecode: encodeDeployData({
      abi: saleEscrowAbi,
      bytecode: build().bytecode,
      args: [termsOf(plan)],
    }),
  })

const ESCROW_READS = ['state', 'locked', 'quoteKey', 'closeAt', 'owed', 'claimed'] as const

export function readsOfEscrow(plan: EscrowPlan): readonly StateRead[] {
  const { deployer, addresses } = factories()
  const address = placeOfEscrow(plan)
  return [
    { code: deployer },
    { code: addresses.EscrowFactory },
    { code: addresses.TokenFactory },
    { code: address },
    {
      to: addresses.TokenFactory,
      data: encodeFunctionData({ abi: tokenFactoryAbi, functionName: 'made', args: [plan.token] }),
    },
    {
      to: addresses.EscrowFactory,
      data: encodeFunctionData({ abi: escrowFactoryAbi, functionName: 'made', args: [address] }),
    },
    {
      to: plan.token,
      data: encodeFunctionData({ abi: saleTokenAbi, functionName: 'balanceOf', args: [address] }),
    },
    ...ESCROW_READS.map((functionName) => ({
      to: address,
      data: encodeFunctionData({ abi: saleEscrowAbi, functionName }),
    })),
  ]
}

export interface EscrowLook {
  readonly height: number
  readonly hash: string
  readonly minedAt: Date
  readonly secondNode: boolean
  readonly fault: EscrowFault | null
  readonly lacksDeployer: boolean
  readonly lacksFactory: boolean
  readonly codeHash: Hex
  readonly quoteKey: Address | null
  readonly isLocked: boolean
  readonly balance: bigint
}

/** `quoteKey` is the server's own. */
export function escrowLook(plan: EscrowPlan, look: StateLook, quoteKey: Address): EscrowLook {
  const [deployer, factory, tokenFactory, code, isToken, isMade, balance, ...terms] = look.answers
  if (!deployer || !factory || !tokenFactory || !code) return refuse('node_silent')
  const { height, hash, minedAt, secondNode } = look
  const known = {
    height,
    hash,
    minedAt,
    secondNode,
    lacksDeployer: deployer === '0x',
    lacksFactory: factory === '0x',
    codeHash: keccak256(code),
  }
  const nothing = { ...known, quoteKey: null, isLocked: false, balance: 0n }
  if (tokenFactory === '0x' || wordOf(isToken) !== 1n) return { ...nothing, fault: 'escrow_token_unknown' }
  if (code === '0x' || factory === '0x') return { ...nothing, fault: 'escrow_not_made' }
  // The address already proves maker and terms.
  if (wordOf(isMade) !== 1n) return { ...nothing, fault: 'escrow_not_made' }
  const [state, locked, key, closeAt] = terms.map(wordOf)
  if (state === undefined || key === undefined) return refuse('node_silent')
  const shown = {
    ...known,
    quoteKey: toHex(key, { size: 20 }),
    isLocked: locked === 1n,
    balance: wordOf(balance),
  }
  if (state !== 0n || closeAt !== BigInt(secondsOf(plan.closesAt)))
    return { ...shown, fault: 'escrow_not_open' }
  if (shown.quoteKey.toLowerCase() !== quoteKey.toLowerCase()) return { ...shown, fault: 'escrow_other_key' }
  return { ...shown, fault: plan.locksFirst && !shown.isLocked ? 'escrow_not_locked' : null }
}

const wordOf = (answer: Hex | null | undefined) =>
  answer?.length === 66 ? BigInt(answer) : refuse('node_silent')

/** By the token holder (`approve`, `lock`), the seller (`set-key`), or anybody. */
export function callsLeft(plan: EscrowPlan, look: EscrowLook, quoteKey: Address): EscrowCall[] {
  if (look.fault === 'escrow_token_unknown' || look.fault === 'escrow_not_open') return []
  const address = placeOfEscrow(plan)
  const calls: EscrowCall[] = []
  if (look.fault === 'escrow_not_made') {
    if (look.lacksFactory && look.lacksDeployer) return []
    const { deployer, addresses } = factories()
    if (look.lacksFactory) calls.push(unsigned('factory', deployer, factoryDeployment('EscrowFactory')))
    calls.push(unsigned('make', addresses.EscrowFactory, makingData(plan)))
  }
  const key = look.quoteKey ?? plan.quoteKey
  if (key.toLowerCase() !== quoteKey.toLowerCase())
    calls.push(unsigned('set-key', address, callData('setQuoteKey', [quoteKey])))
  if (plan.locksFirst && !look.isLocked) {
    const args = [address, unitsOf(plan.capTokens)] as const
    const leave = encodeFunctionData({ abi: saleTokenAbi, functionName: 'approve', args })
    calls.push(unsigned('approve', plan.token, leave), unsigned('lock', address, callData('lock', [])))
  }
  return calls
}

const makingData = (plan: EscrowPlan) =>
  encodeFunctionData({
    abi: escrowFactoryAbi,
    functionName: 'make',
    args: [termsOf(plan), saltOf(plan)],
  })

const callData = (functionName: 'setQuoteKey' | 'lock', args: readonly unknown[]) =>
  encodeFunctionData({ abi: saleEscrowAbi, functionName, args } as Parameters<typeof encodeFunctionData>[0])

const unsigned = (what: EscrowCall['what'], to: Address, data: Hex): EscrowCall => ({
  what,
  to,
  value: '0',
  data,
})
