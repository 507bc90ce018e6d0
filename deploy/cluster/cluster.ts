import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { Machines } from './machines.ts'
import { archiveParameters, PointInTime } from './point-in-time.ts'
import { hold, pidOf, postgresPids, release, type Spec, Supervisor, signalAll } from './supervisor.ts'
import { fill, installedPatroni, postgresPrograms } from './templates.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
export const NODES = [1, 2, 3] as const
export type NodeNumber = (typeof NODES)[number]
const WEBS = [1, 2] as const
const POSTGRES_USER = 'postgres'
/** A slow machine stands up in minutes instead of seconds. */
const STAND_UP_MS = 300_000

export interface ClusterOptions {
  readonly folder: string
  /** The first of ten ports. */
  readonly port?: number
  /** Seconds after which a machine counts as lost. */
  readonly ttl?: number
  readonly machines?: boolean
  readonly environment?: Readonly<Record<string, string>>
}

/** Created once for a folder, so that all commands share them. */
interface Made {
  readonly port: number
  readonly ttl: number
  readonly machines: boolean
  readonly superuserPassword: string
  readonly replicationPassword: string
  readonly rewindPassword: string
  readonly ownerPassword: string
  readonly serverPassword: string
  readonly repositoryKey: string
  readonly secretKey: string
  readonly environment: Readonly<Record<string, string>>
}

interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
  readonly timeline?: number
}

/**
 * A cluster on loopback: three nodes (etcd, Patroni, PostgreSQL), two web processes, jobs and watchers, and
 * HAProxy in front. The templates beside this file also configure real machines.
 */
export class Cluster {
  readonly folder: string
  readonly #made: Made
  readonly #supervisor: Supervisor
  readonly #machines: Machines | undefined

  private constructor(folder: string, made: Made) {
    this.folder = folder
    this.#made = made
    this.#supervisor = new Supervisor(folder)
    this.#machines = made.machines ? new Machines(folder, made.port) : undefined
  }

  /** Starts nothing. */
  static async in(options: ClusterOptions): Promise<Cluster> {
    const { folder, port = 8460, ttl = 6, machines = false, environment = {} } = options
    const file = join(folder, 'cluster.json')
    await mkdir(folder, { recursive: true })
    // PostgreSQL's user must be able to enter the folder.
    await chmod(folder, 0o755)
    if (!existsSync(file)) {
      const secret = () => randomBytes(18).toString('base64url')
      const made: Made = {
        port,
        ttl,
        machines,
        superuserPassword: secret(),
        replicationPassword: secret(),
        rewindPassword: secret(),
        ownerPassword: secret(),
        serverPassword: secret(),
        repositoryKey: secret(),
        secretKey: randomBytes(32).toString('base64'),
        environment,
      }
      await writeFile(file, JSON.stringify(made), { mode: 0o600 })
    }
    return new Cluster(folder, JSON.parse(await readFile(file, 'utf8')) as Made)
  }

  get ttl(): number {
    return this.#made.ttl
  }

  /** The address for visitors. */
  get siteUrl(): string {
    return `http://127.0.0.11:${this.#made.port + 5}`
  }

  webUrl(web: number): string {
    return `http://127.0.0.1:${this.#made.port + 7 + web}`
  }

  /** All hosts in one address. */
  databaseUrl(role: 'owner' | 'server'): string {
    const password = role === 'owner' ? this.#made.ownerPassword : this.#made.serverPassword
    const hosts = NODES.map((node) => `${this.#addressOf(node)}:${this.#made.port + 2}`).join()
    return `postgres://presale_${role}:${password}@${hosts}/presale`
  }

  /** A node's database, as the superuser. */
  nodeUrl(node: NodeNumber, database = 'presale'): string {
    return `postgres://postgres:${this.#made.superuserPassword}@${this.#addressOf(node)}:${this.#made.port + 2}/${database}`
  }

  /** Folders with the web processes' records of acknowledged requests. */
  async witnesses(): Promise<string[]> {
    const folders = WEBS.map((web) => join(this.folder, `web${web}`, 'witness'))
    const files = folders.map(async (folder) => (await readdir(folder)).map((name) => join(folder, name)))
    return (await Promise.all(files)).flat()
  }

  environment(): Record<string, string> {
    return {
      DATABASE_URL: this.databaseUrl('server'),
      MIGRATE_DATABASE_URL: this.databaseUrl('owner'),
      SECRET_KEY: this.#made.secretKey,
      DATA_DIR: join(this.folder, 'data'),
      PUBLIC_URL: this.siteUrl,
      ...this.#made.environment,
    }
  }

  /** Waits for a primary with two standbys and both web processes. */
  async start(): Promise<void> {
    await this.startDatabases()
    for (const web of WEBS)
      this.#startProgram(`web${web}`, 'web', { PORT: String(this.#made.port + 7 + web) })
    for (const [name, part] of this.#leaders()) this.#startProgram(name, part)
    const file = join(this.folder, 'haproxy.cfg')
    await writeFile(file, await this.#haproxy())
    this.#supervisor.start({ name: 'haproxy', command: '/usr/sbin/haproxy', args: ['-db', '-f', file] })
    await until('the web processes', STAND_UP_MS, async () => {
      const answers = await Promise.all(WEBS.map((web) => isOk(`${this.webUrl(web)}/readyz`)))
      return answers.every(Boolean) && (await isOk(`${this.siteUrl}/readyz`))
    })
  }

  async startDatabases(): Promise<void> {
    const patroni = installedPatroni()
    if (this.ttl < patroni.ttlMin)
      throw new Error(`Patroni ${patroni.version} takes no ttl below ${patroni.ttlMin} s`)
    await this.#machines?.begin(NODES)
    for (const node of NODES) await this.#writeNode(node, patroni.section)
    for (const node of NODES)
      this.#startOn(node, 'etcd', ['--config-file', join(this.#nodeFolder(node), 'etcd.yml')])
    for (const node of NODES) this.#startOn(node, 'patroni', [join(this.#nodeFolder(node), 'patroni.yml')])
    if (patroni.section === 'etcd') for (const node of NODES) this.#startWaking(node)
    await this.untilWhole()
    await this.#makeDatabase()
    await (await this.#pointInTime()).begin()
  }

  /** Backs up; the log is archived continuously. */
  async backUp(): Promise<void> {
    await (await this.#pointInTime()).backUp()
  }

  /**
   * Restores in PostgreSQL's format, on a new timeline. The programs stay stopped until `go`. Later changes
   * are gone; `ledger:check --witness` lists the acknowledged ones.
   */
  async restoreTo(time: string): Promise<void> {
    if (this.#machines) throw new Error('a cluster with machines of their own is not restored')
    const pointInTime = await this.#pointInTime()
    for (const name of PROGRAMS) await this.#end(name)
    // Standbys first, so that none is promoted; the last one archives the end of the log.
    const standbys = NODES.filter((node) => node !== pointInTime.node)
    for (const node of [...standbys, pointInTime.node]) await this.#end(`patroni${node}`)
    await pointInTime.restoreTo(time)
    for (const node of standbys)
      await rm(join(this.#nodeFolder(node), 'postgres'), { recursive: true, force: true })
    await release(this.folder, `patroni${pointInTime.node}`)
    await until('a primary', STAND_UP_MS, async () => (await this.primary()) !== undefined)
    for (const node of standbys) await release(this.folder, `patroni${node}`)
    await this.untilWhole()
  }

  /** Starts the programs after `restoreTo`. */
  async go(): Promise<void> {
    for (const name of PROGRAMS) await release(this.folder, name)
  }

  /** Notes this process for other commands. */
  async noteSupervisor(): Promise<void> {
    await mkdir(join(this.folder, 'run'), { recursive: true })
    await writeFile(join(this.folder, 'run', 'supervisor.pid'), String(process.pid))
  }

  async stop(): Promise<void> {
    await this.#supervisor.stop()
    // PostgreSQL outlives a killed Patroni.
    const left = (await Promise.all(NODES.map((node) => this.#postgres(node)))).flat()
    signalAll(left, 'SIGQUIT')
    if (!this.#machines) return
    await until('the end of PostgreSQL', STAND_UP_MS, async () =>
      left.every((pid) => !existsSync(`/proc/${pid}`)),
    )
    this.#machines.end(NODES)
  }

  /** Members by Patroni on any node that answers. */
  async members(): Promise<Member[]> {
    const looks = NODES.map(async (node) => {
      const response = await fetch(`${this.#patroniUrl(node)}/cluster`, {
        signal: AbortSignal.timeout(2_000),
      })
      return ((await response.json()) as { members: Member[] }).members
    })
    return Promise.any(looks).catch(() => [])
  }

  /** The node that accepts writes, by PostgreSQL's own answer. */
  async primary(): Promise<NodeNumber | undefined> {
    const answers = await Promise.all(NODES.map((node) => this.#isPrimary(node)))
    return NODES.find((_node, index) => answers[index])
  }

  /** Waits for a primary with two synchronous standbys, by PostgreSQL and Patroni. */
  async untilWhole(): Promise<void> {
    await until('a primary with two synchronous standbys', STAND_UP_MS, async () => {
      const primary = await this.primary()
      if (primary === undefined || (await this.#syncStandbys(primary)) !== 2) return false
      return (await this.members()).filter(({ role }) => role === 'sync_standby').length === 2
    })
  }

  /** A machine (`node1`) stays down until `revive`; a process is restarted. */
  async kill(name: string): Promise<void> {
    if (name.startsWith('node')) for (const part of partsOf(name)) await hold(this.folder, part)
    signalAll(await this.#pidsOf(name), 'SIGKILL')
  }

  /** Stops processes, like a virtual machine that is moved or starved. */
  async freeze(name: string): Promise<void> {
    signalAll(await this.#pidsOf(name), 'SIGSTOP')
  }

  async thaw(name: string): Promise<void> {
    signalAll(await this.#pidsOf(name), 'SIGCONT')
  }

  async revive(name: string): Promise<void> {
    for (const part of partsOf(name)) await release(this.folder, part)
  }

  /** Cuts a machine off in both directions, until `join`. */
  async cut(name: string): Promise<void> {
    this.#machine().cut(nodeOf(name))
  }

  async join(name: string): Promise<void> {
    this.#machine().join(nodeOf(name))
  }

  /** Fills the disk until `makeRoom`. */
  async fillDisk(name: string): Promise<void> {
    await this.#machine().fillDisk(nodeOf(name))
  }

  async makeRoom(name: string): Promise<void> {
    await this.#machine().makeRoom(nodeOf(name))
  }

  /** Steps the clock of a machine's Patroni and PostgreSQL. etcd asks the kernel and keeps the true time. */
  async stepClock(name: string, seconds: number): Promise<void> {
    await this.#machine().stepClock(nodeOf(name), seconds)
  }

  /** Starts a machine with an empty database folder. */
  async reviveEmpty(name: string): Promise<void> {
    const folder = this.#nodeFolder(nodeOf(name))
    await until(
      'the end of PostgreSQL',
      STAND_UP_MS,
      async () => (await this.#postgres(nodeOf(name))).length === 0,
    )
    // If its owner's process id was reused, a stale socket keeps PostgreSQL from starting.
    const sockets = (await readdir(folder)).filter((file) => file.startsWith('.s.PGSQL'))
    for (const file of ['postgres', ...sockets])
      await rm(join(folder, file), { recursive: true, force: true })
    await this.revive(name)
  }

  /**
   * Switches the primary for maintenance. Names no candidate, because Patroni would then make the other
   * standby, and orders, wait two seconds.
   */
  async switchover(): Promise<void> {
    const leader = (await this.members()).find(isLeader)
    if (!leader) throw new Error('there is nobody to switch over from')
    const node = Number(leader.name.slice(-1)) as NodeNumber
    const response = await fetch(`${this.#patroniUrl(node)}/switchover`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ leader: leader.name }),
    })
    const answer = await response.text()
    // Patroni only waits 20 s.
    if (answer.includes('status unknown'))
      await until('the new primary', STAND_UP_MS, async () => {
        const now = (await this.members()).find(isLeader)
        return now !== undefined && now.name !== leader.name
      })
    else if (!response.ok) throw new Error(`switchover: ${response.status} ${answer}`)
  }

  /** Members by a name such as `primary`, `standbys` or `etcd-leader`. */
  async resolve(name: string): Promise<string[]> {
    const [, what, part = ''] = /^(primary|standbys)(?:-(.+))?$/.exec(name) ?? []
    if (!what) return [name]
    const primary = await this.primary()
    const nodes = NODES.filter((node) => (node === primary) === (what === 'primary'))
    return nodes.map((node) => `${part || 'node'}${node}`)
  }

  /** Ends a process until it is released. */
  async #end(name: string): Promise<void> {
    await hold(this.folder, name)
    const pid = await pidOf(this.folder, name)
    if (pid === undefined) return
    signalAll([pid], 'SIGTERM')
    await until(`the end of ${name}`, STAND_UP_MS, async () => (await pidOf(this.folder, name)) === undefined)
  }

  async #pointInTime(): Promise<PointInTime> {
    const node = await this.primary()
    if (node === undefined) throw new Error('there is no primary')
    return new PointInTime({
      node,
      folder: this.#nodeFolder(node),
      address: this.#addressOf(node),
      port: this.#made.port + 2,
      repository: join(this.folder, 'repository'),
      user: POSTGRES_USER,
      password: this.#made.superuserPassword,
      binDir: postgresPrograms(),
    })
  }

  async #pidsOf(name: string): Promise<number[]> {
    const pids = await Promise.all(
      (name.startsWith('node') ? [...partsOf(name), name.replace('node', 'postgres')] : [name]).map(
        async (part) => {
          if (part.startsWith('postgres')) return this.#postgres(Number(part.slice(-1)) as NodeNumber)
          const pid = await pidOf(this.folder, part)
          return pid === undefined ? [] : [pid]
        },
      ),
    )
    return pids.flat()
  }

  #addressOf(node: NodeNumber): string {
    return this.#machines?.addressOf(node) ?? `127.0.0.${10 + node}`
  }

  #machine(): Machines {
    if (!this.#machines) throw new Error('the nodes of this cluster share network and disk')
    return this.#machines
  }

  #postgres(node: NodeNumber): Promise<number[]> {
    return postgresPids(join(this.#nodeFolder(node), 'postgres'))
  }

  #nodeFolder(node: NodeNumber): string {
    return join(this.folder, `node${node}`)
  }

  #patroniUrl(node: NodeNumber): string {
    return `http://${this.#addressOf(node)}:${this.#made.port + 3}`
  }

  #leaders(): [name: string, part: string][] {
    return ['jobs', 'watchers'].flatMap((part) => {
      const names = this.#machines ? [part, `${part}2`] : [part]
      return names.map((name): [string, string] => [name, part])
    })
  }

  #startOn(node: NodeNumber, program: string, args: readonly string[]): void {
    const network = this.#machines?.networkOf(node)
    const hasClock = program === 'patroni' && this.#machines
    const whole = [program, ...args]
    const [command = '', ...rest] = hasClock ? hasClock.withClock(node, whole) : whole
    this.#supervisor.start({
      name: `${program}${node}`,
      command,
      args: rest,
      user: POSTGRES_USER,
      network,
    })
  }

  #startWaking(node: NodeNumber): void {
    const others = NODES.filter((other) => other !== node)
    const etcd = [node, ...others].map((each) => `http://${this.#addressOf(each)}:${this.#made.port}`)
    this.#supervisor.start({
      name: `wake${node}`,
      command: process.execPath,
      args: [join(import.meta.dirname, 'wake.ts'), `node${node}`, this.#patroniUrl(node), ...etcd],
      network: this.#machines?.networkOf(node),
    })
  }

  #startProgram(name: string, part: string, environment: Record<string, string> = {}): void {
    const spec: Spec = {
      name,
      command: process.execPath,
      args: [join(ROOT, 'dist/server/main.js'), '--only', part],
      environment: { ...this.environment(), DATA_DIR: join(this.folder, name), ...environment },
    }
    this.#supervisor.start(spec)
  }

  async #writeNode(node: NodeNumber, etcdSection: string): Promise<void> {
    const folder = this.#nodeFolder(node)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { port, ttl } = this.#made
    const { machines: _machines, ...made } = this.#made
    const values = {
      ...made,
      name: `node${node}`,
      address: this.#addressOf(node),
      network: this.#machines?.network ?? '127.0.0.0/8',
      folder,
      etcdPort: port,
      etcdPeerPort: port + 1,
      postgresPort: port + 2,
      patroniPort: port + 3,
      etcdMembers: NODES.map((each) => `node${each}=http://${this.#addressOf(each)}:${port + 1}`).join(),
      etcdHosts: NODES.map((each) => `${this.#addressOf(each)}:${port}`).join(),
      etcdV2: String(etcdSection === 'etcd'),
      etcdSection,
      ttl,
      // loop_wait + 2 · retry_timeout must not exceed ttl.
      loopWait: 1,
      retryTimeout: ttl < 20 ? 2 : 5,
      walKeepSize: '256MB',
      sharedBuffers: '64MB',
      binDir: postgresPrograms(),
      archive: archiveParameters(folder),
      repository: join(this.folder, 'repository'),
      // A process on loopback must not reset this machine.
      watchdog: "'off'",
      environment: '',
    }
    await writeFile(join(folder, 'etcd.yml'), await fill('etcd.yml', values))
    await writeFile(join(folder, 'patroni.yml'), await fill('patroni.yml', values))
    await writeFile(join(folder, 'pgbackrest.conf'), await fill('pgbackrest.conf', values))
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', `${POSTGRES_USER}:`, folder])
  }

  #haproxy(): Promise<string> {
    const { port } = this.#made
    const servers = NODES.map(
      (node) => `  server node${node} ${this.#addressOf(node)}:${port + 2} check port ${port + 3}`,
    )
    const webs = WEBS.map((web) => `  server web${web} 127.0.0.1:${port + 7 + web} check`)
    return fill('haproxy.cfg', {
      siteAddress: '127.0.0.11',
      databaseAddress: '127.0.0.11',
      connectionsMax: 4000,
      sitePort: port + 5,
      primaryPort: port + 6,
      replicaPort: port + 7,
      webServers: webs.join('\n'),
      databaseServers: servers.join('\n'),
    })
  }

  async #isPrimary(node: NodeNumber): Promise<boolean> {
    const rows = await ask<{ standby: boolean }>(
      this.nodeUrl(node, 'postgres'),
      'select pg_is_in_recovery() as standby',
    )
    return rows[0]?.standby === false
  }

  async #syncStandbys(primary: NodeNumber): Promise<number> {
    const text = `select from pg_stat_replication where state = 'streaming' and sync_state = 'sync'`
    return (await ask(this.nodeUrl(primary, 'postgres'), text)).length
  }

  /** Makes roles and database by docs/operating/running.md. */
  async #makeDatabase(): Promise<void> {
    const primary = (await this.primary()) ?? 1
    const has = await ask(
      this.nodeUrl(primary, 'postgres'),
      `select from pg_database where datname = 'presale'`,
    )
    if (has.length > 0) return
    const { ownerPassword, serverPassword } = this.#made
    for (const text of [
      `create role presale_owner login password '${ownerPassword}'`,
      `create role presale_server login password '${serverPassword}'`,
      'create database presale owner presale_owner',
    ])
      await ask(this.nodeUrl(primary, 'postgres'), text, 30_000)
  }
}

const nodeOf = (name: string) => Number(name.slice(-1)) as NodeNumber
const PROGRAMS = ['web1', 'web2', 'jobs', 'watchers']
/** Patroni before 4 says `master`. */
const isLeader = ({ role }: Member) => role === 'leader' || role === 'master'

const partsOf = (name: string) => ['patroni', 'etcd', 'wake'].map((part) => name.replace('node', part))

/** Rows of the answer; empty if the server is unreachable. */
async function ask<Row>(url: string, text: string, ms = 1_500): Promise<Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: ms, query_timeout: ms })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(text)).rows as Row[]
  } catch {
    return []
  } finally {
    client.end().catch(() => undefined)
  }
}

async function isOk(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    (response) => response.ok,
    () => false,
  )
}

async function until(what: string, ms: number, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + ms
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`${what} did not come within ${ms / 1_000} s`)
    await delay(200)
  }
}
