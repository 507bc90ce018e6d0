import { Exact } from './exact.ts'

// Referral rewards by docs/rules.md. Independent of the product's code.

const HUNDRED = Exact.of('100')
/** Age at which an approval by hand is rewarded. */
export const BY_HAND_AFTER = 14 * 24 * 60 * 60_000

export interface ReferralTerms {
  readonly percent: Exact
  readonly mostEach: Exact
  readonly most: Exact
  readonly excluded: readonly string[]
}

/** A referred buyer, with the terms of that day. */
interface Friend {
  readonly referrer: number
  readonly terms: ReferralTerms
}

/** Facts of an approved order. */
export interface Bringing {
  readonly number: number
  readonly buyer: number
  readonly base: Exact
  readonly country: string | null
  readonly isCountryAsked: boolean
}

export interface Decision {
  readonly order: number
  readonly base: Exact
  readonly friend: number
  readonly referrer: number
  readonly tokens: Exact | null
  readonly refusal: string | null
  isTakenBack: boolean
  isListed: boolean
  readonly at: number
}

/** Why two buyers are one person. */
type Sameness = 'same_mailbox' | 'same_device' | 'same_address'

/** Referrals and rewards; buyers are numbered by registration. */
export class Rewards {
  /** Null: rewards are off. */
  terms: ReferralTerms | null = null
  /** Buyers with a link, and their declared country. */
  readonly links = new Map<number, string>()
  readonly friends = new Map<number, Friend>()
  readonly decisions: Decision[] = []
  /** Friends who are the same person as their referrer; permanent. */
  readonly found = new Map<number, Sameness | 'ring'>()
  /** Browsers by buyer. */
  readonly browsers = new Map<number, Set<number>>()
  readonly #mailboxes: string[]
  readonly #refundsTo: (buyer: number) => ReadonlySet<string> | undefined

  /** `refundsTo` returns a buyer's addresses by chain. */
  constructor(mailboxes: readonly string[], refundsTo: (buyer: number) => ReadonlySet<string> | undefined) {
    this.#mailboxes = [...mailboxes]
    this.#refundsTo = refundsTo
  }

  get buyers(): number {
    return this.#mailboxes.length
  }

  refusalOfLink(country: string): string | null {
    if (!this.terms) return 'referral_closed'
    return this.terms.excluded.includes(country) ? 'country_refused' : null
  }

  join(buyer: number, country: string): void {
    if (!this.links.has(buyer)) this.links.set(buyer, country)
  }

  register(mailbox: string, by: number | null): void {
    const friend = this.#mailboxes.push(mailbox) - 1
    if (by !== null && this.terms && this.links.has(by) && by < friend)
      this.friends.set(friend, { referrer: by, terms: this.terms })
  }

  signIn(buyer: number, browser: number): void {
    if (!this.terms) return
    const known = this.browsers.get(buyer) ?? new Set()
    this.browsers.set(buyer, known.add(browser))
  }

  isDue(bringing: Bringing): boolean {
    return this.friends.has(bringing.buyer) && this.#undecided(bringing).isPositive
  }

  /** Reversed base tokens are open again; refused ones are not. */
  #undecided({ buyer, number, base }: Bringing): Exact {
    const decided = this.decisions.filter(
      ({ order, isTakenBack }) => order === number && (!isTakenBack || this.found.has(buyer)),
    )
    return base.minus(Exact.sum(decided.map((one) => one.base)))
  }

  /** `left` is the rest of the bonus share. */
  decide(bringing: Bringing, left: Exact, at: number): void {
    const { number: order, buyer: friend, country, isCountryAsked } = bringing
    const { referrer, terms } = this.friends.get(friend) as Friend
    const base = this.#undecided(bringing)
    const tokens = Exact.least(
      base.times(terms.percent).over(HUNDRED).cut(6),
      this.#leftOf(terms.mostEach, this.of(referrer)),
      this.#leftOf(terms.most, this.all),
    )
    const excluded = [...terms.excluded, ...(this.terms?.excluded ?? [])]
    const isExcluded = [country, this.links.get(referrer)].some((one) => excluded.includes(one ?? ''))
    const sameness = this.onePerson(friend, referrer)
    if (sameness) this.found.set(friend, sameness)
    const refusal =
      sameness ??
      (isExcluded ? 'country_excluded' : null) ??
      (country === null && isCountryAsked ? 'country_unknown' : null) ??
      (tokens.isPositive ? null : 'limit_reached') ??
      (left.isBelow(tokens) ? 'supply_reached' : null)
    const credited = refusal === null ? tokens : null
    this.decisions.push({
      order,
      base,
      friend,
      referrer,
      refusal,
      tokens: credited,
      isTakenBack: false,
      isListed: false,
      at,
    })
  }

  /** Reverses the newest rewards beyond the share of `base`. */
  takeBack(order: number, base: Exact): void {
    let brought = Exact.zero
    for (const decision of this.#standing().filter((one) => one.order === order)) {
      const { percent } = (this.friends.get(decision.friend) as Friend).terms
      brought = brought.plus(decision.tokens as Exact)
      const isMore = base.times(percent).over(HUNDRED).cut(6).isBelow(brought)
      if (isMore && !decision.isListed) decision.isTakenBack = true
    }
  }

  lookAgain(): void {
    for (const decision of this.#standing()) {
      const { friend, referrer } = decision
      const found = this.onePerson(friend, referrer)
      if (found === null || decision.isListed) continue
      decision.isTakenBack = true
      this.found.set(friend, found)
    }
  }

  /** Rewards credited until then that are in no round. */
  listable(until: number): Decision[] {
    return this.#standing().filter(
      ({ isListed, at, friend, referrer }) =>
        !isListed && at <= until && this.onePerson(friend, referrer) === null,
    )
  }

  /** Rewards of a buyer, and of all. */
  of(referrer: number): Exact {
    return this.#sum(this.#standing().filter((decision) => decision.referrer === referrer))
  }

  get all(): Exact {
    return this.#sum(this.#standing())
  }

  /** Why they are one person, or the friend referred the referrer; null if neither. */
  onePerson(friend: number, referrer: number): Sameness | 'ring' | null {
    const sameness = this.found.get(friend) ?? this.#sameness(friend, referrer)
    if (sameness) return sameness
    for (let above = this.friends.get(referrer); above; above = this.friends.get(above.referrer))
      if (!['same_address', null].includes(this.#sameness(friend, above.referrer))) return 'ring'
    return null
  }

  #sameness(friend: number, referrer: number): Sameness | null {
    if (this.#mailboxes[friend] === this.#mailboxes[referrer]) return 'same_mailbox'
    const isShared = <T>(one: ReadonlySet<T> | undefined, other: ReadonlySet<T> | undefined) =>
      one !== undefined && other !== undefined && [...one].some((each) => other.has(each))
    if (isShared(this.browsers.get(friend), this.browsers.get(referrer))) return 'same_device'
    return isShared(this.#refundsTo(friend), this.#refundsTo(referrer)) ? 'same_address' : null
  }

  #standing(): Decision[] {
    return this.decisions.filter(({ tokens, isTakenBack }) => tokens !== null && !isTakenBack)
  }

  #sum(decisions: readonly Decision[]): Exact {
    return Exact.sum(decisions.map(({ tokens }) => tokens ?? Exact.zero))
  }

  #leftOf(most: Exact, used: Exact): Exact {
    return used.isBelow(most) ? most.minus(used) : Exact.zero
  }
}
