import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../support/database-server.ts'
import { makeDiskFolder } from '../support/folders.ts'
import { callSite, type Machine, startMachine } from '../support/machine.ts'
import { addToNext } from '../support/next-release.ts'
import { testKey } from '../support/secrets.ts'
import { until } from '../support/until.ts'

// deploy/install.sh and the command `presale` on an empty Debian with systemd, from a packed release. Caddy
// serves the site on this machine's ports 80 and 443 with its own certificates.

const root = fileURLToPath(new URL('../../', import.meta.url))
const SITE = 'sale.test'
/** Buyers of the filled sale, and the pause between two of their orders. */
const BUYERS = [40, 41, 42, 43, 44, 45, 46, 47]
const PAUSE_MS = 300
/** Where an installation writes. */
const PLACES = '/etc/presale /etc/caddy /etc/systemd/system /opt /usr/local/bin -not -path "*/node_modules/*"'
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const [major, minor, patch] = version.split('.').map(Number)
const next = `${major}.${minor}.${Number(patch) + 1}`
const afterNext = `${major}.${minor}.${Number(patch) + 2}`
const nextLine = `${major}.${Number(minor) + 1}.0`

const { privateKey: key } = generateKeyPairSync('ed25519')
let folder = ''
let release = ''
beforeAll(async () => {
  folder = await makeDiskFolder('install')
  const keyFile = join(folder, 'release.key')
  writeFileSync(keyFile, key.export({ type: 'pkcs8', format: 'pem' }))
  execFileSync(process.execPath, ['scripts/run.mjs', 'release'], {
    cwd: root,
    stdio: 'ignore',
    env: { ...process.env, RELEASE_KEY: keyFile },
  })
  release = readdirSync(join(root, 'release')).find((name) => name.endsWith('.tgz')) ?? ''
}, 10 * 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A later release as a file with checksums in the machine; `change` modifies it. */
function hand(machine: Machine, name: string, change: (folder: string) => void): string {
  const unpacked = join(folder, `release-${name}`)
  mkdirSync(unpacked)
  execFileSync('tar', ['xzf', join(root, 'release', release), '-C', unpacked])
  const manifest = join(unpacked, 'package/package.json')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(`"${version}"`, `"${name}"`))
  change(join(unpacked, 'package'))
  const place = join(machine.root, 'opt/handed', name)
  mkdirSync(place, { recursive: true })
  const file = join(place, `honest-presale-${name}.tgz`)
  execFileSync('tar', ['czf', file, '-C', unpacked, 'package'])
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex')
  const sums = `${sum}  ${basename(file)}\n`
  writeFileSync(join(place, 'SHA256SUMS'), sums)
  writeFileSync(join(place, 'SHA256SUMS.sig'), sign(null, Buffer.from(sums), key))
  rmSync(unpacked, { recursive: true })
  return `/opt/handed/${name}/${basename(file)}`
}

/** Orders without an end through the proxy; `made` are those that the server acknowledged, with their keys. */
function startBuying(tokens: string[]) {
  const made = new Set<string>()
  const failures: string[] = []
  let isOver = false
  const buy = async (token: string) => {
    while (!isOver) {
      const body = { currency: 'USDT', amount: '40', unit: 'token', acceptTerms: true, ageConfirmed: true }
      const answer = await callSite(SITE, 'POST', '/api/v1/orders', { body, token }).catch(() => undefined)
      if (answer?.status === 200) made.add(String(answer.body.number))
      else if (answer && ![502, 503].includes(answer.status)) failures.push(JSON.stringify(answer))
      await delay(PAUSE_MS)
    }
  }
  const all = Promise.all(tokens.map(buy))
  const more = async () => {
    const before = made.size
    await until(() => made.size > before + 3 || failures.length > 0)
    expect(failures).toEqual([])
  }
  const stop = async () => {
    isOver = true
    await all
  }
  return { made, failures, more, stop }
}

describe.each(['bookworm', 'trixie'])(
  'Debian %s',
  (suite) => {
    let machine: Machine
    const psql = (query: string) =>
      machine.must(
        'setpriv',
        '--reuid',
        'postgres',
        '--clear-groups',
        'psql',
        '-qAtd',
        'presale',
        '-c',
        query,
      )
    const running = () => JSON.parse(machine.must('cat', '/opt/presale/package.json')).version as string

    beforeAll(async () => {
      machine = await startMachine(join(folder, suite), suite, SITE)
    }, 15 * 60_000)
    afterAll(() => machine.remove(), 60_000)

    test('one command installs the release, and the same command again changes nothing', async () => {
      const unpacked = join(machine.root, 'opt/handed/first')
      mkdirSync(unpacked, { recursive: true })
      execFileSync('tar', ['xzf', join(root, 'release', release), '-C', unpacked])
      const install = '/opt/handed/first/package/deploy/install.sh'
      const options = ['--domain', SITE, '--email', 'you@example.org', '--tls', 'internal']
      const said = machine.must('sh', install, ...options, '--port', String(await freePort()))
      expect(said).toContain(`Version ${version} answers at https://${SITE}`)
      expect(said).toContain(`fine  Reached from outside: https://${SITE}/healthz`)
      expect(said).toMatch(
        new RegExp(`one-time link within 24 hours: https://${SITE}/operator#invitation=\\S+\n`),
      )
      expect((await callSite(SITE, 'GET', '/readyz')).body).toEqual({ status: 'ready' })
      const units = ['presale-all.service', 'presale-backup.timer', 'presale-ledger-check.timer']
      for (const unit of units) {
        expect(machine.must('systemctl', 'is-active', unit)).toBe('active\n')
        expect(machine.must('systemctl', 'is-enabled', unit)).toBe('enabled\n')
        expect(machine.must('systemd-analyze', 'verify', unit)).toBe('')
      }
      const state = () => machine.must('sh', '-c', `find ${PLACES} -printf "%p %s %T@\\n" | sort | sha256sum`)
      const before = state()
      expect(machine.must('sh', install)).toContain(`Version ${version} is installed already.`)
      expect(state()).toBe(before)
    })

    test('the timers’ services work, and a backup is proved and restored by the command', () => {
      for (const unit of ['presale-backup', 'presale-ledger-check']) machine.must('systemctl', 'start', unit)
      expect(machine.must('presale', 'backup', 'now.presale')).toContain('now.presale: ')
      expect(machine.must('presale', 'backup-drill', 'now.presale')).toContain(
        "The ledger's rules hold in it",
      )
      expect(machine.run('presale', 'restore', 'now.presale').output).toContain('A server uses this database')
      const owner = machine.must('stat', '-c', '%U %a', '/var/lib/presale-backups/now.presale')
      expect(owner).toBe('presale 600\n')
    })

    test('an upgrade and a roll back lose no acknowledged order', async () => {
      // The filled sale of the first release, with buyers who have passwords.
      cpSync(
        join(root, 'test/upgrade/0.1.0.backup'),
        join(machine.root, 'var/lib/presale-backups/filled.presale'),
      )
      machine.must('chown', 'presale:', '/var/lib/presale-backups/filled.presale')
      const sealKey = `s/^SECRET_KEY=.*/SECRET_KEY='${testKey}'/`
      // Limits are off only outside production.
      const limits = "s/^NODE_ENV=.*/NODE_ENV='development'\\nRATE_LIMIT='off'/"
      machine.must('sed', '-i', '-e', sealKey, '-e', limits, '/etc/presale/presale.env')
      machine.must('presale', 'stop')
      machine.must('presale', 'restore', 'filled.presale', '--replace')
      machine.must('presale', 'start')
      await until(async () => (await callSite(SITE, 'GET', '/readyz').catch(() => undefined))?.status === 200)
      const tokens = []
      for (const number of BUYERS) {
        const body = { email: `buyer-${number}@example.org`, password: 'gravel and violets', as: 'token' }
        tokens.push((await callSite(SITE, 'POST', '/api/v1/session', { body })).body.token)
      }
      const buying = startBuying(tokens)
      await buying.more()

      const nextFile = hand(machine, next, addToNext)
      expect(machine.must('presale', 'upgrade', nextFile)).toContain(`Version ${next} answers at`)
      expect(running()).toBe(next)
      await buying.more()
      expect(machine.must('presale', 'roll-back')).toContain(`Rolled back from ${next} to ${version}.`)
      expect(running()).toBe(version)
      await buying.more()
      expect(machine.run('presale', 'roll-back').output).toContain('There was no upgrade')
      machine.must('presale', 'upgrade', nextFile)
      await buying.more()

      // One that does not start is rolled back by itself.
      const broken = hand(machine, afterNext, (path) =>
        writeFileSync(join(path, 'dist/server/main.js'), 'throw new Error("broken")\n'),
      )
      const failed = machine.run('env', 'PRESALE_WAIT_SECONDS=20', 'presale', 'upgrade', broken)
      expect(failed.output).toContain(`Rolled back from ${afterNext} to ${next}.`)
      expect(failed.status).toBe(1)
      expect(running()).toBe(next)
      await buying.more()

      // A file that is not the one of the sums, or sums that another key signed, are not unpacked.
      appendFileSync(join(machine.root, broken), 'more')
      expect(machine.run('presale', 'upgrade', broken).output).toContain(
        'is not the file that SHA256SUMS names',
      )
      appendFileSync(join(dirname(join(machine.root, broken)), 'SHA256SUMS'), '\n')
      expect(machine.run('presale', 'upgrade', broken).output).toContain('is not signed by the maker')

      await buying.stop()
      const kept = new Set(psql('select id from orders').trim().split('\n'))
      expect([...buying.made].filter((number) => !kept.has(number))).toEqual([])
      expect(machine.must('presale', 'ledger-check')).toMatch(/All \d+ rules hold/)

      // Rolling back across a line is a restore, which first lists the losses.
      const rename = 'alter table next_notes rename column text to words'
      const line = hand(machine, nextLine, (path) => {
        addToNext(path)
        writeFileSync(join(path, 'migrations/9100_line.sql'), rename)
      })
      machine.must('presale', 'upgrade', line)
      const later = startBuying(tokens)
      await later.more()
      await later.stop()
      const refused = machine.run('presale', 'roll-back')
      expect(refused).toMatchObject({
        status: 1,
        output: expect.stringContaining('presale roll-back --restore'),
      })
      expect(Number(/^ {2}orders (\d+)$/m.exec(refused.output)?.[1])).toBe(later.made.size)
      expect(running()).toBe(nextLine)
      machine.must('presale', 'roll-back', '--restore')
      expect(running()).toBe(next)
      const restored = new Set(psql('select id from orders').trim().split('\n'))
      expect([...buying.made].filter((number) => !restored.has(number))).toEqual([])
      expect([...later.made].filter((number) => restored.has(number))).toEqual([])
      expect(machine.must('presale', 'ledger-check')).toMatch(/All \d+ rules hold/)
    })
  },
  20 * 60_000,
)
