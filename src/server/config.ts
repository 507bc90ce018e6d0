import { resolve } from 'node:path'
import { z } from 'zod'
import { type Beacon, quicknet } from '../shared/giveaway-beacon.ts'
import { publicLocales } from '../shared/languages.ts'
import { passwordMax, passwordMin } from '../shared/password-min.ts'
import { type ChainConfig, chainSettings, readChains } from './chain-config.ts'
import { plaintextFaults } from './outside/outside.ts'
import { type NoteKey, parseNoteKey } from './signed-note.ts'
import { StartError } from './start-error.ts'

export const PARTS = ['web', 'jobs', 'watchers'] as const
export type Part = (typeof PARTS)[number]

/** Read once; incomplete settings fail the start. */
export interface Config {
  isProduction: boolean
  dataDir: string
  web: {
    port: number
    host: string
    publicUrl: string
    trustProxyHops: number
    corsOrigins: string[]
    /** Without a token only this machine may read `/metrics`. */
    metricsToken: string | null
  }
  database:
    | { kind: 'embedded'; dataDir: string }
    | { kind: 'external'; url: string; ownerUrl: string; replicaUrl: string | undefined }
  operators: { path: string; first: { kind: 'link' } | { kind: 'password'; login: string; password: string } }
  /** In `DATA_DIR/secret-key` if the environment has none. `also`: older keys that only decrypt. */
  secretKey:
    | { kind: 'given'; value: string; also: readonly string[] }
    | { kind: 'file'; path: string; also: readonly string[] }
  mail:
    | { kind: 'folder'; folder: string; from: string }
    | { kind: 'smtp'; url: string; from: string; mayBePlain: boolean }
  prices: {
    service: string | null
    /** Base URLs; null disables a feed. */
    coinGecko: string | null
    kraken: string | null
    coinbase: string | null
    given: readonly ('coinGecko' | 'kraken' | 'coinbase')[]
    /** Own hosts (`host:port`) that pages may name as sources of rates. */
    hosts: readonly string[]
  }
  /** Source of a giveaway's random value. */
  beacon: Beacon & { readonly servers: readonly string[] }
  chains: readonly ChainConfig[]
  /** From the environment; `hosts`: own hosts (`host:port`) that pages may name as nodes. */
  nodes: { readonly settings: ReadonlyMap<string, string>; readonly hosts: readonly string[] }
  pushHosts: readonly string[]
  /** Serves `SHA256SUMS` and its signature of the newest release; null asks nobody. */
  releasesUrl: string | null
  journal: {
    /** Sign the transparency log's checkpoints. */
    witnesses: readonly { key: NoteKey; url: string }[]
    witnessFor: readonly NoteKey[]
  }
  hasLegacyApi: boolean
  hasRateLimit: boolean
  isDemo: boolean
  /** The chain's unlocked accounts act as wallets of the pages. */
  demoChainUrl: string | undefined
  /** A litecoind (regtest) whose wallet pays on pages. */
  demoLitecoinUrl: string | undefined
  /** All three unless `--only` names one. */
  parts: readonly Part[]
}

const onOff = z.enum(['on', 'off'], 'must be on or off')
const httpsUrl = z.url({ protocol: /^https$/, error: 'must be an https URL' })
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' })
const httpUrlOrOff = z
  .string()
  .refine((text) => text === 'off' || httpUrl.safeParse(text).success, 'must be an http or https URL, or off')
  .transform((text) => (text === 'off' ? null : text.replace(/\/$/, '')))
const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\/\S+$/, 'must be a postgres:// URL')
  .refine(
    (text) => !/[?&]target_session_attrs=(?!read-write(&|$)|primary(&|$))/.test(text),
    'must name no other target_session_attrs than read-write: of several hosts the one that takes writes is used',
  )
const smtpUrl = z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL' })

/** Comma-separated. */
const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )

/** `KEY ADDRESS` pairs; each key and host only once. */
const witnesses = list.transform((items, context) => {
  const parsed = items.map((item) => {
    const [text = '', url = '', ...rest] = item.split(/\s+/)
    const key = parseNoteKey(text, 'cosignature')
    return key && rest.length === 0 && httpUrl.safeParse(url).success
      ? { key, url: url.replace(/\/+$/, '') }
      : undefined
  })
  const known = parsed.filter((one) => one !== undefined)
  if (known.length < parsed.length) {
    context.addIssue(
      'must be verifier keys of witnesses, each with its http or https address behind a space, separated by commas',
    )
    return z.NEVER
  }
  const hosts = new Set(known.map(({ url }) => new URL(url).host))
  const keys = new Set(known.map(({ key }) => key.publicKey.toString('hex')))
  if (Math.min(hosts.size, keys.size) < known.length)
    context.addIssue('must name each witness once: two have the same key or the same host')
  return known
})

const logKeys = list.transform((items, context) => {
  const keys = items.map((item) => parseNoteKey(item, 'log'))
  if (keys.includes(undefined)) context.addIssue('must be verifier keys of logs, separated by commas')
  return keys.filter((key) => key !== undefined)
})

const PUSH_HOSTS = ['fcm.googleapis.com', 'push.services.mozilla.com', 'push.apple.com', 'notify.windows.com']

const hostsWithPorts = list
  .refine(
    (hosts) => hosts.every((host) => /^\S+:\d{1,5}$/.test(host)),
    'must be hosts with their ports such as 10.0.0.5:8545, separated by commas',
  )
  .transform((hosts) => hosts.map((host) => host.toLowerCase()))

function whole(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform((text) => Number.parseInt(text, 10))
    .refine((value) => value >= min && value <= max, error)
}

const BEACON_SERVERS = ['https://api.drand.sh', 'https://drand.cloudflare.com']

const environmentSchema = z.object({
  NODE_ENV: z
    .enum(['production', 'development', 'test'], 'must be production, development or test')
    .default('development'),
  PORT: whole(0, 65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: httpUrl
    .refine((text) => !URL.canParse(text) || new URL(text).pathname === '/', 'must have no path')
    .optional(),
  DATABASE_URL: postgresUrl.optional(),
  MIGRATE_DATABASE_URL: postgresUrl.optional(),
  READ_DATABASE_URL: postgresUrl.optional(),
  DATA_DIR: z.string().default('./data'),
  OPERATOR_PATH: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and hyphens')
    .default('operator'),
  OPERATOR_LOGIN: z
    .string()
    .trim()
    .min(2, 'must be at least 2 characters')
    .max(100, 'must be at most 100 characters')
    .optional(),
  OPERATOR_PASSWORD: z
    .string()
    .min(passwordMin, `must be at least ${passwordMin} characters`)
    .max(passwordMax, `must be at most ${passwordMax} characters`)
    .optional(),
  SECRET_KEY: z.string().min(32, 'must be at least 32 characters').optional(),
  SECRET_KEY_ALSO: z
    .string()
    .default('')
    .transform((text) => text.split(/\s+/).filter(Boolean))
    .refine((keys) => keys.every((key) => key.length >= 32), 'must be keys of at least 32 characters'),
  TRUST_PROXY: whole(0, 20).default(0),
  PLAINTEXT_HOSTS: list.transform((hosts) => hosts.map((host) => host.toLowerCase())),
  NODE_HOSTS: hostsWithPorts,
  PRICE_HOSTS: hostsWithPorts,
  RELEASES_URL: httpsUrl.transform((url) => url.replace(/\/$/, '')).optional(),
  PUSH_HOSTS: list
    .refine(
      (hosts) => hosts.every((host) => /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(host)),
      'must be domains of push services such as push.services.mozilla.com, separated by commas',
    )
    .transform((hosts) => (hosts.length > 0 ? hosts.map((host) => host.toLowerCase()) : PUSH_HOSTS)),
  CORS_ORIGINS: list.refine(
    (origins) => origins.every(isOrigin),
    'must be origins such as https://shop.example.org, separated by commas',
  ),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w.~+/=-]{32,200}$/, 'must be 32 to 200 letters, digits and . _ ~ + / = -')
    .optional(),
  LEGACY_API: onOff.default('on'),
  PRICE_API_URL: httpUrlOrOff.optional(),
  PRICE_KRAKEN_URL: httpUrlOrOff.optional(),
  PRICE_COINBASE_URL: httpUrlOrOff.optional(),
  BEACON_URLS: list
    .transform((urls) => (urls.length > 0 ? urls : BEACON_SERVERS).map((url) => url.replace(/\/$/, '')))
    .refine(
      (urls) => urls.every((url) => httpUrl.safeParse(url).success),
      'must be http or https URLs, separated by commas',
    ),
  SMTP_URL: smtpUrl.optional(),
  MAIL_TLS: z.enum(['required', 'opportunistic'], 'must be required or opportunistic').default('required'),
  MAIL_FROM: z.string().min(3).optional(),
  RATE_LIMIT: onOff.default('on'),
  DEMO: onOff.optional(),
  DEMO_CHAIN_URL: httpUrl.optional(),
  DEMO_LITECOIN_URL: httpUrl.optional(),
  JOURNAL_WITNESSES: witnesses,
  WITNESS_FOR: logKeys,
})

const COIN_GECKO = 'https://api.coingecko.com/api/v3'
const KRAKEN = 'https://api.kraken.com'
const COINBASE = 'https://api.coinbase.com'

/** First path segments of the product; OPERATOR_PATH cannot be one. */
const RESERVED_PATHS = new Set([
  'accessibility',
  'admin',
  'api',
  'app-icon',
  'assets',
  'confirm-delivery',
  'confirm-email',
  'crypto',
  'claim-refund',
  'dashboard',
  'forgot-password',
  'giveaway',
  'healthz',
  'journal',
  'landing',
  'login',
  'metrics',
  'offline',
  'privacy',
  'readyz',
  'register',
  'reset-password',
  'risks',
  'terms',
  'transparency',
  'twit',
  'updates',
  'uploads',
  'verify',
  'witness',
  ...publicLocales,
])

/** Throws one `StartError` with a line for each invalid setting. An empty variable counts as unset. */
export function readConfig(
  environment: Record<string, string | undefined> = process.env,
  args: readonly string[] = [],
): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()))
  const parsed = environmentSchema.safeParse(given)
  if (!parsed.success) {
    throw new StartError(
      parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('\n'),
    )
  }
  const env = parsed.data
  const isProduction = env.NODE_ENV === 'production'
  const wrong = contradictions(env, isProduction)
  const parts = partsFrom(args, wrong)
  const chains = chainsFrom(given, wrong)
  wrong.push(...plaintextFaults(given, env.PLAINTEXT_HOSTS))
  if (wrong.length > 0) throw new StartError(wrong.join('\n'))
  const dataDir = resolve(env.DATA_DIR)
  const publicUrl = (env.PUBLIC_URL ?? `http://${hostInUrl(env.HOST)}:${env.PORT}`).replace(/\/$/, '')
  const from = env.MAIL_FROM ?? `no-reply@${new URL(publicUrl).hostname}`
  return {
    isProduction,
    dataDir,
    web: {
      port: env.PORT,
      host: env.HOST,
      publicUrl,
      trustProxyHops: env.TRUST_PROXY,
      corsOrigins: env.CORS_ORIGINS,
      metricsToken: env.METRICS_TOKEN ?? null,
    },
    database: databaseFrom(env, dataDir),
    operators: {
      path: env.OPERATOR_PATH,
      first:
        env.OPERATOR_LOGIN && env.OPERATOR_PASSWORD
          ? { kind: 'password', login: env.OPERATOR_LOGIN, password: env.OPERATOR_PASSWORD }
          : { kind: 'link' },
    },
    secretKey: env.SECRET_KEY
      ? { kind: 'given', value: env.SECRET_KEY, also: env.SECRET_KEY_ALSO }
      : { kind: 'file', path: resolve(dataDir, 'secret-key'), also: env.SECRET_KEY_ALSO },
    mail: env.SMTP_URL
      ? {
          kind: 'smtp',
          url: env.SMTP_URL,
          from,
          mayBePlain: env.MAIL_TLS === 'opportunistic' || isLoopback(hostOf(env.SMTP_URL)),
        }
      : { kind: 'folder', folder: resolve(dataDir, 'mail'), from },
    prices: pricesOf(env),
    beacon: { ...quicknet, servers: env.BEACON_URLS },
    chains,
    nodes: { settings: chainSettings(given), hosts: env.NODE_HOSTS },
    pushHosts: env.PUSH_HOSTS,
    releasesUrl: env.RELEASES_URL ?? null,
    journal: { witnesses: env.JOURNAL_WITNESSES, witnessFor: env.WITNESS_FOR },
    hasLegacyApi: env.LEGACY_API === 'on',
    hasRateLimit: env.RATE_LIMIT === 'on',
    isDemo: env.DEMO ? env.DEMO === 'on' : !env.DATABASE_URL && isLoopback(env.HOST) && !isProduction,
    demoChainUrl: env.DEMO_CHAIN_URL,
    demoLitecoinUrl: env.DEMO_LITECOIN_URL,
    parts,
  }
}

function pricesOf(env: z.output<typeof environmentSchema>): Config['prices'] {
  const { PRICE_API_URL: api, PRICE_KRAKEN_URL: kraken, PRICE_COINBASE_URL: coinbase } = env
  return {
    service: api ?? null,
    coinGecko: api === undefined ? COIN_GECKO : api,
    kraken: kraken === undefined ? KRAKEN : kraken,
    coinbase: coinbase === undefined ? COINBASE : coinbase,
    given: [
      ...(api === undefined ? [] : (['coinGecko'] as const)),
      ...(kraken === undefined ? [] : (['kraken'] as const)),
      ...(coinbase === undefined ? [] : (['coinbase'] as const)),
    ],
    hosts: env.PRICE_HOSTS,
  }
}

/** Sets unset variables of `process.env`. */
export function loadEnvFile(path = '.env'): void {
  try {
    process.loadEnvFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new StartError(`${path} can't be read: ${(error as Error).message}`)
    }
  }
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '')
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

function databaseFrom(
  { DATABASE_URL: url, MIGRATE_DATABASE_URL, READ_DATABASE_URL }: z.output<typeof environmentSchema>,
  dataDir: string,
): Config['database'] {
  if (!url) return { kind: 'embedded', dataDir }
  return { kind: 'external', url, ownerUrl: MIGRATE_DATABASE_URL ?? url, replicaUrl: READ_DATABASE_URL }
}

function contradictions(env: z.output<typeof environmentSchema>, isProduction: boolean): string[] {
  const wrong: string[] = []
  if (!env.OPERATOR_LOGIN !== !env.OPERATOR_PASSWORD) {
    wrong.push('OPERATOR_LOGIN and OPERATOR_PASSWORD must be set together, or neither')
  }
  if (RESERVED_PATHS.has(env.OPERATOR_PATH)) {
    wrong.push(`OPERATOR_PATH must not be ${env.OPERATOR_PATH}: the site uses it`)
  }
  for (const name of ['MIGRATE_DATABASE_URL', 'READ_DATABASE_URL'] as const) {
    if (env[name] && !env.DATABASE_URL) wrong.push(`${name} must not be set without DATABASE_URL`)
  }
  if (isProduction && env.DATABASE_URL && !env.SECRET_KEY) {
    wrong.push('SECRET_KEY must be set with DATABASE_URL in production: openssl rand -base64 32')
  }
  if (isProduction && env.RATE_LIMIT === 'off') wrong.push('RATE_LIMIT must not be off in production')
  if (isProduction && env.PUBLIC_URL?.startsWith('http:') && !isLoopback(hostOf(env.PUBLIC_URL)))
    wrong.push('PUBLIC_URL must be https in production')
  if (isProduction && !env.PUBLIC_URL && !isLoopback(env.HOST))
    wrong.push(
      'PUBLIC_URL must be set in production, to the https address that visitors use, unless HOST is loopback',
    )
  if (env.SMTP_URL && !env.MAIL_FROM) wrong.push('MAIL_FROM must be set with SMTP_URL')
  for (const name of ['DEMO_CHAIN_URL', 'DEMO_LITECOIN_URL'] as const)
    if (env[name] && !mayHaveDemoChain(env, env[name], isProduction))
      wrong.push(`${name} must be unset but for a demo of which server and chain listen on loopback`)
  const ownHost = env.PUBLIC_URL && new URL(env.PUBLIC_URL).host
  if (env.JOURNAL_WITNESSES.some(({ url }) => new URL(url).host === ownHost))
    wrong.push('JOURNAL_WITNESSES must not name this site: only somebody else can say what it showed them')
  if (env.PORT === 0 && isProduction) wrong.push('PORT must not be 0 in production')
  return wrong
}

/** Anyone who opens a page can use its wallets. */
function mayHaveDemoChain(
  env: z.output<typeof environmentSchema>,
  chainUrl: string,
  isProduction: boolean,
): boolean {
  const isLocal = isLoopback(env.HOST) && isLoopback(hostOf(chainUrl))
  return env.DEMO === 'on' && !isProduction && isLocal
}

function chainsFrom(given: Readonly<Record<string, string | undefined>>, wrong: string[]): ChainConfig[] {
  try {
    return readChains(given)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    wrong.push(error.message)
    return []
  }
}

function partsFrom(args: readonly string[], wrong: string[]): readonly Part[] {
  const [flag, name, ...rest] = args.flatMap((arg) => arg.split('='))
  if (flag === undefined) return PARTS
  const part = PARTS.find((known) => known === name)
  if (flag === '--only' && part && rest.length === 0) return [part]
  wrong.push(`Unknown option ${args.join(' ')}: use --only web, --only jobs or --only watchers`)
  return PARTS
}

/** Passkeys need a host name. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::' || isLoopback(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text
}
