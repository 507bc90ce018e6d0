/** A coin as price sources name it. */
export interface Coin {
  /** Currency code, upper case. */
  readonly code: string
  /** Id at CoinGecko. */
  readonly priceId: string
}

/** What one source says: dollars for one coin, as a decimal string, and of when. */
export interface PriceQuote {
  readonly priceUsd: string
  readonly at: Date
}

/** One place that knows prices. A coin that it doesn't know is absent; a failure throws and costs only this source. */
export interface PriceSource {
  readonly name: string
  read(coins: readonly Coin[]): Promise<ReadonlyMap<string, PriceQuote>>
}
