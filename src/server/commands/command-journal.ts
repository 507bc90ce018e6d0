import { lockPublicTerms } from '../campaign/campaign.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { headFileOf, Journal } from '../journal/journal.ts'
import { createLog } from '../log.ts'
import { readSecretKeys } from '../secrets/secret-keys.ts'
import { Secrets } from '../secrets/secrets.ts'

export function journalOf(config: Config, db: Database): Journal {
  return new Journal({
    db,
    secrets: new Secrets({ keys: readSecretKeys(config) }),
    host: new URL(config.web.publicUrl).host,
    head: headFileOf(config.dataDir),
    lockTerms: lockPublicTerms,
    witnesses: config.journal.witnesses,
    log: createLog(),
  })
}
