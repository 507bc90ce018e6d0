import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
// @ts-expect-error: plain JavaScript, which runs before there is anything else.
import { SERVER_FLAGS, SERVER_MEMORY } from '../scripts/server-flags.mjs'

// What is handed out for running the product is read by the programs that it is written for.

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
  for (const path of ['usr/bin/node', 'usr/bin/find', 'bin/sh', 'etc/presale/presale.env']) {
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

test('the container starts the server with the flags of `npm start`, and has what lies beside it', () => {
  const text = readFileSync(join(deploy, 'container/Containerfile'), 'utf8')
  expect(text).toContain(
    `ENTRYPOINT ${JSON.stringify(['node', ...SERVER_FLAGS, 'dist/server/main.js']).replaceAll(',', ', ')}`,
  )
  for (const setting of memorySettings) expect(text).toContain(setting)
  const copied = [...text.matchAll(/^COPY --from=build \/presale\/(\S+)/gm)].map(([, path]) => path)
  expect(copied).toEqual(
    expect.arrayContaining([
      'package.json',
      'node_modules',
      'contracts/artifacts',
      'functions',
      'migrations',
      'src',
      'dist',
    ]),
  )
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
