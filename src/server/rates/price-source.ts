export interface Coin {
  /** Currency code, upper case. */
  readonly code: string
  /** Id at CoinGecko. */
  readonly priceId: string
}

/** USD for one coin, as a decimal string. */
export interface PriceQuote {
  readonly priceUsd: string
  readonly at: Date
}

/** A source of prices. Unknown coins are omitted; a failure throws and affects only this source. */
export interface PriceSource {
  readonly name: string
  read(coins: readonly Coin[]): Promise<ReadonlyMap<string, PriceQuote>>
}
