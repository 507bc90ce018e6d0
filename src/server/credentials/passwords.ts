import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import type { PasswordStrength, Weakness } from '../../shared/password-strength.ts'
import { refuse } from '../refusal.ts'
import { type Secrets, UnknownKeyError } from '../secrets/secrets.ts'
import { commonPasswords, commonRuns, commonWords } from './common-passwords.ts'
import { guess } from './guessing.ts'
import type { Holder } from './holder.ts'

export interface PasswordCost {
  /** In KiB. */
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** argon2id, 19 MiB, two passes: OWASP's first recommendation. */
const COST: PasswordCost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

/** Keyboards compose characters differently. */
export function normalPassword(password: string): string {
  return password.normalize('NFKC')
}

export interface PasswordsNeeds {
  readonly secrets: Secrets
  readonly cost?: PasswordCost
}

// Rules: RIGHT-14
/** Argon2id hashes, sealed: a stolen table is useless without `SECRET_KEY`. */
export class Passwords {
  readonly #secrets: Secrets
  readonly #cost: PasswordCost
  #dummy: Promise<string> | undefined

  constructor({ secrets, cost = COST }: PasswordsNeeds) {
    this.#secrets = secrets
    this.#cost = cost
  }

  async hash(password: string, lane: HashLane = 'account'): Promise<string> {
    return this.#seal(await hashing.run(lane, () => hash(normalPassword(password), this.#cost)))
  }

  /**
   * In the same time whether or not the account or its password exists. False for a hash under a lost key; a
   * mailed link sets a new password.
   */
  async verify(
    stored: string | null | undefined,
    password: string,
    lane: HashLane = 'account',
  ): Promise<boolean> {
    const argon = this.#open(stored)
    const against = argon ?? (await this.#nobodys(lane))
    const matches = await hashing.run(lane, () => verify(against, normalPassword(password)))
    return matches && argon !== undefined
  }

  /**
   * Undefined if up to date: not cheaper than the present cost, and under the present key. Call after a
   * correct password.
   */
  async renewed(stored: string, password: string, lane: HashLane = 'account'): Promise<string | undefined> {
    const argon = this.#open(stored)
    if (argon === undefined) return undefined
    if (isCheaper(argon, this.#cost)) return this.hash(password, lane)
    return stored.startsWith(this.#secrets.heads()[0] ?? '') ? undefined : this.#seal(argon)
  }

  /** Once; a rejected attempt is repeated at the next call. */
  async #nobodys(lane: HashLane): Promise<string> {
    this.#dummy ??= hashing.run(lane, () => hash('nobody has this password', this.#cost))
    this.#dummy.catch(() => {
      this.#dummy = undefined
    })
    return this.#dummy
  }

  #seal(argon: string): string {
    return this.#secrets.encrypt('password', argon).toString('base64')
  }

  /** Undefined if missing or under a lost key. */
  #open(stored: string | null | undefined): string | undefined {
    // Older versions did not seal hashes.
    if (!stored || stored.startsWith('$')) return stored || undefined
    try {
      return this.#secrets.decrypt('password', Buffer.from(stored, 'base64'))
    } catch (error) {
      if (error instanceof UnknownKeyError) return undefined
      throw error
    }
  }
}

/** Less memory, fewer passes, or another kind of hash. */
function isCheaper(argon: string, { memoryCost, timeCost }: PasswordCost): boolean {
  const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(argon) ?? []
  return !(Number(memory) >= memoryCost && Number(time) >= timeCost)
}

/**
 * Throws `password_too_common` for a weak password, `unavailable` if too many judgements wait; a schema
 * checks the length. Call before entering a queue or transaction: a judgement may wait.
 */
export async function checkNewPassword(password: string, hints: readonly string[] = []): Promise<void> {
  if ((await judge(password, hints, false)).why) refuse('password_too_common')
}

// Rules: RIGHT-32
/**
 * Weak: common ones, a common word with digits and signs, keyboard and alphabet runs, short repeated
 * patterns, the person's own `hints` (e-mail, name, login), and what an attacker guesses soon.
 */
export function judgePassword(password: string, hints: readonly string[] = []): Promise<PasswordStrength> {
  return judge(password, hints, true)
}

async function judge(
  password: string,
  hints: readonly string[],
  isTyped: boolean,
): Promise<PasswordStrength> {
  const normal = normalPassword(password)
  const why = whyCommon(normal.toLowerCase(), hints)
  return why ? { strength: 0, why } : guess(normal, hints, isTyped)
}

const leet: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

function whyCommon(password: string, hints: readonly string[]): Weakness | null {
  if (commonPasswords.has(password)) return 'common'
  // A short tail such as "1!" adds little strength.
  const stem = password.replace(/[\d\P{L}]{1,4}$/u, '')
  if (isRun(password) || isRun(stem)) return 'sequence'
  if (isRepeated(password) || isRepeated(stem)) return 'repeat'
  const spelled = [...password].map((letter) => leet[letter] ?? letter).join('')
  if (lettersAreCommon(password) || lettersAreCommon(spelled) || lettersAreCommon(stemSpelled(stem)))
    return 'common'
  return hints.some((hint) => isMostly(password, hint)) ? 'personal' : null
}

function stemSpelled(stem: string): string {
  return [...stem].map((letter) => leet[letter] ?? letter).join('')
}

function lettersAreCommon(text: string): boolean {
  const letters = text.replace(/\P{L}/gu, '')
  if (commonWords.has(letters)) return true
  const half = letters.slice(0, letters.length / 2)
  return half.length > 2 && letters === half + half && commonWords.has(half)
}

function isRun(text: string): boolean {
  if (text.length < 5) return false
  const backwards = [...text].toReversed().join('')
  return commonRuns.some((run) => run.includes(text) || run.includes(backwards))
}

function isRepeated(text: string): boolean {
  if (text.length < 6) return false
  return [1, 2, 3, 4].some((length) => {
    const pattern = text.slice(0, length)
    return pattern.repeat(Math.ceil(text.length / length)).slice(0, text.length) === text
  })
}

/** With at most four other characters. */
function isMostly(password: string, hint: string): boolean {
  const wholes = [hint.toLowerCase(), hint.toLowerCase().split('@')[0] ?? '']
  return wholes.some(
    (part) => part.length >= 4 && password.includes(part) && password.length - part.length <= 4,
  )
}

/** Others wait in order. Throws `unavailable` once the queue is full. */
class Queue {
  readonly #runningMax: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(runningMax: number) {
    this.#runningMax = runningMax
  }

  get waiting(): number {
    return this.#waiting.length
  }

  refuseWhenFull(): void {
    refuseBeyond(this.#waiting.length)
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    this.refuseWhenFull()
    if (this.#running < this.#runningMax) this.#running += 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running -= 1
    }
  }
}

// Rules: RIGHT-25
/** For operators, logins and registrations, signed-in people and link holders. */
export type HashLane = 'operator' | 'login' | 'account'

/**
 * The lanes take turns, each with its own limit: a full lane never delays another by more than one hash per
 * lane.
 */
class HashQueue {
  readonly #runningMax: number
  readonly #waiting: Record<HashLane, (() => void)[]> = { operator: [], login: [], account: [] }
  /** The least recently served first. */
  readonly #turns: HashLane[] = ['operator', 'login', 'account']
  #running = 0

  constructor(runningMax: number) {
    this.#runningMax = runningMax
  }

  get waiting(): number {
    return this.#turns.reduce((sum, lane) => sum + this.#waiting[lane].length, 0)
  }

  async run<T>(lane: HashLane, work: () => Promise<T>): Promise<T> {
    refuseBeyond(this.#waiting[lane].length)
    if (this.#running < this.#runningMax) this.#running += 1
    else await new Promise<void>((resolve) => this.#waiting[lane].push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#takeTurn()
      if (next) next()
      else this.#running -= 1
    }
  }

  #takeTurn(): (() => void) | undefined {
    const at = this.#turns.findIndex((lane) => this.#waiting[lane].length > 0)
    if (at < 0) return undefined
    const [lane = 'login'] = this.#turns.splice(at, 1)
    this.#turns.push(lane)
    return this.#waiting[lane].shift()
  }
}

const WAITING_MAX = 200

function refuseBeyond(waiting: number): void {
  if (waiting >= WAITING_MAX) refuse('unavailable', { limit: 'password_queue', retryAfterSeconds: 2 })
}

/** A hash takes 19 MiB and a core. */
const hashesAtOnce = Math.max(1, Math.min(4, availableParallelism() - 1))
const hashing = new HashQueue(hashesAtOnce)
/**
 * Hashing never waits for statements; logins don't fill the database pool. A flood of buyers' logins never
 * delays operators.
 */
const lines = { user: new Queue(hashesAtOnce + 3), operator: new Queue(2) }

// Rules: RIGHT-25
/**
 * For all the work of a login or registration, statements included: a flood does not starve orders. Throws
 * `unavailable` if the queue is full.
 */
export const takeLine = <T>(kind: Holder['kind'], work: () => Promise<T>): Promise<T> => lines[kind].run(work)

/** Throws `unavailable` if `takeLine` would. */
export const refuseWhenLineIsFull = (kind: Holder['kind']): void => lines[kind].refuseWhenFull()

export const passwordsWaiting = (): number => hashing.waiting + lines.user.waiting + lines.operator.waiting
