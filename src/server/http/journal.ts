import type { FastifyReply } from 'fastify'
import { type Journal, TILE_WIDTH } from '../journal/journal.ts'
import { refuse } from '../refusal.ts'
import type { Server } from './serve.ts'

/** `LEVEL/N` or `entries/N`, N in groups of three digits, and a width where the tile is not full (C2SP tlog-tiles). */
const TILE = /^(entries|0|[1-9]\d?)\/((?:x(?!000\/)\d{3}\/(?:x\d{3}\/){0,4})?\d{3})(?:\.p\/([1-9]\d{0,2}))?$/
const LEVEL_MAX = 63

/** The public journal as static files, for anybody: `docs/journal.md` says what they hold. Any site's scripts may read them. */
export function mountJournal({ app }: Server, journal: Journal): void {
  const sendText = async (reply: FastifyReply, text: string | undefined) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('access-control-allow-origin', '*')
      .send(text ?? refuse('not_found'))

  app.get('/journal/checkpoint', async (_request, reply) => sendText(reply, await journal.checkpoint()))
  app.get('/journal/vkey', async (_request, reply) => {
    const vkey = await journal.vkey()
    return sendText(reply, vkey && `${vkey}\n`)
  })
  app.get<{ Params: { '*': string } }>('/journal/tile/*', async (request, reply) => {
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
