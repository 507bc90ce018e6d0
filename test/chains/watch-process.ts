import { readChains } from '../../src/server/chain-config.ts'
import { openDatabase } from '../../src/server/database/database.ts'
import { createSource } from '../../src/server/payments/chain-access.ts'
import { Watchers } from '../../src/server/payments/watchers.ts'
import { testSecrets } from '../support/secrets.ts'

// A process that only watches, to be killed or measured. Prints its resident memory each second.
const log = {
  info() {},
  warn() {},
  error: (fields: object, message: string) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
}
const db = openDatabase({ url: process.env['DATABASE_URL'] ?? '' })
const watchers = new Watchers({
  db,
  secrets: testSecrets,
  chains: readChains(process.env),
  sourceOf: createSource,
  hintOutbox() {},
  log,
})
await watchers.start()
setInterval(() => process.stdout.write(`${process.memoryUsage().rss}\n`), 1_000)
