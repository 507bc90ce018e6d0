import type { Beacon } from '../../shared/giveaway-beacon.ts'
import type { Database, Queryable } from '../database/database.ts'
import type { Mail } from '../mail/mail-kinds.ts'
import type { Secrets } from '../secrets/secrets.ts'

export interface GiveawayParts {
  readonly db: Database
  readonly secrets: Secrets
  readonly beacon: Beacon
  /** In hex from any source: a signature proves itself. Null before its time. */
  readonly fetchSignature: (round: number) => Promise<string | null>
  readonly publicUrl: string
  sendMail(tx: Queryable, mail: Mail): Promise<void>
}
