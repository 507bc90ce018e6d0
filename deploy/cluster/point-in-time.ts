import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

const STANZA = 'presale'

const configOf = (folder: string) => `--config=${join(folder, 'pgbackrest.conf')}`

/** Archives the log by segment, and at least once a minute. */
export function archiveParameters(folder: string): string {
  return `    archive_mode: 'on'
    archive_command: 'pgbackrest ${configOf(folder)} --stanza=${STANZA} archive-push %p'
    archive_timeout: 60s`
}

export interface Place {
  /** The node that is backed up, or restored first. */
  readonly node: 1 | 2 | 3
  readonly folder: string
  readonly address: string
  readonly port: number
  readonly repository: string
  readonly user: string
  readonly password: string
  readonly binDir: string
}

/**
 * Backups of one node by pgBackRest, and recovery to any second. docs/operating/point-in-time.md covers real
 * machines.
 */
export class PointInTime {
  readonly node: Place['node']
  readonly #place: Place

  constructor(place: Place) {
    this.node = place.node
    this.#place = place
  }

  /** A second call only verifies the repository. */
  async begin(): Promise<void> {
    const { repository, user } = this.#place
    await mkdir(repository, { recursive: true, mode: 0o700 })
    if (process.getuid?.() === 0) await runProgram('chown', [`${user}:`, repository], process.env)
    await this.#backrest('stanza-create')
  }

  async backUp(): Promise<void> {
    await this.#backrest('--type=full', 'backup')
  }

  /**
   * PostgreSQL replays the log, starts a new timeline and stops. All Patronis and PostgreSQLs must be
   * stopped. Deletes the cluster's state in etcd, so that Patroni starts with this node.
   */
  async restoreTo(time: string): Promise<void> {
    await this.#backrest('--delta', '--type=time', `--target=${time}`, '--target-action=promote', 'restore')
    const { folder, address, port, binDir } = this.#place
    const data = join(folder, 'postgres')
    // Another node may have been backed up.
    const settings = {
      listen_addresses: address,
      port,
      unix_socket_directories: folder,
      synchronous_standby_names: '',
      archive_command: `pgbackrest ${configOf(folder)} --stanza=${STANZA} archive-push %p`,
    }
    const options = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`)
    const log = join(folder, 'restore.log')
    const control = (...args: string[]) => this.#asUser(join(binDir, 'pg_ctl'), ['-D', data, '-w', ...args])
    await control('-t', '3600', '-l', log, '-o', options.join(' '), 'start')
    try {
      await this.#untilPromoted()
      // Reset the settings of this recovery.
      for (const name of ['restore_command', 'recovery_target_time', 'recovery_target_action'])
        await this.#ask(`alter system reset ${name}`)
    } finally {
      await control('-m', 'fast', 'stop')
    }
    await this.#forgetCluster()
  }

  async #untilPromoted(): Promise<void> {
    while ((await this.#ask('select pg_is_in_recovery()')) !== 'f')
      await new Promise((resolve) => setTimeout(resolve, 200))
  }

  /** Answers Patroni, which asks to guard a running cluster. */
  async #forgetCluster(): Promise<void> {
    const args = ['-c', join(this.#place.folder, 'patroni.yml'), 'remove', STANZA]
    await this.#asUser('patronictl', args, `${STANZA}\nYes I am aware\n`)
  }

  async #ask(statement: string): Promise<string> {
    const { folder, port, binDir } = this.#place
    const args = ['-h', folder, '-p', String(port), '-U', 'postgres', '-d', 'postgres', '-Atc', statement]
    return (await this.#asUser(join(binDir, 'psql'), args)).trim()
  }

  async #backrest(...args: string[]): Promise<void> {
    await this.#asUser('pgbackrest', [configOf(this.#place.folder), `--stanza=${STANZA}`, ...args])
  }

  #asUser(program: string, args: readonly string[], input = ''): Promise<string> {
    const { user, password, folder } = this.#place
    const isRoot = process.getuid?.() === 0
    const as = [`--reuid=${user}`, `--regid=${user}`, '--init-groups', '--', program]
    const environment = {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      PGPASSWORD: password,
      LANG: 'C.UTF-8',
    }
    return isRoot
      ? runProgram('setpriv', [...as, ...args], environment, input)
      : runProgram(program, args, environment, input)
  }
}

/** Throws the output on failure. */
async function runProgram(
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  input = '',
): Promise<string> {
  const child = spawn(program, args, { env: environment, cwd: '/', stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${said}`)
  return said
}
