import type { DeliveryAddress } from '../../shared/api/delivery.ts'
import type { BuyerBy } from '../changes/changes.ts'
import type { Client } from '../credentials/credentials.ts'
import { sql } from '../database/database.ts'
import { type AddressParts, readDeliveryAddress } from './address-rows.ts'
import { askForSignature, proveAddress, type SigningText } from './signed-addresses.ts'
import { confirmAddress, typeAddress, withdrawChange } from './typed-addresses.ts'

export type { AddressParts as DeliveryNeeds, EvmFacts } from './address-rows.ts'

/** How the tokens reach their buyers. */
export class Delivery {
  readonly #parts: AddressParts

  constructor(parts: AddressParts) {
    this.#parts = parts
  }

  /** Where a buyer's tokens go, and what waits to become that. */
  address(userId: string): Promise<DeliveryAddress> {
    return readDeliveryAddress(this.#parts, userId)
  }

  /** A text to be signed. Refuses `too_many_requests`, `delivery_chain_missing`, `address_invalid`. */
  askForSignature(by: BuyerBy, address: string): Promise<SigningText> {
    return askForSignature(this.#parts, by.userId, address)
  }

  /**
   * Names the address that signed. Refuses `delivery_chain_missing`, `delivery_text_expired`, `signature_wrong`, `delivery_address_ours`,
   * `delivery_address_same`.
   */
  prove(by: BuyerBy, answer: { nonce: string; signature: string }): Promise<void> {
    return proveAddress(this.#parts, by.userId, answer)
  }

  /**
   * Names a typed address and mails the link that confirms it. Refuses `too_many_requests`, `delivery_chain_missing`, `address_invalid`,
   * `delivery_address_ours`, `delivery_address_same`.
   */
  type(by: BuyerBy, address: string): Promise<void> {
    return typeAddress(this.#parts, by.userId, address)
  }

  /** Uses a mailed link. Refuses `too_many_requests`, `link_expired`, `delivery_address_ours`. */
  confirm(token: string, client: Client): Promise<{ address: string; countsFrom: string }> {
    return confirmAddress(this.#parts, token, client)
  }

  /** Takes back an address that does not count yet. */
  withdraw(by: BuyerBy): Promise<void> {
    return withdrawChange(this.#parts, by.userId)
  }

  /** Deletes texts that nobody signed in time. */
  async sweep(): Promise<void> {
    await this.#parts.db.query(sql`delete from delivery_challenges where expires_at < now()`)
  }
}
