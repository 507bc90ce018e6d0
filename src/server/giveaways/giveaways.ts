import type { z } from 'zod'
import type {
  GiveawayReceipt,
  OperatorGiveaway,
  OwnGiveaway,
  PublicGiveaway,
} from '../../shared/api/giveaways.ts'
import type { giveawayEntryInput } from '../../shared/api/giveaways-inputs.ts'
import type { GiveawayFile } from '../../shared/giveaway-draw.ts'
import type { PageOf, PageQuery } from '../keyset.ts'
import { readFile, runGiveaways } from './draws.ts'
import { confirm, type Entrant, enter, readOwn } from './entries.ts'
import { giveawayActions } from './giveaway-actions.ts'
import { readForOperators, readPublished } from './giveaway-rows.ts'
import type { GiveawayParts } from './parts.ts'

export { askBeacon } from './beacon-servers.ts'

export class Giveaways {
  readonly actions: ReturnType<typeof giveawayActions>
  readonly #parts: GiveawayParts

  constructor(parts: GiveawayParts) {
    this.#parts = parts
    this.actions = giveawayActions(parts.beacon)
  }

  published(): Promise<PublicGiveaway[]> {
    return readPublished(this.#parts.db)
  }

  own(userId: string): Promise<OwnGiveaway[]> {
    return readOwn(this.#parts, userId)
  }

  all(query: PageQuery): Promise<PageOf<OperatorGiveaway>> {
    return readForOperators(this.#parts.db, query)
  }

  enter(id: number, entrant: Entrant, input: z.output<typeof giveawayEntryInput>): Promise<GiveawayReceipt> {
    return enter(this.#parts, id, entrant, input)
  }

  confirm(id: number, userId: string): Promise<OwnGiveaway> {
    return confirm(this.#parts, userId, id)
  }

  file(id: number): Promise<GiveawayFile> {
    return readFile(this.#parts.db, id)
  }

  run(): Promise<void> {
    return runGiveaways(this.#parts)
  }
}
