import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { until } from './until.ts'

/** A Debian in a folder, on this machine's network. */
export interface Machine {
  readonly root: string
  /** Runs a command as root. */
  run(...command: string[]): { status: number | null; output: string }
  /** `run`; a failure fails the test. */
  must(...command: string[]): string
  remove(): Promise<void>
}

const AUTHORITIES = '/usr/local/share/ca-certificates'
const WITH = 'systemd,systemd-sysv,dbus,ca-certificates'
const PATH = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * The machine is made by debootstrap and started by systemd-nspawn; inside, `site` resolves to this machine.
 */
export async function startMachine(root: string, suite: string, site: string): Promise<Machine> {
  execFileSync('debootstrap', ['--variant=minbase', `--include=${WITH}`, suite, root], { stdio: 'ignore' })
  // This machine's certificate authorities.
  if (existsSync(AUTHORITIES)) cpSync(AUTHORITIES, join(root, AUTHORITIES), { recursive: true })
  execFileSync('chroot', [root, 'update-ca-certificates'], { stdio: 'ignore' })
  writeFileSync(join(root, 'etc/hosts'), `127.0.0.1 localhost ${site}\n`)
  const options = ['--register=no', '--keep-unit', '--console=read-only', '--resolv-conf=copy-host']
  const container = spawn('systemd-nspawn', ['-D', root, '--boot', ...options], { stdio: 'ignore' })
  const leader = () =>
    readFileSync(`/proc/${container.pid}/task/${container.pid}/children`, 'utf8').trim().split(' ')[0] ?? ''
  const run = (...command: string[]) => {
    const inside = ['--target', leader(), '--mount', '--pid', '--ipc', '--uts']
    const args = [...inside, 'env', '-i', PATH, 'HOME=/root', 'TERM=dumb', ...command]
    const { status, stdout, stderr } = spawnSync('nsenter', args, { encoding: 'utf8' })
    return { status, output: `${stdout}${stderr}` }
  }
  const must = (...command: string[]) => {
    const { status, output } = run(...command)
    if (status !== 0) throw new Error(`${command.join(' ')} (${status}): ${output}`)
    return output
  }
  await until(() => leader() !== '' && /running|degraded/.test(run('systemctl', 'is-system-running').output))
  const remove = async () => {
    run('poweroff')
    await until(() => container.exitCode !== null || container.signalCode !== null)
    rmSync(root, { recursive: true, force: true })
  }
  return { root, run, must, remove }
}

/** Calls by https, with the proxy's own certificate. */
export function callSite(
  site: string,
  method: string,
  path: string,
  { body, token }: { body?: unknown; token?: string } = {},
): Promise<{ status: number; body: any }> {
  const headers = {
    host: site,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  }
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: any }>()
  const options = { host: '127.0.0.1', servername: site, path, method, headers, rejectUnauthorized: false }
  const call = request({ ...options, agent: false }, (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    response.on('error', reject)
    response.on('end', () => {
      const isJson = String(response.headers['content-type']).includes('json')
      resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(text) : text })
    })
  })
  call.on('error', reject)
  call.end(body === undefined ? undefined : JSON.stringify(body))
  return promise
}
