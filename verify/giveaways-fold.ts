import { WHOLE } from './decimals.ts'
import { EntryError, type Fields } from './entries.ts'
import type { Follow } from './figures.ts'

/** Lists recorded when their random value could be known, which prove nothing; 0 if all were in time. */
const LATE = 'giveawaysFixedLate'

interface Rules {
  sha256: string
  /** The time of the random value. */
  drawAt: string
}

// Rules: GIVE-4
/** Giveaways: rules, fixed once published, and lists of entries, fixed at closing. */
export class GiveawaysFold {
  private readonly follow: Follow
  private readonly rules = new Map<number, Rules>()
  private readonly roots = new Set<number>()
  private late = 0n

  constructor(follow: Follow) {
    this.follow = follow
    follow(LATE, 0n)
  }

  take(kind: string, at: string, fields: Fields): void {
    const id = fields['giveaway'] as number
    const known = this.rules.get(id)
    if (kind === 'giveaway.published') {
      if (known) throw new EntryError(`The rules of the giveaway ${id} are published again.`)
      const rules = { sha256: fields['sha256'] as string, drawAt: fields['drawAt'] as string }
      this.rules.set(id, rules)
      this.follow(`giveaways.${id}.rules`, rules.sha256)
      return
    }
    if (!known) throw new EntryError(`The rules of the giveaway ${id} were not published.`)
    if (this.roots.has(id)) throw new EntryError(`The list of the giveaway ${id} is fixed again.`)
    this.roots.add(id)
    if (at >= known.drawAt) this.late += 1n
    this.follow(`giveaways.${id}.root`, fields['root'] as string)
    this.follow(`giveaways.${id}.entries`, BigInt(fields['entries'] as number) * WHOLE)
    this.follow(LATE, this.late * WHOLE)
  }
}
