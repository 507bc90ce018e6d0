import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from './database-server.ts'

/** A connection that can be cut, frozen and restored; opens after `delayMs`. */
export async function openLine(databaseUrl: string, delayMs = 0) {
  const { hostname, port, searchParams } = new URL(databaseUrl)
  // The embedded database listens on a socket, the external one on an address.
  const folder = searchParams.get('host')
  const openFar = () =>
    folder
      ? connect(`${folder}/.s.PGSQL.${searchParams.get('port') ?? (port || '5432')}`)
      : connect(Number(port || 5432), hostname)
  const sockets = new Set<Socket>()
  let isCut = false
  let isFrozen = false
  const line = createServer(async (near) => {
    if (isCut) return near.destroy()
    sockets.add(near)
    near.on('close', () => sockets.delete(near))
    // Like a hung machine: accepts the connection, but never answers.
    if (isFrozen) return
    if (delayMs > 0) await delay(delayMs)
    const far = openFar()
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  const nearPort = await freePort()
  await new Promise<void>((resolve) => line.listen(nearPort, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.searchParams.delete('host')
  url.searchParams.delete('port')
  url.host = `127.0.0.1:${nearPort}`
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    cut,
    freeze: () => {
      isFrozen = true
      for (const socket of sockets) {
        socket.unpipe()
        socket.pause()
      }
    },
    join: () => {
      isCut = false
      isFrozen = false
    },
    close: () => {
      cut()
      line.close()
    },
  }
}
