import { Worker } from 'node:worker_threads'
import { type PasswordStrength, strengthMin, type Weakness } from '../../shared/password-strength.ts'
import { Refusal } from '../refusal.ts'
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

/** Judgements that wait, besides those for whoever types: each takes some 15 ms. */
const WAITING_MAX = 50
/** While somebody types, a judgement is of use at once or not at all, and never delays one that a registration waits for. */
const TYPING_WAITING_MAX = 10
/** A judgement that has taken so long is given up, and its thread with it. */
const DEADLINE_MS = 10_000
/** Without a judgement a password this long is taken: no list of leaked ones holds it but by a rule that is checked before. */
const TAKEN_LENGTH_MIN = 20

/**
 * How soon somebody who tries leaked passwords, names, words and patterns first comes to this password. `hints` are what is known of
 * the person. It is judged beside the thread that answers requests; while too many judgements wait, a long password is taken as it is,
 * and any other is refused (`unavailable`), as is every one that is only `typed` so far.
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

/** The dictionaries, some 50 MB in memory, go when nobody has chosen a password for so long. */
const KEPT_MS = 60_000

/** The thread that judges: started for the first password, and kept while there are any. */
class Judge {
  readonly #asked = new Map<number, PromiseWithResolvers<Judged>>()
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #count = 0

  /** Refuses (`unavailable`) where `waitingMax` wait already, or the judgement takes too long. */
  async ask(password: string, known: string[], waitingMax: number): Promise<Judged> {
    if (this.#asked.size >= waitingMax) throw tooBusy()
    const worker = (this.#worker ??= this.#start())
    clearTimeout(this.#idle)
    // Whoever waits keeps the program running; the thread alone does not.
    worker.ref()
    this.#count += 1
    const asked = Promise.withResolvers<Judged>()
    this.#asked.set(this.#count, asked)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's messages have no origin
    worker.postMessage({ id: this.#count, password, known } satisfies Question)
    const deadline = setTimeout(() => this.#giveUp(worker), DEADLINE_MS)
    return asked.promise.finally(() => clearTimeout(deadline))
  }

  /** Everybody who waits for this thread is refused; the next one who asks starts another. */
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
