import type { Beacon } from '../../shared/giveaway-beacon.ts'
import type { Database, Queryable } from '../database/database.ts'
import type { Mail } from '../mail/mail-kinds.ts'
import type { Secrets } from '../secrets/secrets.ts'

/** What the files of this folder work with. */
export interface GiveawayParts {
  readonly db: Database
  readonly secrets: Secrets
  readonly beacon: Beacon
  /** The signature of a round in hex, from whoever has it: it proves itself. Null before its time. */
  readonly fetchSignature: (round: number) => Promise<string | null>
  readonly publicUrl: string
  /** Adds a job in the transaction: the mail is sent if and only if it commits. */
  sendMail(tx: Queryable, mail: Mail): Promise<void>
}
