import { countByKey } from '../secrets/reseal.ts'
import { followSecretKeys } from '../secrets/secret-keys.ts'
import { Secrets } from '../secrets/secrets.ts'
import { runCommand } from './command.ts'
import { sayCounts } from './sealed-report.ts'

await runCommand('secrets check', async ({ config, connected }) => {
  const secrets = new Secrets({ keys: followSecretKeys(config) })
  return sayCounts(await countByKey({ db: connected.db, secrets })) ? 0 : 1
})
