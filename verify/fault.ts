/** A log's violation: its data contradicts its signature, form or earlier statements. */
export class LogFault extends Error {
  override name = 'LogFault'
}

/** The log could not be checked: a network failure or an invalid answer. */
export class Unchecked extends Error {
  override name = 'Unchecked'
}

export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
