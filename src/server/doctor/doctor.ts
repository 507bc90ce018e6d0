import { statfs } from 'node:fs/promises'
import type { DoctorFinding } from '../../shared/api/overview.ts'
import type { Language } from '../../shared/languages.ts'
import { compare, trimZeros } from '../../shared/money.ts'
import { commandLine } from '../command-line.ts'
import type { Config } from '../config.ts'
import { isRateStale } from '../currencies/currencies.ts'
import { type Database, sql } from '../database/database.ts'
import type { Mailer } from '../mail/mail.ts'
import { deviationOf, priceIdOf, type Rates } from '../rates/rates.ts'
import { say } from '../texts.ts'

export interface DoctorNeeds {
  readonly db: Database
  readonly config: Pick<Config, 'web' | 'dataDir' | 'isDemo'>
  readonly mailer: Pick<Mailer, 'server'>
  readonly rates: Pick<Rates, 'agreed'>
  readonly fetch?: typeof globalThis.fetch
}

type State = DoctorFinding['state']
interface Found {
  readonly state: State
  readonly detail: string
}

const MB = 1024 ** 2
const GB = 1024 * MB
const CLOCK_OFF_MAX_MS = 2_000
const REACHED_WITHIN_MS = 5_000
const DRILL_DAYS_MAX = 8
/** Maximum deviation from the sources' agreed price, in percent. */
const PRICE_OFF_MAX = '10'

const fine = (detail: string): Found => ({ state: 'fine', detail })
const look = (detail: string): Found => ({ state: 'look', detail })
const bad = (detail: string): Found => ({ state: 'bad', detail })
const isLocal = (url: string) => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)

const COMMANDS = { backup: commandLine('backup', 'FILE'), drill: commandLine('backup:drill', 'FILE') }

/** Can a sale run safely? */
export class Doctor {
  readonly #needs: DoctorNeeds

  constructor(needs: DoctorNeeds) {
    this.#needs = needs
  }

  /** A check that fails to run is a finding. Title and fix are in `language`. */
  async examine(language: Language): Promise<DoctorFinding[]> {
    const found = Object.entries(checks).map(async ([name, check]): Promise<DoctorFinding> => {
      const { state, detail } = await check(this.#needs).catch((error: unknown) => bad(String(error)))
      const title = say(language, `doctor.${name}.title`)
      return {
        name,
        state,
        detail,
        title,
        fix: state === 'fine' ? null : say(language, `doctor.${name}.fix`, COMMANDS),
      }
    })
    return Promise.all(found)
  }
}

const checks: Readonly<Record<string, (needs: DoctorNeeds) => Promise<Found>>> = {
  https: async ({ config: { web, isDemo } }) => {
    if (web.publicUrl.startsWith('https:')) return fine(web.publicUrl)
    return isDemo || isLocal(web.publicUrl) ? look(web.publicUrl) : bad(web.publicUrl)
  },
  reached: async ({ config: { web }, fetch = globalThis.fetch }) => {
    const url = `${web.publicUrl}/healthz`
    const signal = AbortSignal.timeout(REACHED_WITHIN_MS)
    const answer = await fetch(url, { signal, redirect: 'manual' }).catch((error: Error) => {
      const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
      return `${url}: ${error.message}${cause}`
    })
    if (typeof answer === 'string') return bad(answer)
    return answer.status === 200 ? fine(url) : bad(`${url}: ${answer.status}`)
  },
  proxy: async ({ config: { web } }) => {
    const detail = `TRUST_PROXY=${web.trustProxyHops}`
    const isBehind = web.publicUrl.startsWith('https:')
    return isBehind === web.trustProxyHops > 0 ? fine(detail) : bad(detail)
  },
  clock: async ({ db }) => {
    const before = Date.now()
    const { now } = await db.one<{ now: Date }>(sql`select clock_timestamp() as now`)
    const off = Math.max(0, before - now.getTime(), now.getTime() - Date.now())
    return off > CLOCK_OFF_MAX_MS ? bad(`${off} ms`) : fine(`${off} ms`)
  },
  disk: async ({ config: { dataDir } }) => {
    const { bavail, bsize } = await statfs(dataDir)
    const free = bavail * bsize
    const detail = `${Math.floor(free / MB)} MB`
    if (free < GB / 2) return bad(detail)
    return free < 2 * GB ? look(detail) : fine(detail)
  },
  backup: async ({ db }) => {
    const { at } = await db.one<{ at: Date | null }>(sql`select max(worked_at) as at from backup_drills`)
    if (!at) return look('—')
    const detail = at.toISOString().slice(0, 10)
    return Date.now() - at.getTime() > DRILL_DAYS_MAX * 86_400_000 ? look(detail) : fine(detail)
  },
  mail: async ({ db, mailer, config }) => {
    if (!(await mailer.server.isSet())) return config.isDemo ? look('—') : bad('—')
    const { at } = await db.one<{ at: Date | null }>(
      sql`select max(last_tried_at) as at from mail_deliveries where state = 'sent'`,
    )
    return at ? fine(at.toISOString().slice(0, 16)) : look('—')
  },
  owners: async ({ db }) => {
    const { logins } = await db.one<{ logins: string[] }>(
      sql`select array(select o.login from operators o where o.role = 'owner' and o.disabled_at is null and o.password_hash is not null
            and o.email is not null
            and (exists (select from totp_secrets t where t.operator_id = o.id and t.confirmed_at is not null and t.removed_at is null)
                 or exists (select from passkeys p where p.operator_id = o.id)) order by o.id) as logins`,
    )
    const detail = logins.join(', ') || '—'
    return logins.length > 1 ? fine(detail) : look(detail)
  },
  chains: async ({ db }) => {
    const failing = await db.query<{ name: string; error: string | null }>(
      sql`select name, last_error as error from chains where stopped or failing_since is not null order by name`,
    )
    if (failing.length === 0) return fine('—')
    return bad(failing.map(({ name, error }) => `${name}: ${error ?? '?'}`).join('; '))
  },
  wallets: async ({ db }) => {
    const on = await db.query<{ code: string; is_payable: boolean; is_paused: boolean }>(
      sql`select code, wallet_id is not null or address <> '' as is_payable, paused_at is not null as is_paused
            from currencies where switched_off_at is null order by position, id`,
    )
    if (on.length === 0) return bad('—')
    const codes = (of: typeof on) => of.map(({ code }) => code).join(', ')
    const unpayable = on.filter((currency) => !currency.is_payable)
    if (unpayable.length > 0) return bad(codes(unpayable))
    const paused = on.filter((currency) => currency.is_paused)
    return paused.length > 0 ? look(codes(paused)) : fine(codes(on))
  },
  rates: async ({ db }) => {
    const stale = await db.query<{ code: string; at: Date }>(
      sql`select code, rate_at as at from currencies k where switched_off_at is null and ${isRateStale} order by position, id`,
    )
    if (stale.length === 0) return fine('—')
    return bad(stale.map(({ code, at }) => `${code}: ${at.toISOString().slice(0, 16)}`).join(', '))
  },
  prices: async ({ db, rates, config: { isDemo } }) => {
    const on = await db.query<{ code: string; price_id: string; price_usd: string }>(
      sql`select k.code, ${priceIdOf} as price_id, round(k.rate * c.price_usd, 6) as price_usd from currencies k, campaign c
           where k.switched_off_at is null and c.price_usd is not null order by k.position, k.id`,
    )
    const coins = on.map(({ code, price_id: priceId }) => ({ code, priceId }))
    const agreed = coins.length > 0 && (await rates.agreed(coins).catch(() => undefined))
    if (!agreed) return look('—')
    const compared = on.flatMap(({ code, price_id, price_usd }) => {
      const percent = deviationOf(price_usd, agreed.get(price_id) ?? '0')
      return percent === null ? [] : [{ percent, words: `${code} $${trimZeros(price_usd)} (${percent} %)` }]
    })
    const far = compared.filter(({ percent }) => compare(percent.replace('-', ''), PRICE_OFF_MAX) > 0)
    const detail = (far.length > 0 ? far : compared).map(({ words }) => words).join(', ') || '—'
    if (far.length === 0) return fine(detail)
    return isDemo ? look(detail) : bad(detail)
  },
  dates: async ({ db }) => {
    const row = await db.maybeOne<{ over: string[] }>(
      sql`select array_remove(array[
              case when (settings #>> '{delivery,date}')::date < current_date then settings #>> '{delivery,date}' end,
              case when not exists (select from stages where ends_at > now()) then (select max(ends_at)::date::text from stages) end
            ], null) as over from campaign`,
    )
    return row && row.over.length > 0 ? look(row.over.join(', ')) : fine('—')
  },
}
