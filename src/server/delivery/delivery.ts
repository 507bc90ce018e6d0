import type { DeliveryAddress, OwnClaim } from '../../shared/api/delivery.ts'
import type { DeliveryEscrow, EscrowOrder } from '../../shared/api/delivery-escrows.ts'
import type { Equation, OperatorRounds, Round, RoundProofs } from '../../shared/api/rounds.ts'
import type { BuyerActor } from '../unit-of-work/unit-of-work.ts'
import { type AddressParts, readDeliveryAddress } from './address-rows.ts'
import { readClaims, readClaimsOfAddress } from './claims.ts'
import { hasEscrows, readEscrows } from './delivery-escrows.ts'
import { readEquation } from './equation.ts'
import { readEscrowOrders, readEscrowOrdersOfAddress } from './escrow-claims.ts'
import { lookAtEscrows } from './escrow-looks.ts'
import { liveActions, readDistributor } from './live.ts'
import { lookAtLiveRounds } from './looks.ts'
import { hasLiveRounds } from './published.ts'
import { roundActions } from './round-actions.ts'
import { readRound, readRounds } from './round-rows.ts'
import { openRoundFile, readOperatorRounds, readProofs, tellOfRound } from './rounds.ts'
import { askForSignature, proveAddress, type SigningText } from './signed-addresses.ts'
import { confirmAddress, typeAddress, withdrawChange } from './typed-addresses.ts'

export type { AddressParts as DeliveryNeeds, EvmFacts } from './address-rows.ts'
export { readEscrows } from './delivery-escrows.ts'
export { readEquation } from './equation.ts'
export { readRounds } from './round-rows.ts'

export class Delivery {
  readonly actions: ReturnType<typeof roundActions> & ReturnType<typeof liveActions>
  readonly #parts: AddressParts

  constructor(parts: AddressParts) {
    this.#parts = parts
    this.actions = { ...roundActions(parts.evm), ...liveActions(parts) }
  }

  address(userId: string): Promise<DeliveryAddress> {
    return readDeliveryAddress(this.#parts, userId)
  }

  askForSignature(actor: BuyerActor, address: string): Promise<SigningText> {
    return askForSignature(this.#parts, actor.userId, address)
  }

  prove(actor: BuyerActor, answer: { nonce: string; signature: string }): Promise<void> {
    return proveAddress(this.#parts, actor, answer)
  }

  /** Mails the address's link. */
  type(actor: BuyerActor, address: string): Promise<void> {
    return typeAddress(this.#parts, actor, address)
  }

  confirm(token: string): Promise<{ address: string; countsFrom: string }> {
    return confirmAddress(this.#parts, token)
  }

  withdraw(actor: BuyerActor): Promise<void> {
    return withdrawChange(this.#parts, actor)
  }

  rounds(): Promise<Round[]> {
    return readRounds(this.#parts.db)
  }

  round(number: number): Promise<Round> {
    return readRound(this.#parts.db, number)
  }

  operatorRounds(): Promise<OperatorRounds> {
    return readOperatorRounds(this.#parts.db)
  }

  /** In chunks. */
  openFile(round: number): ReturnType<typeof openRoundFile> {
    return openRoundFile(this.#parts.db, round)
  }

  proofs(round: number, address: string): Promise<RoundProofs> {
    return readProofs(this.#parts.db, round, address)
  }

  /** A frozen round's distributor, at `address` or where it will be deployed, and the calls still to sign. */
  distributor(round: number, address?: string): ReturnType<typeof readDistributor> {
    return readDistributor(this.#parts, round, address)
  }

  claims(userId: string): Promise<OwnClaim[]> {
    return readClaims(this.#parts, userId)
  }

  escrowOrders(userId: string): Promise<EscrowOrder[]> {
    return readEscrowOrders(this.#parts, userId)
  }

  escrowOrdersOfAddress(address: string): Promise<EscrowOrder[]> {
    return readEscrowOrdersOfAddress(this.#parts, address)
  }

  equation(): Promise<Equation> {
    return readEquation(this.#parts.db)
  }

  escrows(): Promise<DeliveryEscrow[]> {
    return readEscrows(this.#parts.db)
  }

  async hasClaims(): Promise<boolean> {
    return (await hasLiveRounds(this.#parts.db)) || hasEscrows(this.#parts.db)
  }

  claimsOfAddress(address: string): Promise<OwnClaim[]> {
    return readClaimsOfAddress(this.#parts, address)
  }

  lookAtLiveRounds(): Promise<void> {
    return lookAtLiveRounds(this.#parts)
  }

  /** At its newest final block. */
  lookAtEscrows(): Promise<void> {
    return lookAtEscrows(this.#parts)
  }

  /** Mails buyers without an address, once each. */
  tellOfRound(): Promise<void> {
    return tellOfRound(this.#parts)
  }
}
