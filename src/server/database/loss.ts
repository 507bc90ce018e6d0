/** Of a server that recovers, of a standby and of one that has been demoted: a write there is refused, and works on the primary. */
const READ_ONLY = '25006'
const FEATURE_NOT_SUPPORTED = '0A000'
/** Raised where a session of a standby asks for `read write`; the name of PostgreSQL's own function is in no language. */
const REFUSED_SETTING = 'call_bool_check_hook'

/**
 * The server as a whole, not the statement: SQLSTATE class 08, the shutdown codes of class 57, class 53 (connections, disk, memory), an idle
 * transaction that the server ended because this process stood still, and a server that is not the primary.
 */
const SERVER_CODES = /^(08...|53...|57P0[1235]|25P0[34]|25006)$/
const SOCKET_CODES =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN)$/
/** The driver's own errors have no code. */
const DRIVER_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client was closed)/

/** Whether the connection, or the server behind it, is to be replaced before anything else is tried. */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (SERVER_CODES.test(code) || SOCKET_CODES.test(code)) return true
  if (code === FEATURE_NOT_SUPPORTED && (error as { routine?: string }).routine === REFUSED_SETTING)
    return true
  if (error instanceof AggregateError) return error.errors.every(isConnectionLoss)
  return DRIVER_MESSAGES.test(error.message)
}

/** A write was refused because transactions there only read: on a standby, or on a connection that was opened for reading. */
export function isReadOnlyRefusal(error: unknown): boolean {
  return codeOf(error) === READ_ONLY
}

/** A plan prepared before a migration: the connection forgets it by being replaced. */
export function isStalePlan(error: unknown): boolean {
  return codeOf(error) === FEATURE_NOT_SUPPORTED && (error as Error).message.includes('cached plan')
}

/** A serialization failure or a deadlock: nothing was done, and a next try may do. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error)
  return code === '40001' || code === '40P01'
}

/** All connections of a pool were in use for too long; a new connection that does not come about says something else. */
export function isQueueTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('timeout exceeded when trying to connect')
}

/** The driver gave up waiting; the server may still be at work. */
export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Query read timeout')
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Whether an error says nothing of the statement itself, which may succeed where its transaction is made again. */
export function isPassingFault(error: unknown): boolean {
  return isConnectionLoss(error) || isConflict(error) || isStalePlan(error)
}
