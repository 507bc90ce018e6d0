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

/** The same typed text gives the same bytes, whatever keyboard composed it. */
export function normalPassword(password: string): string {
  return password.normalize('NFKC')
}

export interface PasswordsNeeds {
  readonly secrets: Secrets
  readonly cost?: PasswordCost
}

// Rules: RIGHT-14
/** Passwords as they are stored: the argon2id hash, sealed, so that a stolen table verifies none without `SECRET_KEY`. */
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
   * Takes as long for an account that does not exist, or has no password yet, as for a wrong password. A hash under a lost key is
   * nobody's password: a link by mail sets another one.
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
   * What to store instead, after a right password: a hash at today's cost where the stored one is cheaper, a seal under today's key
   * where it is under another or none. Undefined where the stored one is as it should be.
   */
  async renewed(stored: string, password: string, lane: HashLane = 'account'): Promise<string | undefined> {
    const argon = this.#open(stored)
    if (argon === undefined) return undefined
    if (isCheaper(argon, this.#cost)) return this.hash(password, lane)
    return stored.startsWith(this.#secrets.heads()[0] ?? '') ? undefined : this.#seal(argon)
  }

  /** Made once; where its turn was refused, the next attempt tries again. */
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

  /** The argon2id hash; undefined where there is none, or its key is lost. */
  #open(stored: string | null | undefined): string | undefined {
    // As hashes were stored before they were sealed.
    if (!stored || stored.startsWith('$')) return stored || undefined
    try {
      return this.#secrets.decrypt('password', Buffer.from(stored, 'base64'))
    } catch (error) {
      if (error instanceof UnknownKeyError) return undefined
      throw error
    }
  }
}

/** Whether a hash was made with less memory or fewer passes than are asked for now, or by another kind of argon2. */
function isCheaper(argon: string, { memoryCost, timeCost }: PasswordCost): boolean {
  const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(argon) ?? []
  return !(Number(memory) >= memoryCost && Number(time) >= timeCost)
}

/**
 * Refuses `password_too_common` for what `judgePassword` finds too weak, and `unavailable` where too many judgements wait. Length is the
 * schema's business. A judgement may wait for others: ask for it before a line or a transaction is entered.
 */
export async function checkNewPassword(password: string, hints: readonly string[] = []): Promise<void> {
  if ((await judge(password, hints, false)).why) refuse('password_too_common')
}

// Rules: RIGHT-32
/**
 * How soon a password is guessed, and why it is not taken: it is on the list of the most common, one of its words among digits and
 * signs, a run along the keyboard or the alphabet, a short pattern repeated, the person's own `hints` (e-mail, name, login), or what
 * leaked passwords, names and words soon lead to.
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
  // A run or a repetition may have a tail such as "1!"; nobody guesses slower because of it.
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

/** One common word, or it twice, is all that is left without digits and signs. */
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

/** A pattern of up to four characters, again and again. */
function isRepeated(text: string): boolean {
  if (text.length < 6) return false
  return [1, 2, 3, 4].some((length) => {
    const pattern = text.slice(0, length)
    return pattern.repeat(Math.ceil(text.length / length)).slice(0, text.length) === text
  })
}

/** The password is a hint with at most four other characters around it. */
function isMostly(password: string, hint: string): boolean {
  const wholes = [hint.toLowerCase(), hint.toLowerCase().split('@')[0] ?? '']
  return wholes.some(
    (part) => part.length >= 4 && password.includes(part) && password.length - part.length <= 4,
  )
}

/** Runs so many at once; so many more wait for their turn, first come first served, and one more is refused (`unavailable`). */
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
/** Who waits for a hash: operators, people who log in or register, and people who are signed in or have a link. */
export type HashLane = 'operator' | 'login' | 'account'

/**
 * Runs so many hashes at once; the lanes take turns. Each lane has its own bound, so that requests in one lane never make another
 * lane's requests wait for more than one hash of each lane, or be refused.
 */
class HashQueue {
  readonly #runningMax: number
  readonly #waiting: Record<HashLane, (() => void)[]> = { operator: [], login: [], account: [] }
  /** The lane that was served longest ago comes first. */
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

/** Hashing costs 19 MiB and a core each: more at once than there are cores would only take memory. */
const hashesAtOnce = Math.max(1, Math.min(4, availableParallelism() - 1))
const hashing = new HashQueue(hashesAtOnce)
/**
 * Enough that hashing never waits for statements, and few enough that theirs are never ahead of everybody's in the database's pool. Operators
 * have a line of their own, so that strangers at the buyers' login never make them wait.
 */
const lines = { user: new Queue(hashesAtOnce + 3), operator: new Queue(2) }

// Rules: RIGHT-25
/**
 * Does all that a stranger's login or registration needs, statements included: a few at once, and beyond the queue one more is refused
 * before anything is done for it, which keeps a flood of them from starving orders.
 */
export const takeLine = <T>(kind: Holder['kind'], work: () => Promise<T>): Promise<T> => lines[kind].run(work)

/** Refuses (`unavailable`) whom `takeLine` would refuse, for who asks before there is anything to do. */
export const refuseWhenLineIsFull = (kind: Holder['kind']): void => lines[kind].refuseWhenFull()

/** How many logins, registrations, checks and hashes wait for their turn. */
export const passwordsWaiting = (): number => hashing.waiting + lines.user.waiting + lines.operator.waiting
