import { Worker } from 'node:worker_threads'
import { type PasswordStrength, strengthMin, type Weakness } from '../../shared/password-strength.ts'
import type { Judged, Question } from './guessing-worker.ts'

/** So much of a password is judged: what is strong up to here stays strong, and judging takes longer the more there is. */
const JUDGED_LENGTH_MAX = 24

/** The library's words for what it found, which it gives as keys where no translation is set. */
const weaknessOf: Readonly<Record<string, Weakness>> = {
  straightRow: 'keyboard',
  keyPattern: 'keyboard',
  simpleRepeat: 'repeat',
  extendedRepeat: 'repeat',
  sequences: 'sequence',
  recentYears: 'date',
  dates: 'date',
  topTen: 'common',
  topHundred: 'common',
  common: 'common',
  similarToCommon: 'common',
  wordByItself: 'word',
  namesByThemselves: 'name',
  commonNames: 'name',
  userInputs: 'personal',
}

/**
 * How soon somebody who tries leaked passwords, names, words and patterns first comes to this password. `hints` are what is known of
 * the person. It is judged beside the thread that answers requests.
 */
export async function guess(password: string, hints: readonly string[]): Promise<PasswordStrength> {
  const known = hints
    .flatMap((hint) => [hint, ...hint.split(/[\s@]+/), ...hint.split(/[\s@.]+/)])
    .filter((word) => word.length > 2)
  const { score, warning } = await judge.ask(password.slice(0, JUDGED_LENGTH_MAX), known)
  const why = score < strengthMin ? (weaknessOf[warning ?? ''] ?? 'guessable') : null
  return { strength: score, why }
}

/** The dictionaries, some 50 MB in memory, go when nobody has chosen a password for so long. */
const KEPT_MS = 60_000

/** The thread that judges: started for the first password, and kept while there are any. */
class Judge {
  readonly #asked = new Map<number, PromiseWithResolvers<Judged>>()
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #count = 0

  ask(password: string, known: string[]): Promise<Judged> {
    const worker = (this.#worker ??= this.#start())
    clearTimeout(this.#idle)
    // Whoever waits keeps the program running; the thread alone does not.
    worker.ref()
    this.#count += 1
    const asked = Promise.withResolvers<Judged>()
    this.#asked.set(this.#count, asked)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's messages have no origin
    worker.postMessage({ id: this.#count, password, known } satisfies Question)
    return asked.promise
  }

  #start(): Worker {
    const worker = new Worker(new URL('./guessing-worker.ts', import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    })
    worker.on('message', (judged: Judged) => {
      this.#asked.get(judged.id)?.resolve(judged)
      this.#asked.delete(judged.id)
      if (this.#asked.size === 0) this.#rest(worker)
    })
    worker.on('error', (error) => {
      this.#worker = undefined
      for (const { reject } of this.#asked.values()) reject(error)
      this.#asked.clear()
    })
    return worker
  }

  #rest(worker: Worker): void {
    worker.unref()
    this.#idle = setTimeout(() => {
      this.#worker = undefined
      void worker.terminate()
    }, KEPT_MS).unref()
  }
}

const judge = new Judge()
