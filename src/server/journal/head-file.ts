import { join } from 'node:path'
import { readWhole, writeWhole } from './whole-file.ts'

// Rules: LOG-4
/** The newest checkpoint that left this machine. */
export interface PublishedHead {
  readonly origin: string
  readonly size: string
  /** In base64. */
  readonly root: string
}

/** The file in the server's folder. */
export const headFileOf = (dataDir: string) => new HeadFile(join(dataDir, 'journal-head.json'))

/**
 * What was published last, in a file beside the database and not in it: a database that is restored from a backup goes back in time, the
 * file does not, and a log that would then sign another history notices.
 */
export class HeadFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** Null where nothing was published from this machine. */
  async read(): Promise<PublishedHead | null> {
    const text = await readWhole(this.#path)
    return text === null ? null : (JSON.parse(text) as PublishedHead)
  }

  write(head: PublishedHead): Promise<void> {
    return writeWhole(this.#path, `${JSON.stringify(head)}\n`)
  }
}
