// node --max-semi-space-size=4 --heap-growing-percent=25 verify/testing/measure.ts [orders]: how long the verifier takes for a log of that many
// orders on loopback, and its memory, with the flags that `npm run verify` gives it.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleOf, LogWriter, leafHash, treeHash } from './log-writer.ts'
import { Sale } from './sale.ts'
import { NOTHING_ELSE } from './served.ts'

const WIDTH = 256
const orders = Number(process.argv[2] ?? 1_000_000)

/** Every file of the log, made once: a naive tree is too slow to be asked for each. */
function filesOf(log: LogWriter): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  const add = (level: string, items: readonly Buffer[], fileOf: (items: readonly Buffer[]) => Buffer) => {
    for (let index = 0; index * WIDTH < items.length; index++) {
      const part = items.slice(index * WIDTH, (index + 1) * WIDTH)
      const place = String(index).padStart(Math.ceil(String(index).length / 3) * 3, '0')
      const path = place.replaceAll(/(\d{3})(?=\d)/g, 'x$1/')
      files.set(`tile/${level}/${path}${part.length < WIDTH ? `.p/${part.length}` : ''}`, fileOf(part))
    }
  }
  add('entries', log.entries, bundleOf)
  let level = 0
  for (let hashes = log.entries.map(leafHash); hashes.length > 0; level++) {
    add(String(level), hashes, (part) => Buffer.concat(part))
    const full = Math.floor(hashes.length / WIDTH)
    hashes = Array.from({ length: full }, (_, at) => treeHash(hashes, at * WIDTH, (at + 1) * WIDTH))
  }
  files.set('checkpoint', Buffer.from(log.checkpoint()))
  files.set('vkey', Buffer.from(`${log.key.vkey}\n`))
  return files
}

// A sale of a hundred days.
const sale = new Sale(new LogWriter(), Math.floor((100 * 86_400_000) / orders))
for (let index = 1; index < orders; index++) {
  sale.approve(`order ${index}`, BigInt(index), {
    way: index % 3 === 0 ? 'operator' : 'chain',
    stage: 1 + (index % 2),
  })
}
const campaign = JSON.stringify(sale.campaign())
const nothingElse = JSON.stringify(NOTHING_ELSE)
const files = filesOf(sale.log)
const bytes = sale.log.entries.reduce((all, entry) => all + entry.length, 0)
console.log(`${orders} orders, ${sale.log.entries.length} entries, ${Math.round(bytes / 1e6)} MB`)

const server = createServer(({ url = '' }, response) => {
  const body =
    url === '/api/v1/campaign'
      ? campaign
      : url.startsWith('/api/')
        ? nothingElse
        : files.get(url.replace('/journal/', ''))
  response.writeHead(body === undefined ? 404 : 200).end(body)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const verifier = fileURLToPath(new URL('../verify.ts', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'measure-'))
const started = Date.now()
/** Says at its end what it needed. Not `maxRSS`, which begins with what this process had when it made the other one. */
const atEnd = `import { readFileSync } from 'node:fs'
process.on('exit', () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  const [, most] = /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))
  console.error(\`at most \${Math.round(most / 1024)} MiB, \${(userCPUTime + systemCPUTime) / 1e6} s of processor\`)
})`
const child = spawn(
  process.execPath,
  [
    ...process.execArgv,
    '--import',
    `data:text/javascript,${encodeURIComponent(atEnd)}`,
    verifier,
    url,
    '--state',
    join(folder, 'state'),
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
let output = ''
child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
const code = await new Promise((resolve) => child.on('close', resolve))
console.log(output.slice(-120))
console.log(`ended with ${code} after ${((Date.now() - started) / 1000).toFixed(1)} s`)
server.close()
await rm(folder, { recursive: true })
