import { RetryableError } from '../refusal.ts'

export interface BatchOptions<Request, Answer> {
  /** Serves several requests at once; answer n belongs to request n. */
  run(requests: readonly Request[]): Promise<readonly Answer[]>
  sizeMax: number
  /** Maximum concurrent runs; requests that arrive meanwhile share the next one. */
  runsMax: number
  /** Requests with the same key never share a run, so that the second sees the first one's effect. */
  keyOf?(request: Request): string
}

/**
 * After this time a request fails as retryable. If it had started, its outcome is unknown, as after a lost
 * connection.
 */
const WAIT_MAX_MS = 8_000

interface Waiting<Request, Answer> {
  request: Request
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/**
 * A busy server pays once for round trip and commit. A failed batch is served one by one, so that a request
 * fails only by itself; `RetryableError` fails all at once.
 */
export function createBatches<Request, Answer>({
  run,
  sizeMax,
  runsMax,
  keyOf,
}: BatchOptions<Request, Answer>): (request: Request) => Promise<Answer> {
  let queue: Waiting<Request, Answer>[] = []
  let runs = 0

  const serve = async (batch: readonly Waiting<Request, Answer>[]): Promise<void> => {
    try {
      const answers = await run(batch.map(({ request }) => request))
      batch.forEach(({ resolve }, n) => resolve(answers[n] as Answer))
    } catch (error) {
      if (batch.length === 1 || error instanceof RetryableError) for (const { reject } of batch) reject(error)
      else for (const waiting of batch) await serve([waiting])
    }
  }

  const takeBatch = () => {
    const keys = new Set<string>()
    const batch: Waiting<Request, Answer>[] = []
    queue = queue.filter((waiting) => {
      const key = keyOf?.(waiting.request)
      if (batch.length === sizeMax || (key !== undefined && keys.has(key))) return true
      if (key !== undefined) keys.add(key)
      batch.push(waiting)
      return false
    })
    return batch
  }

  const start = () => {
    while (runs < runsMax && queue.length > 0) {
      runs += 1
      void serve(takeBatch()).then(() => {
        runs -= 1
        start()
      })
    }
  }

  return (request) =>
    new Promise((resolve, reject) => {
      const waiting = { request, resolve, reject }
      const ended = setTimeout(() => {
        queue = queue.filter((other) => other !== waiting)
        reject(new RetryableError('the database has not answered in time'))
      }, WAIT_MAX_MS)
      waiting.resolve = (answer) => {
        clearTimeout(ended)
        resolve(answer)
      }
      waiting.reject = (error) => {
        clearTimeout(ended)
        reject(error)
      }
      queue.push(waiting)
      if (queue.length === 1) setImmediate(start)
    })
}
