import { type RateSourceList, type SourceKind, sourceKinds } from '../../shared/api/rate-sources.ts'
import { fragment, type Queryable, sql } from '../database/database.ts'
import type { Outside } from '../outside/outside.ts'
import { hostOf, isOutside, reasonAgainstNamed, voiceOf } from '../outside/outside.ts'
import { refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { JudgedSource } from './median.ts'
import type { PriceSource } from './price-source.ts'
import {
  chainlinkFeeds,
  createChainlink,
  createCoinbase,
  createCoinGecko,
  createKraken,
  type PriceReach,
} from './price-sources.ts'

interface Rpc {
  call<T>(method: string, ...params: unknown[]): Promise<T>
}

// Rules: RATE-5
/** Null omits a built-in source. */
export interface OwnSource {
  readonly url: string | null
  /** True if set by the environment; no page can change it then. */
  readonly isGiven: boolean
}

export interface RateSourcesNeeds {
  readonly secrets: Secrets
  readonly own: Readonly<Record<SourceKind, OwnSource>>
  /** `host:port` that pages may use outside the public internet and without TLS. */
  readonly hosts: readonly string[]
  /** The only service for a refresh of all rates. */
  readonly refreshAsks: string | null
  /** The node for Chainlink, if Ethereum's main network is followed. */
  ethereum(): Rpc | null
  readonly outside?: Outside
}

type ShownSource = Omit<RateSourceList['items'][number], 'said'>
interface Known {
  readonly shown: ShownSource
  readonly url: string | null
  readonly source: PriceSource | null
}

interface NamedRow {
  id: string
  kind: SourceKind
  host: string
  url_encrypted: Buffer
  set_at: Date
  set_by: string
}

export const SOURCE_PURPOSE = 'rate-source'
export const priceIdOf = fragment`coalesce(nullif(k.price_id, ''), lower(replace(k.full_name, ' ', '')))`

const create = { coingecko: createCoinGecko, kraken: createKraken, coinbase: createCoinbase }

/** Reads sources set on pages each time, so that every process uses a change at its next reading. */
export class RateSources {
  readonly #needs: RateSourcesNeeds

  constructor(needs: RateSourcesNeeds) {
    this.#needs = needs
  }

  async asked(tx: Queryable): Promise<PriceSource[]> {
    return (await this.#known(tx)).flatMap(({ source }) => (source ? [source] : []))
  }

  async find(tx: Queryable, name: string): Promise<{ host: string; source: PriceSource }> {
    const { shown, source } =
      (await this.#known(tx)).find((known) => known.shown.name === name) ?? refuse('rate_source_unknown')
    return source ? { host: shown.host ?? shown.name, source } : refuse('rate_source_unknown')
  }

  open({ kind, url }: { kind: SourceKind; url: string }): { host: string; source: PriceSource } {
    const why = reasonAgainstNamed(url, this.#needs.hosts)
    if (why) refuse('rate_source_address_refused', { why })
    return { host: hostOf(url), source: this.#named(kind, url) }
  }

  isGiven(name: SourceKind): boolean {
    return this.#needs.own[name].isGiven
  }

  // Rules: RATE-6
  /**
   * Errors: rate_source_twice if a current source is the same service, which could then move a rate alone.
   */
  async refuseTwin(tx: Queryable, url: string, replaces: number | null): Promise<void> {
    const others = (await this.#known(tx)).filter(
      ({ shown }) => shown.silence !== 'left_out' && (shown.id === null || shown.id !== replaces),
    )
    this.#refuseVoice(url, others)
  }

  /** Errors: rate_source_twice if a source set on a page is the same service. */
  async refuseOwnTwin(tx: Queryable, name: SourceKind): Promise<void> {
    const { url } = this.#needs.own[name]
    const named = (await this.#known(tx)).filter(({ shown }) => shown.id !== null)
    if (url !== null) this.#refuseVoice(url, named)
  }

  #refuseVoice(url: string, others: readonly Known[]): void {
    const voice = this.#voiceOf(url)
    const twin = others.find((other) => other.url !== null && this.#voiceOf(other.url) === voice)
    if (twin) refuse('rate_source_twice', { host: twin.shown.host })
  }

  async list(tx: Queryable): Promise<RateSourceList> {
    const known = await this.#known(tx)
    const readings = await tx.query<{ code: string; read_at: Date | null; sources: JudgedSource[] | null }>(
      sql`select k.code, r.read_at, r.sources from currencies k
            left join lateral (select read_at, sources from rate_readings
                                where price_id = ${priceIdOf} order by read_at desc limit 1) r on true
           where k.rate_source = 'feed' and k.switched_off_at is null order by k.position, k.id`,
    )
    const readAt = readings.map(({ read_at }) => read_at?.getTime() ?? 0)
    const newest = Math.max(0, ...readAt)
    return {
      items: known.map(({ shown }) => ({
        ...shown,
        said: readings.flatMap(({ code, sources }) =>
          (sources ?? []).flatMap(({ source, priceUsd, at, used, problem }) =>
            source === shown.name ? [{ code, priceUsd, at, used, problem }] : [],
          ),
        ),
      })),
      readAt: newest > 0 ? new Date(newest).toISOString() : null,
      followed: readings.map(({ code }) => code),
      refreshAsks: this.#needs.refreshAsks && hostOf(this.#needs.refreshAsks),
    }
  }

  async #known(tx: Queryable): Promise<Known[]> {
    const leftOut = await tx.query<{ name: string; set_at: Date; set_by: string }>(
      sql`select l.name, l.set_at, o.login as set_by from rate_sources_left_out l join operators o on o.id = l.set_by`,
    )
    const rows = await tx.query<NamedRow>(
      sql`select s.id, s.kind, s.host, s.url_encrypted, s.set_at, o.login as set_by
            from rate_sources s join operators o on o.id = s.set_by order by s.id`,
    )
    const known = [
      ...sourceKinds.map((name) =>
        this.#own(
          name,
          leftOut.find((row) => row.name === name),
        ),
      ),
      ...this.#chainlink(),
    ]
    const voices = new Set(
      known.flatMap(({ url, source }) => (url !== null && source ? [this.#voiceOf(url)] : [])),
    )
    for (const row of rows) known.push(this.#ofPage(row, voices))
    return known
  }

  #own(name: SourceKind, leftOut: { set_at: Date; set_by: string } | undefined): Known {
    const { url, isGiven } = this.#needs.own[name]
    const isOut = url === null || (leftOut !== undefined && !isGiven)
    const byPage = isGiven ? undefined : leftOut
    return {
      shown: {
        name,
        id: null,
        kind: name,
        host: url === null ? null : hostOf(url),
        source: isGiven ? 'environment' : 'program',
        silence: isOut ? 'left_out' : null,
        setAt: byPage?.set_at.toISOString() ?? null,
        setBy: byPage?.set_by ?? null,
      },
      url,
      source: isOut || url === null ? null : create[name](url),
    }
  }

  #chainlink(): Known[] {
    const ethereum = this.#needs.ethereum()
    if (!ethereum) return []
    const shown = { name: 'chainlink', kind: 'chainlink', source: 'chain', silence: null } as const
    return [
      {
        shown: { ...shown, id: null, host: null, setAt: null, setBy: null },
        url: null,
        source: createChainlink(ethereum, chainlinkFeeds),
      },
    ]
  }

  /** The same service as an earlier source is not asked: it is not independent. */
  #ofPage({ id, kind, host, url_encrypted: sealed, set_at, set_by }: NamedRow, voices: Set<string>): Known {
    const facts = { name: host, id: Number(id), kind, host, source: 'page' } as const
    const shown = { ...facts, setAt: set_at.toISOString(), setBy: set_by }
    const url = this.#unseal(sealed, id)
    if (url === null) return { shown: { ...shown, silence: 'sealed' }, url: null, source: null }
    const voice = this.#voiceOf(url)
    if (voices.has(voice)) return { shown: { ...shown, silence: 'same_voice' }, url, source: null }
    voices.add(voice)
    return { shown: { ...shown, silence: null }, url, source: this.#named(kind, url) }
  }

  /** Null if the present keys can't decrypt the address. */
  #unseal(sealed: Buffer, id: string): string | null {
    try {
      return this.#needs.secrets.decrypt(SOURCE_PURPOSE, sealed, id)
    } catch {
      return null
    }
  }

  #named(kind: SourceKind, url: string): PriceSource {
    const { hosts, outside } = this.#needs
    const reach: PriceReach = { publicOnly: isOutside(url, hosts), outside }
    return { ...create[kind](url, reach), name: hostOf(url) }
  }

  #voiceOf(url: string): string {
    return voiceOf(url, this.#needs.hosts)
  }
}
