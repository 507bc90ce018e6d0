import { readFile } from 'node:fs/promises'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { readSecretKeys } from '../secrets/secret-keys.ts'
import { StartError } from '../start-error.ts'
import type { Protection } from './protection.ts'

/** The command line; a flag that the command does not know is one clear line. */
export function readArguments<T extends ParseArgsOptionsConfig>(options: T) {
  try {
    return parseArgs({ args: process.argv.slice(2), allowPositionals: true, options })
  } catch (error) {
    throw new StartError((error as Error).message)
  }
}

/** The private keys of files as `age-keygen` writes them: one a line, with comments between. */
export async function readIdentities(paths: readonly string[] = []): Promise<string[]> {
  const texts = await Promise.all(
    paths.map((path) =>
      readFile(path, 'utf8').catch((error: Error) => {
        throw new StartError(`${path} can't be read: ${error.message}`)
      }),
    ),
  )
  return texts
    .flatMap((text) => text.split('\n'))
    .map((line) => line.trim())
    .filter((line) => line.startsWith('AGE-SECRET-KEY-'))
}

/** What proves the files of this sale: those of an earlier `SECRET_KEY` too, for as long as it is known. */
export function protectionKeys(config: Config): Pick<Protection, 'secretKey' | 'otherKeys'> {
  const [secretKey = '', ...otherKeys] = readSecretKeys(config)
  return { secretKey, otherKeys }
}
