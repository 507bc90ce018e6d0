import { join } from 'node:path'
import { readWhole, writeWhole } from './whole-file.ts'

// Rules: LOG-4
export interface PublishedHead {
  readonly origin: string
  readonly size: string
  readonly root: string
}

export const headFileOf = (dataDir: string) => new HeadFile(join(dataDir, 'journal-head.json'))

/**
 * A restored database goes back in time, the file does not; so a log that would sign another history is
 * noticed.
 */
export class HeadFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** Null if this machine published nothing. */
  async read(): Promise<PublishedHead | null> {
    const text = await readWhole(this.#path)
    return text === null ? null : (JSON.parse(text) as PublishedHead)
  }

  write(head: PublishedHead): Promise<void> {
    return writeWhole(this.#path, `${JSON.stringify(head)}\n`)
  }
}
