import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

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
    try {
      return JSON.parse(await readFile(this.#path, 'utf8')) as PublishedHead
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  }

  /** Whole or not at all, and on the disk when it returns. */
  async write(head: PublishedHead): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true })
    const next = `${this.#path}.next`
    await writeFile(next, `${JSON.stringify(head)}\n`, { flush: true })
    await rename(next, this.#path)
  }
}
