// A process that holds many order pages open: one event stream each, on plain sockets.
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { tokenOf } from './fill.ts'

const port = Number(process.argv[2])
const pages = Number(process.argv[3])
const sockets: Socket[] = []
let waiting = 0
let lastAt = 0
let isReached: boolean[] = []

/** A private address for each page. */
const networkOf = (page: number): string => `10.0.${page >> 8}.${page & 255}`

async function open(): Promise<void> {
  let opened = 0
  for (let page = 1; page <= pages; page += 1) {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    let isOpen = false
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      if (!isOpen && text.includes('retry:')) {
        isOpen = true
        opened += 1
        return
      }
      if (!text.includes('event: campaign') || isReached[page] !== false) return
      isReached[page] = true
      lastAt = Date.now()
      waiting -= 1
      if (waiting === 0) process.send?.({ reached: pages, lastAt })
    })
    socket.on('error', () => process.exit(1))
    socket.write(
      `GET /api/v1/live?campaign=1 HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${tokenOf(page)}\r\nX-Forwarded-For: ${networkOf(page)}\r\n\r\n`,
    )
    if (page % 100 === 0) await delay(20)
  }
  while (opened < pages) await delay(20)
  process.send?.({ open: opened })
}

process.on('message', (message) => {
  if (message === 'open') void open()
  if (message === 'listen') {
    waiting = pages
    isReached = Array.from({ length: pages + 1 }, () => false)
    setTimeout(() => {
      if (waiting > 0) process.send?.({ reached: pages - waiting, lastAt })
    }, 10_000).unref()
  }
})
