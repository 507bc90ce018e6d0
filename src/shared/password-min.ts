/** A new password has at least so many characters; one that exists may be older than this rule. */
export const passwordMin = 12
