import { setTimeout as delay } from 'node:timers/promises'
import { commandLine } from '../command-line.ts'
import type { Config } from '../config.ts'
import { createContext } from '../context.ts'
import { createLog } from '../log.ts'
import { countByKey } from '../secrets/reseal.ts'
import { rotateSecrets } from '../secrets/rotate.ts'
import { KEYS_FRESH_MS, newSecretKey, readSecretKeys, writeKeyFile } from '../secrets/secret-keys.ts'
import { StartError } from '../start-error.ts'
import { readArguments } from './backup-arguments.ts'
import { complain, runCommand, say } from './command.ts'
import { sayCounts } from './sealed-report.ts'

const USAGE = `Usage: ${commandLine('secrets:rotate', '[--new-key | --forget-old]')}`

function keyFileOf({ secretKey }: Config): string {
  if (secretKey.kind === 'file') return secretKey.path
  throw new StartError(
    'SECRET_KEY comes from the environment: change it there (docs/operating/running.md), then run this without options',
  )
}

/** Every running server reads the file again before the new key seals anything. */
async function addNewKey(config: Config): Promise<void> {
  const path = keyFileOf(config)
  writeKeyFile(path, [newSecretKey(), ...readSecretKeys(config)])
  await delay(2 * KEYS_FRESH_MS)
  say(`${path} begins with a new key; the ones before stay in it and open what they sealed.`)
}

function forgetOldKeys(config: Config): void {
  const path = keyFileOf(config)
  writeKeyFile(path, readSecretKeys(config).slice(0, 1))
  say(
    `${path} has the present key alone. Backups that were made under an older one need that one: keep it with them.`,
  )
}

await runCommand('secrets rotate', async ({ config, connected }) => {
  const { positionals, values } = readArguments({
    'new-key': { type: 'boolean' },
    'forget-old': { type: 'boolean' },
  })
  if (positionals.length > 0 || (values['new-key'] && values['forget-old'])) throw new StartError(USAGE)
  if (values['new-key']) await addNewKey(config)
  if (values['forget-old']) keyFileOf(config)
  const context = await createContext(config, connected.db, createLog('silent'))
  try {
    const { sealed, unreadable } = await rotateSecrets(context)
    say(`${sealed} values were sealed under the present key.`)
    if (unreadable > 0)
      complain(`${unreadable} values can't be read: no known key opens them, or they are damaged.`)
    const isDone = sayCounts(await countByKey(context))
    if (isDone && values['forget-old']) forgetOldKeys(config)
    return isDone ? 0 : 1
  } finally {
    await context.close()
  }
})
