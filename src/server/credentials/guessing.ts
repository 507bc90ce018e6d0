import { Worker } from 'node:worker_threads'
import { type PasswordStrength, strengthMin, type Weakness } from '../../shared/password-strength.ts'
import { Refusal } from '../refusal.ts'
import type { Judged, Question } from './guessing-worker.ts'

/** Further characters add cost but never weaken a password. */
const JUDGED_LENGTH_MAX = 24

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

/** Each takes about 15 ms. */
const WAITING_MAX = 50
/** Lower while somebody types, so that typing never delays a registration. */
const TYPING_WAITING_MAX = 10
/** Then the thread is terminated and its judgements rejected. */
const DEADLINE_MS = 10_000
/** Accepted if no judgement is possible: other rules catch leaked ones. */
const TAKEN_LENGTH_MIN = 20

/**
 * How soon an attacker with leaked passwords, names, words and patterns guesses the password. If the worker
 * thread is too busy, accepts a long one; throws `unavailable` for any other and whenever `isTyped`.
 */
export async function guess(
  password: string,
  hints: readonly string[],
  isTyped: boolean,
): Promise<PasswordStrength> {
  const known = hints
    .flatMap((hint) => [hint, ...hint.split(/[\s@]+/), ...hint.split(/[\s@.]+/)])
    .filter((word) => word.length > 2)
  try {
    const { score, warning } = await judge.ask(
      password.slice(0, JUDGED_LENGTH_MAX),
      known,
      isTyped ? TYPING_WAITING_MAX : WAITING_MAX,
    )
    return { strength: score, why: score < strengthMin ? (weaknessOf[warning ?? ''] ?? 'guessable') : null }
  } catch (error) {
    if (isTyped || !(error instanceof Refusal) || password.length < TAKEN_LENGTH_MIN) throw error
    return { strength: strengthMin, why: null }
  }
}

const tooBusy = () => new Refusal('unavailable', { limit: 'password_judge', retryAfterSeconds: 2 })

/** The idle thread ends after this time; the dictionaries take 50 MB. */
const KEPT_MS = 60_000

class Judge {
  readonly #asked = new Map<number, PromiseWithResolvers<Judged>>()
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #count = 0

  /** Throws `unavailable` if `waitingMax` judgements wait or the judgement takes too long. */
  async ask(password: string, known: string[], waitingMax: number): Promise<Judged> {
    if (this.#asked.size >= waitingMax) throw tooBusy()
    const worker = (this.#worker ??= this.#start())
    clearTimeout(this.#idle)
    // Pending judgements keep the process running; an idle thread does not.
    worker.ref()
    this.#count += 1
    const asked = Promise.withResolvers<Judged>()
    this.#asked.set(this.#count, asked)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's messages have no origin
    worker.postMessage({ id: this.#count, password, known } satisfies Question)
    const deadline = setTimeout(() => this.#giveUp(worker), DEADLINE_MS)
    return asked.promise.finally(() => clearTimeout(deadline))
  }

  /** The next judgement starts another thread. */
  #giveUp(worker: Worker): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    void worker.terminate()
    for (const { reject } of this.#asked.values()) reject(tooBusy())
    this.#asked.clear()
  }

  #start(): Worker {
    const worker = new Worker(new URL('./guessing-worker.ts', import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    })
    worker.on('message', (judged: Judged) => {
      if (worker !== this.#worker) return
      this.#asked.get(judged.id)?.resolve(judged)
      this.#asked.delete(judged.id)
      if (this.#asked.size === 0) this.#rest(worker)
    })
    worker.on('error', (error) => {
      if (worker !== this.#worker) return
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
