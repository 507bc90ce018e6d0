/** A new password has at least so many characters; one that exists may be older than this rule. */
export const passwordMin = 12
/** A longer one would only cost time to hash. */
export const passwordMax = 128
