import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Journal, TILE_WIDTH, type Witness } from '../journal/journal.ts'
import { refuse } from '../refusal.ts'
import { NOTE_BYTES_MAX } from '../signed-note.ts'
import { charged } from './costs.ts'
import type { Server } from './serve.ts'

/** `LEVEL/N` or `entries/N` of C2SP tlog-tiles: N in groups of three digits, then a partial tile's width. */
const TILE = /^(entries|0|[1-9]\d?)\/((?:x(?!000\/)\d{3}\/(?:x\d{3}\/){0,4})?\d{3})(?:\.p\/([1-9]\d{0,2}))?$/
const LEVEL_MAX = 63
/** A tile above level 0 needs as many reads. */
const READ = charged({ statements: 10 })

const sendText = async (reply: FastifyReply, text: string | undefined) =>
  reply
    .type('text/plain; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('access-control-allow-origin', '*')
    .send(text ?? refuse('not_found'))

/** Static files (`docs/journal.md`), readable by scripts of any site. */
export function mountJournal({ app }: Server, journal: Journal): void {
  app.get('/journal/checkpoint', READ, async (_request, reply) => sendText(reply, await journal.checkpoint()))
  app.get('/journal/vkey', READ, async (_request, reply) => {
    const vkey = await journal.vkey()
    return sendText(reply, vkey && `${vkey}\n`)
  })
  app.get<{ Params: { number: string } }>('/journal/rotation/:number', READ, async (request, reply) => {
    const number = /^[1-9]\d{0,8}$/.test(request.params.number) ? BigInt(request.params.number) : 0n
    return sendText(reply, await journal.rotation(number))
  })
  app.get<{ Params: { '*': string } }>('/journal/tile/*', READ, async (request, reply) => {
    const [, kind = '', path = '', partial] = TILE.exec(request.params['*']) ?? refuse('not_found')
    const number = BigInt(path.replaceAll(/[x/]/g, ''))
    const width = partial === undefined ? TILE_WIDTH : Number(partial)
    if (partial !== undefined && width >= TILE_WIDTH) refuse('not_found')
    if (kind !== 'entries' && Number(kind) > LEVEL_MAX) refuse('not_found')
    const bytes =
      kind === 'entries'
        ? await journal.bundle(number, width)
        : await journal.tile(Number(kind), number, width)
    return reply
      .type('application/octet-stream')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('access-control-allow-origin', '*')
      .send(bytes ?? refuse('not_found'))
  })
}

/**
 * C2SP tlog-witness. No login: the log's signature authenticates requests. The key exists before any log is
 * configured, so that two installations can name each other.
 */
export function mountWitness({ app }: Server, witness: Witness): void {
  app.get('/witness/vkey', READ, async (_request, reply) => sendText(reply, `${await witness.vkey()}\n`))
  app.get<{ Params: { hash: string } }>('/witness/:hash/checkpoint', READ, async (request, reply) =>
    sendText(reply, await witness.seen(request.params.hash)),
  )
  // Logs send the body with any content type or none.
  app.register(async (scope: FastifyInstance) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    // A row, a file and two signatures take as long as 40 statements.
    scope.post(
      '/witness/add-checkpoint',
      charged({ statements: 40, bodyBytes: NOTE_BYTES_MAX }),
      async (request, reply) => {
        const answer = await witness.addCheckpoint(typeof request.body === 'string' ? request.body : '')
        reply.code(answer.status).header('cache-control', 'no-store')
        if (answer.status === 409) return reply.type('text/x.tlog.size').send(`${answer.size}\n`)
        return reply.type('text/plain; charset=utf-8').send(answer.status === 200 ? answer.lines : '')
      },
    )
  })
}
