import type { FastifyBaseLogger } from 'fastify'

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** Made on first use: most requests log nothing, and making one costs as much as parsing the body. */
class RequestLog {
  readonly #make: () => FastifyBaseLogger
  #made: FastifyBaseLogger | undefined

  constructor(make: () => FastifyBaseLogger) {
    this.#make = make
  }

  get own(): FastifyBaseLogger {
    this.#made ??= this.#make()
    return this.#made
  }

  get level(): string {
    return this.own.level
  }

  child(...given: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.own.child(...given)
  }
}

for (const level of LEVELS) {
  Object.defineProperty(RequestLog.prototype, level, {
    value(this: RequestLog, ...given: Parameters<FastifyBaseLogger['info']>) {
      this.own[level](...given)
    },
  })
}

export function requestLog(
  log: FastifyBaseLogger,
  ...given: Parameters<FastifyBaseLogger['child']>
): FastifyBaseLogger {
  return new RequestLog(() => log.child(...given)) as unknown as FastifyBaseLogger
}
