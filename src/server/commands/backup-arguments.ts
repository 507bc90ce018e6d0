import { readFile } from 'node:fs/promises'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { readSecretKeys } from '../secrets/secret-keys.ts'
import { StartError } from '../start-error.ts'
import type { Protection } from './protection.ts'

/** An unknown flag is a one-line error. */
export function readArguments<T extends ParseArgsOptionsConfig>(options: T) {
  try {
    return parseArgs({ args: process.argv.slice(2), allowPositionals: true, options })
  } catch (error) {
    throw new StartError((error as Error).message)
  }
}

/** Private keys from files by `age-keygen`: one per line, with comments. */
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

/** Authenticate this sale's files; include known earlier values of `SECRET_KEY`. */
export function protectionKeys(config: Config): Pick<Protection, 'secretKey' | 'otherKeys'> {
  const [secretKey = '', ...otherKeys] = readSecretKeys(config)
  return { secretKey, otherKeys }
}
