import type { Beacon } from '../../shared/giveaway-beacon.ts'
import type { Database, Queryable } from '../database/database.ts'
import type { Mail } from '../mail/mail-kinds.ts'
import type { Secrets } from '../secrets/secrets.ts'

/** Dependencies of this folder. */
export interface GiveawayParts {
  readonly db: Database
  readonly secrets: Secrets
  readonly beacon: Beacon
  /** A round's signature in hex from any source, because it is self-verifying. Null before its time. */
  readonly fetchSignature: (round: number) => Promise<string | null>
  readonly publicUrl: string
  /** Adds a job in the transaction: the mail is sent if and only if it commits. */
  sendMail(tx: Queryable, mail: Mail): Promise<void>
}
