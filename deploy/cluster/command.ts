// A cluster on this machine, to test the failure of its parts:
// npm run cluster -- start [--folder F] [--ttl 20] [--port 8460]
// npm run cluster -- status|stop
// npm run cluster -- kill|freeze|thaw|revive node1|primary|standbys|primary-postgres|etcd2|web1|jobs|…
// npm run cluster -- switchover
// npm run cluster -- backup | restore '2026-11-23 01:59:59+00' | go
import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Cluster } from './cluster.ts'
import { pidOf } from './supervisor.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: 'string', default: 'cluster-data' },
    ttl: { type: 'string' },
    port: { type: 'string' },
  },
})
const [command = 'status', name] = positionals
const folder = resolve(values.folder)
const cluster = await Cluster.in({
  folder,
  ttl: values.ttl ? Number(values.ttl) : undefined,
  port: values.port ? Number(values.port) : undefined,
  environment: { DEMO: 'on' },
})

const actions: Record<string, (target: string) => Promise<void>> = {
  kill: (target) => cluster.kill(target),
  freeze: (target) => cluster.freeze(target),
  thaw: (target) => cluster.thaw(target),
  revive: (target) => cluster.revive(target),
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

async function start(): Promise<void> {
  const log = openSync(join(folder, 'cluster.log'), 'a')
  const file = fileURLToPath(import.meta.url)
  const child = spawn(process.execPath, [file, 'supervise', '--folder', folder], {
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  })
  const isUp = await new Promise<boolean>((done) => {
    child.once('message', () => done(true))
    child.once('exit', () => done(false))
  })
  if (!isUp) throw new Error(`the cluster did not start: ${join(folder, 'cluster.log')}`)
  child.disconnect()
  child.unref()
  await status()
}

async function supervise(): Promise<void> {
  const end = async () => {
    await cluster.stop()
    process.exit(0)
  }
  process.on('SIGTERM', end)
  await cluster.noteSupervisor()
  await cluster.start()
  process.send?.('up')
}

async function stop(): Promise<void> {
  const pid = await pidOf(folder, 'supervisor')
  if (pid === undefined) return say('nothing runs')
  process.kill(pid, 'SIGTERM')
  while ((await pidOf(folder, 'supervisor')) !== undefined) await delay(200)
}

async function status(): Promise<void> {
  const members = await cluster.members()
  for (const { name: member, role, state, timeline } of members)
    say(`${member}  ${role}  ${state}  timeline ${timeline ?? '?'}`)
  say(members.length > 0 ? `site: ${cluster.siteUrl}` : 'nothing answers')
}

if (command === 'start') await start()
else if (command === 'supervise') await supervise()
else if (command === 'stop') await stop()
else if (command === 'status') await status()
else if (command === 'switchover') await cluster.switchover()
else if (command === 'backup') await cluster.backUp()
else if (command === 'restore' && name) await cluster.restoreTo(name)
else if (command === 'go') await cluster.go()
else if (actions[command] && name)
  for (const target of await cluster.resolve(name)) {
    await actions[command](target)
    // Say the resolved name: the primary may change, and `thaw` needs the frozen node's own name.
    say(`${command} ${target}`)
  }
else {
  say(
    `Unknown: ${positionals.join(' ')}. One of start, status, stop, switchover, backup, restore TIME, go, ${Object.keys(actions).join(' NAME, ')} NAME`,
  )
  process.exit(1)
}
