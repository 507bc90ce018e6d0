import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { readSecretKeys } from './secrets/secret-keys.ts'
import { NoteSigner, newNoteKey } from './signed-note.ts'
import { StartError } from './start-error.ts'

const KEY = 'k'.repeat(32)
const WITNESS_KEY = new NoteSigner('example.org/witness', newNoteKey(), 'cosignature').vkey

function refusal(environment: Record<string, string>, args: string[] = []): string {
  try {
    readConfig(environment, args)
  } catch (error) {
    if (error instanceof StartError) return error.message
    throw error
  }
  return 'accepted'
}

test('an empty environment gives the defaults', () => {
  const config = readConfig({})
  expect(config.web).toEqual({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    trustProxyHops: 0,
    corsOrigins: [],
    metricsToken: null,
  })
  expect(config.database.kind).toBe('embedded')
  expect(config.operators).toEqual({ path: 'operator', first: { kind: 'link' } })
  expect(config.mail).toMatchObject({ kind: 'folder', from: 'no-reply@localhost' })
  expect(config.prices).toEqual({
    service: null,
    coinGecko: 'https://api.coingecko.com/api/v3',
    kraken: 'https://api.kraken.com',
    coinbase: 'https://api.coinbase.com',
    given: [],
    hosts: [],
  })
  expect(config.chains).toEqual([])
  expect(config).toMatchObject({
    hasLegacyApi: true,
    hasRateLimit: true,
    isDemo: true,
  })
  expect(config.parts).toEqual(['web', 'jobs', 'watchers'])
})

describe('the demo is on by default only where nobody can take it for a sale', () => {
  test.each([
    [{}, true],
    [{ HOST: 'localhost' }, true],
    [{ HOST: '::1' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ HOST: '127.0.0.1.example.org' }, false],
    [{ NODE_ENV: 'production' }, false],
    [{ DATABASE_URL: 'postgres://localhost/x' }, false],
    [{ DATABASE_URL: 'postgres://localhost/x', DEMO: 'on' }, true],
    [{ DEMO: 'off' }, false],
  ])('%j: %s', (environment, isDemo) => {
    expect(readConfig(environment as Record<string, string>).isDemo).toBe(isDemo)
  })
})

test('notices go to the push services of browsers in use, unless others are named', () => {
  expect(readConfig({}).pushHosts).toContain('fcm.googleapis.com')
  expect(readConfig({ PUSH_HOSTS: 'Push.example.org' }).pushHosts).toEqual(['push.example.org'])
})

test('production may be looked at on this machine without TLS', () => {
  for (const host of ['localhost:3000', '127.0.0.1', '[::1]:3000'])
    expect(refusal({ NODE_ENV: 'production', PUBLIC_URL: `http://${host}` })).toBe('accepted')
})

test.each([
  [{ SMTP_URL: 'smtp://mail.example.org' }, false],
  [{ SMTP_URL: 'smtp://mail.example.org', MAIL_TLS: 'opportunistic' }, true],
  [{ SMTP_URL: 'smtp://127.0.0.1:2525' }, true],
  [{ SMTP_URL: 'smtp://[::1]' }, true],
  [{ SMTP_URL: 'smtp://localhost.example.org' }, false],
])('mail by %j may go without TLS: %s', (environment, mayBePlain) => {
  const { mail } = readConfig({ ...environment, MAIL_FROM: 'a@example.org' } as Record<string, string>)
  expect(mail).toMatchObject({ kind: 'smtp', mayBePlain })
})

test('nodes, price services and databases are reached by TLS, unless they are near or named', () => {
  const node = { CHAIN_BITCOIN_ESPLORA_URL: 'http://node.example.org:8332' }
  const said = 'CHAIN_BITCOIN_ESPLORA_URL must be https, or PLAINTEXT_HOSTS must name node.example.org'
  expect(refusal(node)).toBe(said)
  expect(refusal({ ...node, PLAINTEXT_HOSTS: 'other.example.org, NODE.example.org' })).toBe('accepted')
  const far = 'postgres://me@db.example.org/sale'
  expect(refusal({ DATABASE_URL: far, PRICE_API_URL: 'http://8.8.8.8/api' }).split('\n')).toEqual([
    'DATABASE_URL must end in ?sslmode=verify-full, or PLAINTEXT_HOSTS must name db.example.org',
    'PRICE_API_URL must be https, or PLAINTEXT_HOSTS must name 8.8.8.8',
  ])
  expect(refusal({ DATABASE_URL: `${far}?sslmode=verify-full`, PRICE_API_URL: 'https://8.8.8.8/api' })).toBe(
    'accepted',
  )
  for (const host of [
    '127.0.0.1',
    '10.1.2.3',
    '172.20.0.5',
    '192.168.1.9',
    '[fd00::1]',
    '[::1]',
    'bitcoind',
    'node.lan',
  ])
    expect([host, refusal({ CHAIN_BITCOIN_ESPLORA_URL: `http://${host}:8332` })]).toEqual([host, 'accepted'])
})

describe('a wrong setting is one clear line', () => {
  test.each<[Record<string, string>, string]>([
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535'],
    [{ PORT: '3e3' }, 'PORT must be a whole number from 0 to 65535'],
    [{ PORT: '-1' }, 'PORT must be a whole number from 0 to 65535'],
    [{ NODE_ENV: 'prod' }, 'NODE_ENV must be production, development or test'],
    [{ PUBLIC_URL: 'presale.example.org' }, 'PUBLIC_URL must be an http or https URL'],
    [{ PUBLIC_URL: 'https://example.org/presale' }, 'PUBLIC_URL must have no path'],
    [{ DATABASE_URL: 'mysql://localhost' }, 'DATABASE_URL must be a postgres:// URL'],
    [{ OPERATOR_PATH: 'Back Office' }, 'OPERATOR_PATH must be lower-case letters, digits and hyphens'],
    [{ OPERATOR_PATH: 'dashboard' }, 'OPERATOR_PATH must not be dashboard: the site uses it'],
    [{ OPERATOR_LOGIN: 'owner' }, 'OPERATOR_LOGIN and OPERATOR_PASSWORD must be set together, or neither'],
    [
      { OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: 'eleven char' },
      'OPERATOR_PASSWORD must be at least 12 characters',
    ],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY must be at least 32 characters'],
    [
      { NODE_ENV: 'production', DATABASE_URL: 'postgres://localhost/x' },
      'SECRET_KEY must be set with DATABASE_URL in production: openssl rand -base64 32',
    ],
    [{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY must be a whole number from 0 to 20'],
    [
      { CORS_ORIGINS: 'https://a.example.org/path' },
      'CORS_ORIGINS must be origins such as https://shop.example.org, separated by commas',
    ],
    [{ LEGACY_API: 'yes' }, 'LEGACY_API must be on or off'],
    [{ SMTP_URL: 'smtp://localhost' }, 'MAIL_FROM must be set with SMTP_URL'],
    [
      { NODE_ENV: 'production', PUBLIC_URL: 'http://presale.example.org' },
      'PUBLIC_URL must be https in production',
    ],
    [
      { NODE_ENV: 'production', HOST: '0.0.0.0', DEMO: 'off' },
      'PUBLIC_URL must be set in production, to the https address that visitors use, unless HOST is loopback',
    ],
    [
      { PUSH_HOSTS: 'https://push.example.org' },
      'PUSH_HOSTS must be domains of push services such as push.services.mozilla.com, separated by commas',
    ],
    [
      { MIGRATE_DATABASE_URL: 'postgres://localhost/x' },
      'MIGRATE_DATABASE_URL must not be set without DATABASE_URL',
    ],
    [
      { READ_DATABASE_URL: 'postgres://localhost/x' },
      'READ_DATABASE_URL must not be set without DATABASE_URL',
    ],
    [
      { SMTP_URL: 'smtp://localhost', MAIL_FROM: 'a@example.org', MAIL_TLS: 'off' },
      'MAIL_TLS must be required or opportunistic',
    ],
    [{ NODE_ENV: 'production', RATE_LIMIT: 'off' }, 'RATE_LIMIT must not be off in production'],
    [{ DEMO: 'true' }, 'DEMO must be on or off'],
    [
      { WITNESS_FOR: 'example.org/journal' },
      'WITNESS_FOR must be verifier keys of logs, separated by commas',
    ],
    [
      { JOURNAL_WITNESSES: `${WITNESS_KEY} ftp://example.org` },
      'JOURNAL_WITNESSES must be verifier keys of witnesses, each with its http or https address behind a space, separated by commas',
    ],
    [
      { JOURNAL_WITNESSES: `${WITNESS_KEY} https://a.example, ${WITNESS_KEY} https://b.example` },
      'JOURNAL_WITNESSES must name each witness once: two have the same key or the same host',
    ],
    [
      {
        JOURNAL_WITNESSES: `${WITNESS_KEY} https://sale.example/witness`,
        PUBLIC_URL: 'https://sale.example',
      },
      'JOURNAL_WITNESSES must not name this site: only somebody else can say what it showed them',
    ],
    [{ PRICE_KRAKEN_URL: 'kraken' }, 'PRICE_KRAKEN_URL must be an http or https URL, or off'],
    [{ CHAIN_ETHEREUM_RPC_URL: 'node' }, 'CHAIN_ETHEREUM_RPC_URL must be an http or https URL'],
  ])('%j', (environment, line) => {
    expect(refusal(environment)).toBe(line)
  })

  test.each<Record<string, string>>([
    {},
    { DEMO: 'on', NODE_ENV: 'production' },
    { DEMO: 'on', HOST: '0.0.0.0' },
    { DEMO: 'on', DEMO_CHAIN_URL: 'https://node.example.org' },
  ])('a chain whose wallets sign for whoever opens a page, with %j', (environment) => {
    expect(refusal({ DEMO_CHAIN_URL: 'http://127.0.0.1:8545', ...environment })).toBe(
      'DEMO_CHAIN_URL must be unset but for a demo of which server and chain listen on loopback',
    )
    const litecoin = {
      ...environment,
      DEMO_LITECOIN_URL: environment['DEMO_CHAIN_URL'] ?? 'http://127.0.0.1:19443',
    }
    expect(refusal({ ...litecoin, DEMO_CHAIN_URL: '' })).toContain(
      'DEMO_LITECOIN_URL must be unset but for a demo of which server and chain listen on loopback',
    )
  })

  test('each of several is named', () => {
    expect(refusal({ PORT: 'x', DEMO: 'x' }).split('\n')).toHaveLength(2)
  })

  test('an option of the command line that does not exist', () => {
    expect(refusal({}, ['--only', 'mail'])).toMatch(/^Unknown option --only mail: use --only web/)
    expect(refusal({}, ['--fast'])).toMatch(/^Unknown option --fast/)
  })
})

test('a variable set to nothing is unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({
    web: { port: 3000 },
    database: { kind: 'embedded' },
  })
})

test('a price service is another one, or none', () => {
  expect(
    readConfig({
      PRICE_API_URL: 'https://prices.example.org/',
      PRICE_KRAKEN_URL: 'off',
      PRICE_COINBASE_URL: 'https://coins.example.org',
    }).prices,
  ).toEqual({
    service: 'https://prices.example.org',
    coinGecko: 'https://prices.example.org',
    kraken: null,
    coinbase: 'https://coins.example.org',
    given: ['coinGecko', 'kraken', 'coinbase'],
    hosts: [],
  })
  expect(readConfig({ PRICE_HOSTS: 'Prices:8080' }).prices).toMatchObject({
    kraken: 'https://api.kraken.com',
    given: [],
    hosts: ['prices:8080'],
  })
  expect(readConfig({ PRICE_API_URL: 'off' }).prices).toMatchObject({ service: null, coinGecko: null })
})

test('the legacy API is off where the environment says so', () => {
  expect(readConfig({}).hasLegacyApi).toBe(true)
  expect(readConfig({ LEGACY_API: 'off' }).hasLegacyApi).toBe(false)
})

test('chains are read with everything else', () => {
  const { chains } = readConfig({ CHAIN_LITECOIN_ESPLORA_URL: 'https://esplora.example.org' })
  expect(chains.map(({ network }) => network)).toEqual(['litecoin'])
})

test('--only picks one part', () => {
  expect(readConfig({}, ['--only', 'jobs']).parts).toEqual(['jobs'])
  expect(readConfig({}, ['--only=web']).parts).toEqual(['web'])
})

test('the key is made once, readable for its user alone, and a given one wins', () => {
  const folder = mkdtempSync(join(tmpdir(), 'presale-config-'))
  const config = readConfig({ DATA_DIR: folder })
  const [key = ''] = readSecretKeys(config)
  expect(key.length).toBeGreaterThanOrEqual(32)
  expect(readSecretKeys(config)).toEqual([key])
  expect(statSync(join(folder, 'secret-key')).mode & 0o077).toBe(0)
  expect(readSecretKeys(readConfig({ DATA_DIR: folder, SECRET_KEY: KEY }))).toEqual([KEY])
})

test('.env.example names every variable that is read, and no other', () => {
  const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
  const source = readFileSync(new URL('./config.ts', import.meta.url), 'utf8')
  const schema = source.slice(source.indexOf('z.object({'), source.indexOf('RESERVED_PATHS'))
  const read = [...schema.matchAll(/^ {2}([A-Z_]+):/gm)].map((match) => match[1])
  const listed = [...example.matchAll(/^#?([A-Z_]+)=/gm)].map((match) => match[1])
  expect(read.length).toBeGreaterThan(15)
  expect(listed.toSorted()).toEqual(read.toSorted())

  // Those of chains are read by the network's name.
  const chains = readFileSync(new URL('./chain-config.ts', import.meta.url), 'utf8')
  const ofChains = [...chains.matchAll(/^const (?:FACTS|ADDRESSES) = \[([^\]]*)\]/gm)].flatMap(([, names]) =>
    [...(names ?? '').matchAll(/'(\w+)'/g)].map(([, name]) => `CHAIN_<NAME>_${name}`),
  )
  const told = new Set(example.match(/CHAIN_<NAME>_\w+/g))
  expect(ofChains.length).toBeGreaterThan(5)
  expect([...told].toSorted()).toEqual(ofChains.toSorted())
})
