import { type DestinationStream, type LoggerOptions, pino } from 'pino'

export type Log = ReturnType<typeof createLog>

/** They open a session, order or wallet. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'pass',
  'token',
  'userToken',
  'admin_token',
  'orderToken',
  'secret',
  'link',
  'code',
]

/** JSON lines on stdout, written synchronously: a killed process loses none. */
export function createLog(
  level: 'info' | 'warn' | 'silent' = 'info',
  to?: DestinationStream,
  /** For lines with an error: calls `write`, now or later, or drops the line. */
  onError?: (error: unknown, write: () => void) => void,
) {
  const options: LoggerOptions = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    hooks: {
      logMethod(given, method) {
        const error = (given[0] as { err?: unknown } | undefined)?.err
        if (error && onError) onError(error, () => method.apply(this, given))
        else method.apply(this, given)
      },
    },
    redact: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
  }
  return to ? pino(options, to) : pino(options)
}
