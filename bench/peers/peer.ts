import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import type { RunningServer } from '../machine.ts'

/** A program that takes orders, asked by its own programming interface as a page of a shop would ask it. */
export interface Peer {
  readonly name: string
  /** Requests from nothing chosen to an order that is placed. */
  readonly requests: number
  /** What every visitor's page asks for: the goods or the sale, and the currencies. */
  readonly reads: { readonly goods: Read; readonly currencies: Read }
  /** Starts its server on a database that was filled before. */
  start(): Promise<RunningServer>
  /** One purchase, by buyer number `serial`, who is another one each time. */
  buy(line: Line, serial: number): Promise<void>
  /** How many orders its database holds. */
  orders(): Promise<number>
}

export interface Read {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly headers: IncomingHttpHeaders
  readonly body: any
}

/** Connections to one server, kept open, as many as ask at once. */
export class Line {
  readonly #agent: Agent
  readonly #port: number

  constructor(port: number, connections: number) {
    this.#port = port
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
  }

  close(): void {
    this.#agent.destroy()
  }

  post(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const text = JSON.stringify(body)
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          agent: this.#agent,
          host: '127.0.0.1',
          port: this.#port,
          path,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(text),
            ...headers,
          },
        },
        (reply) => {
          const parts: Buffer[] = []
          reply.on('data', (part: Buffer) => parts.push(part))
          reply.on('error', reject)
          reply.on('end', () => {
            const said = Buffer.concat(parts).toString()
            if ((reply.statusCode ?? 500) >= 300)
              return reject(new Error(`${path} answered ${reply.statusCode}: ${said.slice(0, 300)}`))
            resolve({ headers: reply.headers, body: JSON.parse(said) })
          })
        },
      )
      sent.on('error', reject)
      sent.end(text)
    })
  }
}
