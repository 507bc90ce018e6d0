import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Unchecked } from './fault.ts'

/** The default state file: in the user's state folder, by host and port. */
export function stateFileOf(host: string, environment: NodeJS.ProcessEnv): string {
  const folder =
    environment['XDG_STATE_HOME'] || environment['LOCALAPPDATA'] || join(homedir(), '.local', 'state')
  return join(folder, 'journal-verifier', `${host.replaceAll(/[^\w.-]/g, '_')}.json`)
}

export async function readState(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Unchecked(`${path} can't be read`, { cause: error })
  }
}

/** Replaces the file atomically, so that an abort keeps the old one. */
export async function writeState(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    const temporary = `${path}.${randomUUID()}`
    await writeFile(temporary, text, { flush: true })
    await rename(temporary, path)
  } catch (error) {
    throw new Unchecked(`${path} can't be written`, { cause: error })
  }
}
