export interface Coin {
  readonly code: string
  /** At CoinGecko. */
  readonly priceId: string
}

/** USD for one coin, as a decimal string. */
export interface PriceQuote {
  readonly priceUsd: string
  readonly at: Date
}

/** Omits unknown coins; a failure throws and affects only this source. */
export interface PriceSource {
  readonly name: string
  read(coins: readonly Coin[]): Promise<ReadonlyMap<string, PriceQuote>>
}
