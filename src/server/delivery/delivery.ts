import type { DeliveryAddress, OwnClaim } from '../../shared/api/delivery.ts'
import type { DeliveryEscrow, EscrowOrder } from '../../shared/api/delivery-escrows.ts'
import type { Equation, OperatorRounds, Round, RoundProofs } from '../../shared/api/rounds.ts'
import type { Client } from '../credentials/credentials.ts'
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

/** How the tokens reach their buyers. */
export class Delivery {
  /** What operators do of delivery rounds. */
  readonly actions: ReturnType<typeof roundActions> & ReturnType<typeof liveActions>
  readonly #parts: AddressParts

  constructor(parts: AddressParts) {
    this.#parts = parts
    this.actions = { ...roundActions(parts.evm), ...liveActions(parts) }
  }

  /** Where a buyer's tokens go, and what waits to become that. */
  address(userId: string): Promise<DeliveryAddress> {
    return readDeliveryAddress(this.#parts, userId)
  }

  /** A text to be signed. Refuses `too_many_requests`, `delivery_chain_missing`, `address_invalid`. */
  askForSignature(actor: BuyerActor, address: string): Promise<SigningText> {
    return askForSignature(this.#parts, actor.userId, address)
  }

  /**
   * Names the address that signed. Refuses `delivery_chain_missing`, `delivery_text_expired`, `smart_account_missing`, `signature_wrong`, `delivery_address_ours`,
   * `delivery_address_same`.
   */
  prove(actor: BuyerActor, answer: { nonce: string; signature: string }): Promise<void> {
    return proveAddress(this.#parts, actor, answer)
  }

  /**
   * Names a typed address and mails the link that confirms it. Refuses `too_many_requests`, `delivery_chain_missing`, `address_invalid`,
   * `delivery_address_ours`, `delivery_address_same`.
   */
  type(actor: BuyerActor, address: string): Promise<void> {
    return typeAddress(this.#parts, actor, address)
  }

  /** Uses a mailed link. Refuses `too_many_requests`, `link_expired`, `delivery_address_ours`. */
  confirm(token: string, client: Client): Promise<{ address: string; countsFrom: string }> {
    return confirmAddress(this.#parts, token, client)
  }

  /** Takes back an address that does not count yet. */
  withdraw(actor: BuyerActor): Promise<void> {
    return withdrawChange(this.#parts, actor)
  }

  /** Every round, the newest first. */
  rounds(): Promise<Round[]> {
    return readRounds(this.#parts.db)
  }

  /** Refuses `round_unknown`. */
  round(number: number): Promise<Round> {
    return readRound(this.#parts.db, number)
  }

  /** The same with what the announced round would hold now. */
  operatorRounds(): Promise<OperatorRounds> {
    return readOperatorRounds(this.#parts.db)
  }

  /** A published list in pieces. Refuses `round_unknown`. */
  openFile(round: number): ReturnType<typeof openRoundFile> {
    return openRoundFile(this.#parts.db, round)
  }

  /** The rows of an address with their proofs. Refuses `round_unknown`. */
  proofs(round: number, address: string): Promise<RoundProofs> {
    return readProofs(this.#parts.db, round, address)
  }

  /**
   * What its chain shows of a frozen round's distributor, at `address` or where it is to be made, and the calls that are left to be signed.
   * Refuses `round_unknown`, `round_state`, `address_invalid`, and as `EvmLooks.look` does.
   */
  distributor(round: number, address?: string): ReturnType<typeof readDistributor> {
    return readDistributor(this.#parts, round, address)
  }

  /** The buyer's own rows of live rounds, as their chains show them. */
  claims(userId: string): Promise<OwnClaim[]> {
    return readClaims(this.#parts, userId)
  }

  /** The buyer's own orders in escrows, as their chains show them. */
  escrowOrders(userId: string): Promise<EscrowOrder[]> {
    return readEscrowOrders(this.#parts, userId)
  }

  /** Every order in escrows that an address paid or gets tokens of, as the chains show them. */
  escrowOrdersOfAddress(address: string): Promise<EscrowOrder[]> {
    return readEscrowOrdersOfAddress(this.#parts, address)
  }

  /** What was sold, given and granted, and what owes it. */
  equation(): Promise<Equation> {
    return readEquation(this.#parts.db)
  }

  /** Every escrow in force, as the last look showed it. */
  escrows(): Promise<DeliveryEscrow[]> {
    return readEscrows(this.#parts.db)
  }

  /** Whether an address can have anything to claim: a round is live, or an escrow in force. */
  async hasClaims(): Promise<boolean> {
    return (await hasLiveRounds(this.#parts.db)) || hasEscrows(this.#parts.db)
  }

  /** Every row of live rounds that names an address, as the chains show them. */
  claimsOfAddress(address: string): Promise<OwnClaim[]> {
    return readClaimsOfAddress(this.#parts, address)
  }

  /** Looks at the distributor of each live round, and notes what its newest final block shows. */
  lookAtLiveRounds(): Promise<void> {
    return lookAtLiveRounds(this.#parts)
  }

  /** Looks at each escrow, and notes what its newest final block shows beside what the ledger says of it. */
  lookAtEscrows(): Promise<void> {
    return lookAtEscrows(this.#parts)
  }

  /** Mails who lacks an address for the announced round; once each. */
  tellOfRound(): Promise<void> {
    return tellOfRound(this.#parts)
  }
}
