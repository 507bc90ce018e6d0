import type { EscrowContract, EscrowOrder, OperatorEscrow, SignedQuote } from '../../shared/api/escrows.ts'
import type { Network } from '../../shared/networks.ts'
import { tokensOf } from '../../shared/token-units.ts'
import type { Database } from '../database/database.ts'
import type { EvmLooks } from '../payments/evm/evm-looks.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { escrowActions, lookAt } from './escrow-actions.ts'
import { callsLeft, type EscrowLook, placeOfEscrow } from './escrow-code.ts'
import { showCancelling, showEscrowOrder, signQuote } from './escrow-orders.ts'
import { type EscrowPlan, readPlan, readPlans } from './escrow-plans.ts'
import { readQuoteKey } from './quote-keys.ts'

export { signPayment } from './escrow-orders.ts'
export { openQuoteKey } from './quote-keys.ts'

export interface EscrowParts {
  readonly db: Database
  readonly secrets: Secrets
  readonly evm: { chainIdOf(network: Network): number | undefined }
  readonly looks: Pick<EvmLooks, 'look' | 'hashAt'>
}

export class Escrows {
  readonly actions: ReturnType<typeof escrowActions>
  readonly #parts: EscrowParts

  constructor(parts: EscrowParts) {
    this.#parts = parts
    this.actions = escrowActions(parts)
  }

  async list(): Promise<{ items: OperatorEscrow[]; quoteKey: string | null }> {
    const { db } = this.#parts
    return { items: (await readPlans(db)).map(shown), quoteKey: await readQuoteKey(db) }
  }

  async show(number: number): Promise<OperatorEscrow> {
    return shown(await readPlan(this.#parts.db, number))
  }

  order(userId: string, token: string): Promise<EscrowOrder> {
    return showEscrowOrder(this.#parts, userId, token)
  }

  sign(userId: string, token: string, permit?: string): Promise<SignedQuote> {
    return signQuote(this.#parts, userId, token, permit)
  }

  cancelling(orderId: string): ReturnType<typeof showCancelling> {
    return showCancelling(this.#parts, orderId)
  }

  async contract(number: number) {
    const { db } = this.#parts
    const plan = await readPlan(db, number)
    const latest = await lookAt(this.#parts, db, plan, 'latest')
    const quoteKey = (await readQuoteKey(db)) ?? plan.quoteKey
    return {
      network: plan.network,
      chainId: plan.chainId,
      address: placeOfEscrow(plan),
      lacksDeployer: latest.lacksFactory && latest.lacksDeployer,
      calls: plan.state === 'withdrawn' ? [] : callsLeft(plan, latest, quoteKey),
      latest: shownLook(latest),
      final: shownLook(await lookAt(this.#parts, db, plan, 'final')),
    }
  }
}

const shownLook = ({
  height,
  hash,
  minedAt,
  fault,
  isLocked,
  balance,
}: EscrowLook): Omit<EscrowContract['latest'], 'message'> => ({
  height,
  hash,
  minedAt: minedAt.toISOString(),
  fault,
  isLocked,
  balance: tokensOf(balance),
})

function shown(plan: EscrowPlan): OperatorEscrow {
  const { escrowId: _id, codeHash: _hash, ...said } = plan
  return {
    ...said,
    assets: [...plan.assets],
    currencies: [...plan.currencies],
    address: placeOfEscrow(plan),
    closesAt: plan.closesAt.toISOString(),
    deliverBy: plan.deliverBy.toISOString(),
    announcedAt: plan.announcedAt.toISOString(),
    inForceAt: plan.inForceAt?.toISOString() ?? null,
  }
}
