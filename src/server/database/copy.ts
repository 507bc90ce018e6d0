import type { Client } from 'pg'

/** The parts of the driver's connection that COPY needs; its types omit them. */
interface Connection {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
  stream: NodeJS.ReadWriteStream & { writableNeedDrain?: boolean }
}

/** The driver passes server messages to the current query, any object with these methods. */
abstract class CopyQuery {
  readonly done: Promise<void>
  protected readonly text: string
  #resolve!: () => void
  #reject!: (error: Error) => void
  #error: Error | undefined

  constructor(text: string) {
    this.text = text
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  submit(connection: Connection): void {
    connection.query(this.text)
  }

  fail(error: Error): void {
    this.#error ??= error
  }

  handleError(error: Error): void {
    this.#error ??= error
    this.handleReadyForQuery()
  }

  handleReadyForQuery(): void {
    if (this.#error) this.#reject(this.#error)
    else this.#resolve()
  }

  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  handleCopyInResponse(_connection: Connection): void {}
  handleCopyData(_message: { chunk: Buffer }, _connection: Connection): void {}
}

class CopyOut extends CopyQuery {
  readonly #write: (chunk: Buffer) => Promise<void> | undefined

  constructor(text: string, write: (chunk: Buffer) => Promise<void> | undefined) {
    super(text)
    this.#write = write
  }

  override handleCopyData({ chunk }: { chunk: Buffer }, connection: Connection): void {
    // Copies, because the driver reuses its buffer.
    const waiting = this.#write(Buffer.from(chunk))
    if (!waiting) return
    connection.stream.pause()
    waiting.then(
      () => connection.stream.resume(),
      (error: Error) => {
        this.fail(error)
        connection.stream.resume()
      },
    )
  }
}

class CopyIn extends CopyQuery {
  readonly #chunks: AsyncIterable<Buffer>

  constructor(text: string, chunks: AsyncIterable<Buffer>) {
    super(text)
    this.#chunks = chunks
  }

  override handleCopyInResponse(connection: Connection): void {
    void this.#send(connection)
  }

  async #send(connection: Connection): Promise<void> {
    try {
      for await (const chunk of this.#chunks) {
        connection.sendCopyFromChunk(chunk)
        if (connection.stream.writableNeedDrain) {
          await new Promise((resolve) => {
            connection.stream.once('drain', resolve)
          })
        }
      }
      connection.endCopyFrom()
    } catch (error) {
      this.fail(error as Error)
      connection.sendCopyFail((error as Error).message)
    }
  }
}

export function copyOut(
  client: Client,
  text: string,
  write: (chunk: Buffer) => Promise<void> | undefined,
): Promise<void> {
  return submit(client, new CopyOut(text, write))
}

export function copyIn(client: Client, text: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  return submit(client, new CopyIn(text, chunks))
}

function submit(client: Client, query: CopyQuery): Promise<void> {
  client.query(query as unknown as Parameters<Client['query']>[0])
  return query.done
}
