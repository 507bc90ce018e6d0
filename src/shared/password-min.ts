/** Older passwords may be shorter. */
export const passwordMin = 12
/** A longer password would only cost hashing time. */
export const passwordMax = 128
