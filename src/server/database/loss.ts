/** A write on a read-only server, such as a standby. */
const READ_ONLY = '25006'
const FEATURE_NOT_SUPPORTED = '0A000'
/** A standby's session asked for `read write`. PostgreSQL's function name is never translated. */
const REFUSED_SETTING = 'call_bool_check_hook'

/**
 * Errors of the server, not the statement: class 08, shutdown (57), resources (53), an idle transaction ended
 * because this process stood still, a server that is not the primary.
 */
const SERVER_CODES = /^(08...|53...|57P0[1235]|25P0[34]|25006)$/
const SOCKET_CODES =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN)$/
/** The driver's own errors have no code. */
const DRIVER_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client was closed)/

export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (SERVER_CODES.test(code) || SOCKET_CODES.test(code)) return true
  if (code === FEATURE_NOT_SUPPORTED && (error as { routine?: string }).routine === REFUSED_SETTING)
    return true
  if (error instanceof AggregateError) return error.errors.every(isConnectionLoss)
  return DRIVER_MESSAGES.test(error.message)
}

export function isReadOnlyRefusal(error: unknown): boolean {
  return codeOf(error) === READ_ONLY
}

/** A plan prepared before a migration; a new connection helps. */
export function isStalePlan(error: unknown): boolean {
  return codeOf(error) === FEATURE_NOT_SUPPORTED && (error as Error).message.includes('cached plan')
}

/** A serialization failure or deadlock; a retry may succeed. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error)
  return code === '40001' || code === '40P01'
}

/** All pooled connections were in use for too long; a failed connection attempt has another message. */
export function isQueueTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('timeout exceeded when trying to connect')
}

/** The driver gave up waiting; the server may still be working. */
export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Query read timeout')
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Unrelated to the statement, so a new transaction may succeed. */
export function isPassingFault(error: unknown): boolean {
  return isConnectionLoss(error) || isConflict(error) || isStalePlan(error)
}
