import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
// @ts-expect-error: plain JavaScript, which runs before there is anything else.
import { SERVER_FLAGS, SERVER_MEMORY } from '../scripts/server-flags.mjs'

// The programs that operators run must accept the shipped configuration.

const memorySettings = Object.entries(SERVER_MEMORY).map(([name, value]) => `${name}=${value}`)
const deploy = fileURLToPath(new URL('../deploy/', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'presale-deploy-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

function run(program: string, args: string[], cwd = scratch) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (error) throw error
  return { status, said: `${stdout}${stderr}`.trim() }
}

describe('units of systemd', () => {
  const root = join(scratch, 'machine')
  const place = join(root, 'etc/systemd/system')
  cpSync(join(deploy, 'systemd'), place, { recursive: true })
  // The units of Debian that ours name.
  cpSync('/lib/systemd/system', join(root, 'usr/lib/systemd/system'), { recursive: true })
  const programs = [
    'opt/presale/node/bin/node',
    'usr/bin/find',
    'bin/sh',
    'bin/kill',
    'usr/bin/patroni',
    'usr/bin/etcd',
  ]
  for (const path of [...programs, 'etc/presale/presale.env']) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), '', { mode: 0o755 })
  }
  const files = readdirSync(place).filter((name) => /\.(service|timer)$/.test(name))
  const services = files.filter((name) => name.endsWith('.service'))
  const started = (name: string) => name.replace('@.', '@3000.')
  const verify = (name: string) => run('systemd-analyze', [`--root=${root}`, 'verify', name], place)
  /** Tenths of systemd's points of exposure, of which a unit without a word about it has 92 to 96. */
  const exposureMax = '15'
  const expose = (name: string) =>
    run('systemd-analyze', [
      `--root=${root}`,
      'security',
      '--offline=true',
      '--no-pager',
      `--threshold=${exposureMax}`,
      name,
    ])

  test('systemd reads them without a remark', () => {
    expect(services.length).toBeGreaterThan(5)
    for (const name of files) expect(verify(started(name)), name).toEqual({ status: 0, said: '' })
    writeFileSync(join(place, 'wrong.service'), '[Service]\nExecStart=/bin/sh\nProtectSystm=strict\n')
    expect(verify('wrong.service').said).toContain('ProtectSystm')
  })

  test('what Debian’s units of a cluster are given besides is read without a remark, and starts them again', () => {
    const given = readdirSync(place).filter(
      (name) => name.endsWith('.service.d') && !name.startsWith('presale'),
    )
    expect(given.toSorted()).toEqual(['etcd.service.d', 'patroni.service.d'])
    for (const folder of given) {
      const name = folder.replace('.d', '')
      expect(verify(name), name).toEqual({ status: 0, said: '' })
      const text = readFileSync(join(place, folder, 'presale.conf'), 'utf8')
      expect(text).toContain('Restart=always\nRestartSec=100ms\n')
    }
  })

  test('systemd holds each service for hardly exposed', () => {
    for (const name of services) {
      const { status, said } = expose(started(name))
      expect(status, said).toBe(0)
    }
    writeFileSync(join(place, 'open.service'), '[Service]\nExecStart=/bin/sh\n')
    expect(expose('open.service').status).not.toBe(0)
  })

  test('the server runs with the flags of `npm start`', () => {
    for (const name of services) {
      const text = readFileSync(join(place, name), 'utf8')
      if (text.includes('main.js'))
        expect(text).toContain(`node ${SERVER_FLAGS.join(' ')} dist/server/main.js`)
    }
    const common = readFileSync(join(place, 'presale-.service.d/common.conf'), 'utf8')
    for (const setting of memorySettings) expect(common).toContain(setting)
  })
})

describe('the installer', () => {
  test('shellcheck has no remark about it and the command that it installs', () => {
    const scripts = ['install.sh', 'release/common.sh', 'release/presale.sh'].map((name) =>
      join(deploy, name),
    )
    expect(run('shellcheck', ['--external-sources', ...scripts])).toEqual({ status: 0, said: '' })
  })

  test('it names the systems that it knows, and goes on where one of them is said to be', () => {
    // As a release lies there, of a version that upgrades nothing; the domain is none, so that it ends before it changes anything.
    const place = join(scratch, 'release')
    cpSync(deploy, join(place, 'deploy'), { recursive: true })
    writeFileSync(join(place, 'package.json'), '{\n  "version": "0.0.0",\n  "cpu": ["x64", "arm64"]\n}\n')
    writeFileSync(join(place, 'presale.mjs'), '')
    const on = (id: string, version: string) => {
      const osRelease = join(scratch, `os-release-${id}`)
      writeFileSync(osRelease, `ID=${id}\nVERSION_ID="${version}"\n`)
      const line = `OS_RELEASE=${osRelease} sh ${join(place, 'deploy/install.sh')} --domain none`
      return run('sh', ['-c', line]).said
    }
    const ends =
      /^(Run this as root|systemd does not run here|--domain none is no name|Version .+ is installed)/
    expect(on('ubuntu', '24.04')).toMatch(ends)
    expect(on('debian', '13')).toMatch(ends)
    expect(on('debian', '11')).toBe(
      'This is debian 11; the installer knows Debian 12 and 13 and Ubuntu 24.04. docs/operating/deploying.md is the way by hand.',
    )
  })
})

test('the container starts the server with the flags of `npm start`, and has what lies beside it', () => {
  const text = readFileSync(join(deploy, 'container/Containerfile'), 'utf8')
  expect(text).toContain(
    `ENTRYPOINT ${JSON.stringify(['node', ...SERVER_FLAGS, 'dist/server/main.js']).replaceAll(',', ', ')}`,
  )
  for (const setting of memorySettings) expect(text).toContain(setting)
  const copied = [...text.matchAll(/^COPY (\S+)/gm)].map(([, path]) => path)
  expect(copied).toEqual(
    expect.arrayContaining([
      'package.json',
      'node_modules',
      'contracts',
      'functions',
      'locales',
      'migrations',
      'src',
      'dist',
    ]),
  )
})

describe('the guide to a cluster', () => {
  const guide = readFileSync(join(deploy, '../docs/operating/cluster.md'), 'utf8')
  const [, ofReal = ''] = guide.split('## Three real machines')
  const firstCells = (table: string) =>
    table.split('\n').flatMap((line) => /^\s*\| (?!---)([^|]+) \|/.exec(line)?.slice(1) ?? [])
  const tableAfter = (words: string) => /^\|(?:.+\n)+/m.exec(ofReal.split(words)[1] ?? '')?.[0] ?? ''
  const namesIn = (cells: string[]) =>
    cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
  const templates = readdirSync(join(deploy, 'cluster')).filter((name) => /\.(yml|cfg|conf)$/.test(name))
  const textOf = (name: string) => readFileSync(join(deploy, 'cluster', name), 'utf8')

  test('says what each name in double braces becomes, and nothing else', () => {
    const wanted = templates.flatMap((name) =>
      [...textOf(name).matchAll(/\{\{(\w+)\}\}/g)].map(([, each]) => each),
    )
    const said = namesIn(firstCells(tableAfter('What is filled in:')))
    expect(templates).toHaveLength(4)
    expect(said.toSorted()).toEqual([...new Set(wanted)].toSorted())
  })

  test('names no setting that the templates lack', () => {
    const settings = namesIn(firstCells(guide.slice(guide.indexOf('| Setting | What it costs |'))))
    const all = templates.map(textOf).join('\n')
    expect(settings.length).toBeGreaterThan(7)
    const words = [...settings.filter((name) => name !== 'Setting'), 'hot_standby_feedback', 'safety_margin']
    for (const name of words)
      for (const word of name.split(': ').slice(0, 1)) expect(all).toContain(`${word}:`)
  })

  test('names no unit that is not there', () => {
    const started = [...ofReal.matchAll(/systemctl enable --now ([\w@ -]+)`/g)].flatMap(([, names = '']) =>
      names.split(' '),
    )
    const own = started.filter((name) => name.startsWith('presale'))
    expect(own.length).toBeGreaterThan(1)
    const units = readdirSync(join(deploy, 'systemd'))
    for (const name of own) expect(units).toContain(`${name.replace(/@.*/, '@')}.service`)
  })

  test('visitors reach no way to the databases, and nobody on a machine is its superuser without a password', () => {
    const ways = [...textOf('haproxy.cfg').matchAll(/bind (\S+)/g)].map(([, where]) => where)
    expect(ways).toEqual([
      '{{siteAddress}}:{{sitePort}}',
      '{{databaseAddress}}:{{primaryPort}}',
      '{{databaseAddress}}:{{replicaPort}}',
    ])
    // initdb's rules precede Patroni's, and trust everybody unless configured.
    expect(textOf('patroni.yml')).toMatch(/initdb:(?:\n    .+)*\n    - auth: scram-sha-256\n/)
  })
})

describe('monitoring', () => {
  const promtool = (...args: string[]) => run('promtool', args, join(deploy, 'monitoring'))

  test('Prometheus takes its configuration and the rules', () => {
    const { status, said } = promtool('check', 'config', 'prometheus.yml')
    expect(status, said).toBe(0)
    writeFileSync(join(scratch, 'wrong.yml'), 'groups: [{name: a, rules: [{alert: B, expr: "sum("}]}]')
    expect(promtool('check', 'rules', join(scratch, 'wrong.yml')).status).not.toBe(0)
  })

  test('each rule of the sale speaks when it has to, and not before', () => {
    const { status, said } = promtool('test', 'rules', 'alerts.test.yml')
    expect(status, said).toBe(0)
    const tested = readFileSync(join(deploy, 'monitoring/alerts.test.yml'), 'utf8')
    const [, ofSale = ''] = readFileSync(join(deploy, 'monitoring/alerts.yml'), 'utf8').split('presale-sale')
    const alerts = [...ofSale.matchAll(/alert: (\w+)/g)].map(([, name]) => name)
    for (const name of alerts) expect(tested).toContain(`alertname: ${name}\n        exp_alerts`)
  })
})
