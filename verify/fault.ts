/** What a log may not do: its data contradicts its signature, its form or what it said before. */
export class LogFault extends Error {
  override name = 'LogFault'
}

/** Nothing could be said about the log: a network that fails, an answer that is none. */
export class Unchecked extends Error {
  override name = 'Unchecked'
}

export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
