import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, open, rm, statfs, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

const DISK_BYTES = 3 * 1024 ** 3
const BLOCK_BYTES = 4_096

/** Gives each node a network namespace on a bridge, a disk and a clock. Needs root and Linux. */
export class Machines {
  readonly #folder: string
  readonly #port: number

  constructor(folder: string, port: number) {
    this.#folder = folder
    this.#port = port
  }

  get network(): string {
    return `10.213.${this.#port % 256}.0/24`
  }

  addressOf(node: number): string {
    return this.network.replace('0/24', String(10 + node))
  }

  /** Begins after removing those of an earlier run. */
  async begin(nodes: readonly number[]): Promise<void> {
    if (process.getuid?.() !== 0) throw new Error('networks and disks of their own need root')
    for (const node of nodes) this.#clear(node)
    this.end(nodes)
    run('cc', '-shared', '-fPIC', '-O2', '-o', this.#clocks, join(import.meta.dirname, 'clock.c'), '-ldl')
    ip('link', 'add', this.#bridge, 'type', 'bridge')
    ip('addr', 'add', this.network.replace('0/24', '1/24'), 'dev', this.#bridge)
    ip('link', 'set', this.#bridge, 'up')
    for (const node of nodes) {
      this.#plugIn(node)
      await this.#makeDisk(node)
      await writeFile(this.#clock(node), Buffer.alloc(8))
    }
  }

  end(nodes: readonly number[]): void {
    for (const node of nodes) {
      for (const device of this.#devices(node)) if (isMounted(device)) run('umount', device)
      // Deleting a cable's end deletes the other.
      if (hasLink(this.#cable(node))) ip('link', 'del', this.#cable(node))
      if (this.#hasNamespace(node)) ip('netns', 'del', this.#namespace(node))
    }
    if (hasLink(this.#bridge)) ip('link', 'del', this.#bridge)
  }

  /** The namespace's path for nsenter. */
  networkOf(node: number): string {
    return `/run/netns/${this.#namespace(node)}`
  }

  /** Unplugs the node: packages are lost silently. */
  cut(node: number): void {
    ip('link', 'set', this.#cable(node), 'nomaster')
  }

  join(node: number): void {
    ip('link', 'set', this.#cable(node), 'master', this.#bridge)
  }

  /** Uses up every block. */
  async fillDisk(node: number): Promise<void> {
    const file = this.#ballast(node)
    const { bavail, bsize } = await statfs(this.#nodeFolder(node))
    const [most, rest] = [
      Math.max(0, bavail * bsize - 1024 ** 2),
      `dd if=/dev/zero bs=${BLOCK_BYTES} status=none`,
    ]
    run('sh', '-c', `fallocate -l ${most} '${file}'; ${rest} >> '${file}' 2>/dev/null || true`)
  }

  async makeRoom(node: number): Promise<void> {
    await rm(this.#ballast(node), { force: true })
  }

  withClock(node: number, command: readonly string[]): string[] {
    return ['env', `LD_PRELOAD=${this.#clocks}`, `CLUSTER_CLOCK=${this.#clock(node)}`, ...command]
  }

  /** Moves the clock by `seconds` from the true time. */
  async stepClock(node: number, seconds: number): Promise<void> {
    // In place: running processes have mapped the file.
    const file = await open(this.#clock(node), 'r+')
    const ahead = Buffer.alloc(8)
    await file.read(ahead, 0, ahead.length, 0)
    ahead.writeBigInt64LE(ahead.readBigInt64LE() + BigInt(seconds))
    await file.write(ahead, 0, ahead.length, 0)
    await file.close()
  }

  /** Kills what a killed run left, such as PostgreSQL. Throws for an active run. */
  #clear(node: number): void {
    if (!this.#hasNamespace(node)) return
    const pids = textOf('ip', ['netns', 'pids', this.#namespace(node)])
      .split('\n')
      .filter(Boolean)
    const commands = pids.map((pid) => textOf('ps', ['-o', 'args=', '-p', pid]))
    if (commands.some((command) => command.includes('patroni')))
      throw new Error(`another cluster runs on port ${this.#port}`)
    for (const pid of pids) run('kill', '-9', pid)
    // The disk can't be released before.
    for (const pid of pids) run('sh', '-c', `while kill -0 ${pid} 2>/dev/null; do sleep 0.1; done`)
  }

  #hasNamespace(node: number): boolean {
    return existsSync(this.networkOf(node))
  }

  /** Loop devices of the node's disk in any folder. */
  #devices(node: number): string[] {
    const rows = textOf('losetup', ['-n', '-l', '-O', 'NAME,BACK-FILE']).split('\n')
    const image = basename(this.#image(node))
    return rows.filter((row) => row.includes(`/${image}`)).map((row) => row.split(' ')[0] ?? '')
  }

  #image(node: number): string {
    return join(this.#folder, `${this.#namespace(node)}.disk`)
  }

  get #clocks(): string {
    return join(this.#folder, 'clock.so')
  }

  #clock(node: number): string {
    return join(this.#folder, `${this.#namespace(node)}.clock`)
  }

  get #bridge(): string {
    return `presale${this.#port}`
  }

  #namespace(node: number): string {
    return `presale${this.#port}-${node}`
  }

  #cable(node: number): string {
    return `p${this.#port}n${node}`
  }

  #nodeFolder(node: number): string {
    return join(this.#folder, `node${node}`)
  }

  #ballast(node: number): string {
    return join(this.#nodeFolder(node), 'ballast')
  }

  #plugIn(node: number): void {
    const [namespace, cable] = [this.#namespace(node), this.#cable(node)]
    ip('netns', 'add', namespace)
    ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
    ip('-n', namespace, 'addr', 'add', `${this.addressOf(node)}/24`, 'dev', 'eth0')
    for (const device of ['lo', 'eth0']) ip('-n', namespace, 'link', 'set', device, 'up')
    ip('link', 'set', cable, 'master', this.#bridge, 'up')
  }

  async #makeDisk(node: number): Promise<void> {
    const [image, folder] = [this.#image(node), this.#nodeFolder(node)]
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if (!existsSync(image)) {
      await writeFile(image, '')
      await truncate(image, DISK_BYTES)
      // Full means full: no blocks reserved for root.
      run('mkfs.ext4', '-q', '-F', '-m', '0', image)
    }
    run('mount', '-o', 'loop,noatime', image, folder)
  }
}

const ip = (...args: string[]) => run('ip', ...args)
const hasLink = (name: string) => existsSync(`/sys/class/net/${name}`)
const isMounted = (device: string) =>
  textOf('findmnt', ['-n', '-l', '-o', 'SOURCE']).split('\n').includes(device)

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

function textOf(command: string, args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8' })
}
