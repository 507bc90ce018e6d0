// Wakes this machine's Patroni when the primary's lease ends and when it is taken: node
// deploy/cluster/wake.ts NAME PATRONI_URL ETCD_URL… With `etcd:` and a `loop_wait` of 1 Patroni notices a
// lost primary up to a second late, and the new one up to another second late. With `etcd3:` it watches by
// itself. The first etcd address is this machine's own; the others are fallbacks.
import { setTimeout as delay } from 'node:timers/promises'

const LEASE = '/v2/keys/service/presale/leader'
const SWITCHOVER = '/v2/keys/service/presale/failover'
const ANSWER_MS = 2_000
/** A frozen primary causes no event until its lease ends. */
const WATCH_MS = 30_000
const AGAIN_MS = 100

interface Lease {
  readonly holder: string | undefined
  /** The index of the change; the next watch starts after it. */
  readonly index: number
}

interface Node {
  readonly value?: string
  readonly modifiedIndex: number
}

const [name = '', patroniUrl = '', ...members] = process.argv.slice(2)
const { PATRONI_RESTAPI_USERNAME: user, PATRONI_RESTAPI_PASSWORD: password } = process.env
let holder: string | undefined

for (;;) {
  for (const etcd of members) {
    await watch(etcd).catch((error: Error) => say(`${etcd}: ${error} ${error.cause ?? ''}`.trimEnd()))
    await delay(AGAIN_MS)
  }
}

/** Watches until `etcd` fails. */
async function watch(etcd: string): Promise<never> {
  for (let lease = await leaseNow(etcd); ; lease = await leaseAfter(etcd, lease.index)) {
    if (lease.holder === holder) continue
    holder = lease.holder
    if (holder === name || (holder === undefined && (await isForAnother(etcd)))) continue
    await wake()
  }
}

async function leaseNow(etcd: string): Promise<Lease> {
  const response = await fetch(etcd + LEASE, { signal: AbortSignal.timeout(ANSWER_MS) })
  const { node } = (await response.json()) as { node?: Node }
  return { holder: node?.value, index: Number(response.headers.get('x-etcd-index')) }
}

async function leaseAfter(etcd: string, index: number): Promise<Lease> {
  const asked = `${etcd}${LEASE}?wait=true&waitIndex=${index + 1}`
  const response = await fetch(asked, { signal: AbortSignal.timeout(WATCH_MS) })
  const { node } = (await response.json()) as { node?: Node }
  // Read it anew: etcd may have dropped the events since.
  return node ? { holder: node.value, index: node.modifiedIndex } : leaseNow(etcd)
}

/** True after a switchover with a named candidate: Patroni makes others wait two seconds. */
async function isForAnother(etcd: string): Promise<boolean> {
  const response = await fetch(etcd + SWITCHOVER, { signal: AbortSignal.timeout(ANSWER_MS) })
  const { node } = (await response.json()) as { node?: Node }
  const { member } = JSON.parse(node?.value ?? '{}') as { member?: string }
  return Boolean(member) && member !== name
}

/** Wakes Patroni: an empty change of settings makes it run its loop. */
async function wake(): Promise<void> {
  const basic = Buffer.from(`${user}:${password}`).toString('base64')
  const response = await fetch(`${patroniUrl}/config`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', ...(user && { authorization: `Basic ${basic}` }) },
    body: JSON.stringify({ wake: null }),
    signal: AbortSignal.timeout(ANSWER_MS),
  })
  say(`the primary is ${holder ?? 'nobody'}: Patroni was woken (${response.status})`)
}

function say(line: string): void {
  process.stdout.write(`${new Date().toISOString()} ${line}\n`)
}
