import { checkAddress, looksLikePrivateKey } from '../../shared/addresses.ts'
import type { CurrencyInput, Network, OperatorCurrency, PublicCurrency } from '../../shared/api/currencies.ts'
import { currencyInput } from '../../shared/api/currencies-inputs.ts'
import { divide, keepRate, multiply, showRate } from '../../shared/money.ts'
import { recordAudit } from '../audit/audit.ts'
import { type Database, type Queryable, statement } from '../database/database.ts'
import { refuseField } from '../invalid-input.ts'
import { refuse } from '../refusal.ts'
import { networkByCode } from './networks.ts'

export { changePrice, type PriceChange } from './change-price.ts'

const FRESH_MS = 1_000

interface CurrencyRow {
  id: number
  code: string
  full_name: string
  network: Network
  address: string
  erc20: boolean
  token_contract: string | null
  rate: string
  rate_source: 'manual' | 'feed'
  rate_at: Date
  price_id: string | null
  watched: boolean
  rate_problem: PublicCurrency['rateProblem']
  switched_off_at: Date | null
  paused_at: Date | null
  pause_reason: { en: string; ru: string } | null
  revision: number
  stale: boolean
  open_orders: string
}

const COLUMNS = `k.id, k.code, k.full_name, k.network, k.address, k.erc20, k.token_contract, k.rate, k.rate_source, k.rate_at, k.price_id, k.watched, k.rate_problem,
  k.switched_off_at, k.paused_at, k.pause_reason, k.revision,
  k.rate_source = 'feed' and k.rate_at < clock_timestamp() - make_interval(mins => coalesce((select (settings ->> 'feedRateMaxMinutes')::integer from campaign), 5)) as stale`
/** One reading of the held orders for all currencies. */
const WITH_OPEN =
  'with open as (select currency_id, count(*) as orders from orders where held group by currency_id)'

const PUBLIC = statement(
  'currencies_public',
  `select ${COLUMNS}, 0 as open_orders from currencies k where k.switched_off_at is null order by k.position, k.id`,
)
const ALL = statement(
  'currencies_all',
  `${WITH_OPEN} select ${COLUMNS}, coalesce(o.orders, 0) as open_orders from currencies k left join open o on o.currency_id = k.id
    order by k.position, k.id`,
)
const FIND = statement(
  'currency_find',
  `select ${COLUMNS}, (select count(*) from orders o where o.currency_id = k.id and o.held) as open_orders from currencies k where k.code = $1`,
)
const LOCK = statement(
  'currency_lock',
  `select ${COLUMNS}, 0 as open_orders from currencies k where k.code = $1 for update`,
)
const LOCK_EVM = statement(
  'currencies_lock_evm',
  `select ${COLUMNS}, 0 as open_orders from currencies k where (k.erc20 or k.full_name = any($1)) and not k.watched order by k.id for update`,
)
const INSERT = statement(
  'currency_insert',
  `insert into currencies (code, full_name, network, address, erc20, token_contract, rate, rate_source, price_id, position)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, coalesce((select max(position) + 1 from currencies), 0))
   on conflict (code) do nothing returning id`,
)
const UPDATE = statement(
  'currency_update',
  `update currencies set full_name = $2, network = $3, address = $4, erc20 = $5, token_contract = $6, rate = $7, rate_source = $8, price_id = $9,
          rate_at = case when rate <> $7 or rate_source <> $8 then clock_timestamp() else rate_at end, revision = revision + 1
    where id = $1`,
)
const NOTE_RATE = statement(
  'currency_note_rate',
  'insert into currency_rates (currency_id, rate, price_usd, reason) values ($1, $2, $3, $4)',
)
const SET_RATE = statement(
  'currency_set_rate',
  'update currencies set rate = $2, rate_at = clock_timestamp(), revision = revision + 1 where id = $1',
)
const DROP_QUOTES = statement(
  'currency_drop_quotes',
  'update quotes set expires_at = clock_timestamp() where currency_id = $1 and order_id is null and expires_at > clock_timestamp()',
)
const IN_USE = statement(
  'currency_in_use',
  'select exists (select 1 from quotes where currency_id = $1) or exists (select 1 from orders where currency_id = $1) as used',
)
const DELETE = statement('currency_delete', 'delete from currencies where id = $1')
const SWITCH = statement(
  'currency_switch',
  'update currencies set switched_off_at = case when $2 then coalesce(switched_off_at, clock_timestamp()) end, revision = revision + 1 where id = $1',
)
const PAUSE = statement(
  'currency_pause',
  'update currencies set paused_at = case when $2 then coalesce(paused_at, clock_timestamp()) end, pause_reason = $3, revision = revision + 1 where id = $1',
)
const PRICE = statement('currencies_price', 'select price_usd, is_demo from campaign')
/** Held until the rates are written: a value changed in between would leave rates made with the old one. */
const PRICE_HELD = statement('currencies_price_held', 'select price_usd from campaign for share')
const TELL = statement('currency_tell', 'insert into outbox (kind, payload) values ($1, $2)')

/** Full names that `Update ERC-20 Wallet` touches besides the currencies flagged so (SPEC section 4). */
const ERC20_NAMES = [
  'Ethereum',
  'Tether',
  'Polygon',
  'BNB',
  'USDC',
  'Binance-Peg BUSD',
  'Uniswap',
  'PancakeSwap',
  'Avalanche',
  'Cronos',
  'Shiba',
  '1inch',
  'DAI',
  'Chainlink',
  'Pepe',
]

/** Who changes a currency, for the audit log. */
export interface Editor {
  readonly operatorId: string
  readonly requestId: string
}

export interface CurrencyChange {
  readonly revision?: number | undefined
  readonly fullName?: string | undefined
  readonly rate?: string | undefined
  readonly address?: string | undefined
  readonly network?: Network | undefined
  readonly erc20?: boolean | undefined
  readonly tokenContract?: string | null | undefined
  readonly rateSource?: 'manual' | 'feed' | undefined
  readonly priceId?: string | null | undefined
}

/** Dollar prices by price id; a coin that the answer lacks is absent. Throws for any other failure. */
export type FetchPrices = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>

export interface Currencies {
  /** What is accepted now, at most a second old. */
  publicList(): Promise<PublicCurrency[]>
  list(): Promise<OperatorCurrency[]>
  find(code: string): Promise<OperatorCurrency>
  /** Refusals: private_key_refused, address_invalid, currency_exists. */
  add(input: CurrencyInput, editor: Editor): Promise<OperatorCurrency>
  /** Refusals: currency_unknown, conflict, currency_watched, private_key_refused, address_invalid. */
  update(code: string, change: CurrencyChange, editor: Editor): Promise<OperatorCurrency>
  /** Several at once, all or nothing. */
  updateMany(changes: readonly (CurrencyChange & { code: string })[], editor: Editor): Promise<void>
  /** Deletes one, or switches it off where quotes or orders name it. */
  remove(code: string, editor: Editor): Promise<'deleted' | 'switched_off'>
  switchOn(code: string, editor: Editor): Promise<OperatorCurrency>
  pause(
    code: string,
    paused: boolean,
    reason: { en: string; ru: string } | null,
    editor: Editor,
  ): Promise<OperatorCurrency>
  /** One address for all ERC-20 currencies; the codes it touched. */
  setEvmWallet(address: string, editor: Editor): Promise<string[]>
  /** New rate = dollar price / main currency value. A coin that a good answer lacks keeps its rate and is named; any other failure changes nothing. */
  refreshRates(
    fetchPrices: FetchPrices,
    editor: Editor | null,
  ): Promise<{ updated: string[]; missing: string[] }>
  invalidate(): void
}

export function createCurrencies(db: Database, hintOutbox: () => void): Currencies {
  let cached: { at: number; list: Promise<PublicCurrency[]> } | undefined
  const invalidate = () => {
    cached = undefined
  }

  const find = async (code: string) =>
    operatorCurrency(
      (await db.maybeOne<CurrencyRow>(FIND, [code.toUpperCase()])) ?? refuse('currency_unknown'),
    )

  /** Runs a change, then forgets the cached list and wakes the outbox. */
  const change = async <T>(work: (tx: Queryable) => Promise<T>): Promise<T> => {
    const result = await db.transaction(work)
    invalidate()
    hintOutbox()
    return result
  }

  return {
    invalidate,
    find,

    publicList() {
      if (!cached || Date.now() - cached.at > FRESH_MS) {
        const list = db.query<CurrencyRow>(PUBLIC).then((rows) => rows.map(publicCurrency))
        cached = { at: Date.now(), list }
        list.catch(invalidate)
      }
      return cached.list
    },

    async list() {
      return (await db.query<CurrencyRow>(ALL)).map(operatorCurrency)
    },

    async add(input, editor) {
      const currency = currencyInput.parse(input)
      const network = currency.network ?? networkByCode(currency.code)
      const rate = keepRate(currency.rate) ?? refuseRate()
      await change(async (tx) => {
        const { is_demo } = await tx.one<{ is_demo: boolean; price_usd: string }>(PRICE)
        refuseBadAddress(network, currency.address, is_demo)
        const inserted = await tx.maybeOne<{ id: number }>(INSERT, [
          currency.code,
          currency.fullName,
          network,
          currency.address,
          currency.erc20 ?? ERC20_NAMES.includes(currency.fullName),
          currency.tokenContract ?? null,
          rate,
          currency.rateSource ?? 'manual',
          currency.priceId ?? null,
        ])
        if (!inserted) refuse('currency_exists')
        await tx.query(NOTE_RATE, [inserted.id, rate, null, 'added'])
        await recordAudit(tx, {
          operatorId: editor.operatorId,
          action: 'currency.add',
          subjectType: 'currency',
          subjectId: currency.code,
          after: { ...currency, network, rate },
          requestId: editor.requestId,
        })
        await tx.query(TELL, [
          'currency_changed',
          JSON.stringify({ code: currency.code, fields: ['address'] }),
        ])
      })
      return find(currency.code)
    },

    async update(code, input, editor) {
      await change((tx) => updateOne(tx, code, input, editor))
      return find(code)
    },

    async updateMany(changes, editor) {
      await change(async (tx) => {
        // One order of locking for everybody.
        for (const item of changes.toSorted((a, b) => (a.code < b.code ? -1 : 1)))
          await updateOne(tx, item.code, item, editor)
      })
    },

    remove: (code, editor) =>
      change(async (tx) => {
        const row = await lock(tx, code)
        const { used } = await tx.one<{ used: boolean }>(IN_USE, [row.id])
        await tx.query(used ? SWITCH : DELETE, used ? [row.id, true] : [row.id])
        if (used) await tx.query(DROP_QUOTES, [row.id])
        await recordAudit(tx, {
          operatorId: editor.operatorId,
          action: used ? 'currency.switch-off' : 'currency.delete',
          subjectType: 'currency',
          subjectId: row.code,
          before: auditable(row),
          requestId: editor.requestId,
        })
        return used ? ('switched_off' as const) : ('deleted' as const)
      }),

    async switchOn(code, editor) {
      await change(async (tx) => {
        const row = await lock(tx, code)
        await tx.query(SWITCH, [row.id, false])
        await recordAudit(tx, {
          operatorId: editor.operatorId,
          action: 'currency.switch-on',
          subjectType: 'currency',
          subjectId: row.code,
          requestId: editor.requestId,
        })
      })
      return find(code)
    },

    async pause(code, paused, reason, editor) {
      await change(async (tx) => {
        const row = await lock(tx, code)
        await tx.query(PAUSE, [row.id, paused, paused && reason ? JSON.stringify(reason) : null])
        await recordAudit(tx, {
          operatorId: editor.operatorId,
          action: paused ? 'currency.pause' : 'currency.resume',
          subjectType: 'currency',
          subjectId: row.code,
          after: { reason },
          requestId: editor.requestId,
        })
      })
      return find(code)
    },

    setEvmWallet: (address, editor) =>
      change(async (tx) => {
        refuseBadAddress('ethereum', address, false)
        const rows = await tx.query<CurrencyRow>(LOCK_EVM, [ERC20_NAMES])
        for (const row of rows) await writeChange(tx, row, { address }, editor)
        return rows.map((row) => row.code)
      }),

    async refreshRates(fetchPrices, editor) {
      const rows = await db.query<CurrencyRow>(ALL)
      const idOf = (row: CurrencyRow) => row.price_id || row.full_name.toLowerCase().replaceAll(/\s+/g, '')
      const prices = await pricesOrRefuse(fetchPrices, rows.map(idOf))
      return change(async (tx) => {
        const { price_usd: mainUsd } = await tx.one<{ price_usd: string | null }>(PRICE_HELD)
        if (!mainUsd) refuse('rates_unavailable')
        const updated: string[] = []
        const missing: string[] = []
        for (const row of rows) {
          const priceUsd = prices.get(idOf(row))
          const rate = priceUsd && keepRate(divide(priceUsd, mainUsd))
          if (!rate) {
            missing.push(row.code)
            continue
          }
          await tx.query(SET_RATE, [row.id, rate])
          await tx.query(NOTE_RATE, [row.id, rate, priceUsd, 'refresh'])
          updated.push(row.code)
        }
        if (editor)
          await recordAudit(tx, {
            operatorId: editor.operatorId,
            action: 'currency.refresh-rates',
            subjectType: 'currency',
            subjectId: '*',
            after: { updated, missing },
            requestId: editor.requestId,
          })
        return { updated, missing }
      })
    },
  }
}

/** Any failure of the source, or a price that is not positive, is one refusal and changes nothing. */
async function pricesOrRefuse(
  fetchPrices: FetchPrices,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  try {
    return await fetchPrices(ids)
  } catch {
    return refuse('rates_unavailable')
  }
}

async function lock(tx: Queryable, code: string): Promise<CurrencyRow> {
  return (await tx.maybeOne<CurrencyRow>(LOCK, [code.toUpperCase()])) ?? refuse('currency_unknown')
}

async function updateOne(tx: Queryable, code: string, change: CurrencyChange, editor: Editor): Promise<void> {
  const row = await lock(tx, code)
  if (change.revision !== undefined && change.revision !== row.revision)
    refuse('conflict', { current: operatorCurrency(row) })
  if (row.watched && changesAsset(row, change)) refuse('currency_watched')
  const { is_demo } = await tx.one<{ is_demo: boolean }>(PRICE)
  if (change.address !== undefined && !row.watched && change.address !== row.address)
    refuseBadAddress(change.network ?? row.network, change.address, is_demo)
  await writeChange(tx, row, change, editor)
}

/** Whether payments would be looked for elsewhere, or of another asset, than the addresses given out are good for. */
function changesAsset(row: CurrencyRow, { network, tokenContract }: CurrencyChange): boolean {
  const isOther = (next: string | null, now: string | null) =>
    (next || '').toLowerCase() !== (now || '').toLowerCase()
  return (
    (network !== undefined && network !== row.network) ||
    (tokenContract !== undefined && isOther(tokenContract, row.token_contract))
  )
}

async function writeChange(
  tx: Queryable,
  row: CurrencyRow,
  change: CurrencyChange,
  editor: Editor,
): Promise<void> {
  const rate = change.rate === undefined ? row.rate : (keepRate(change.rate) ?? refuseRate())
  const next = {
    full_name: change.fullName ?? row.full_name,
    network: change.network ?? row.network,
    address: change.address ?? row.address,
    erc20: change.erc20 ?? row.erc20,
    token_contract: change.tokenContract === undefined ? row.token_contract : change.tokenContract,
    rate,
    rate_source: change.rateSource ?? row.rate_source,
    price_id: change.priceId === undefined ? row.price_id : change.priceId || null,
  }
  await tx.query(UPDATE, [row.id, ...Object.values(next)])
  const fields = (Object.keys(next) as (keyof typeof next)[]).filter((field) => next[field] !== row[field])
  if (fields.includes('rate')) await tx.query(NOTE_RATE, [row.id, rate, null, 'edited'])
  // Whoever holds an unused quote for the old address asks again; orders keep theirs and their buyers are told.
  if (fields.includes('address')) await tx.query(DROP_QUOTES, [row.id])
  if (fields.length === 0) return
  await recordAudit(tx, {
    operatorId: editor.operatorId,
    action: 'currency.update',
    subjectType: 'currency',
    subjectId: row.code,
    before: Object.fromEntries(fields.map((field) => [field, row[field]])),
    after: Object.fromEntries(fields.map((field) => [field, next[field]])),
    requestId: editor.requestId,
  })
  await tx.query(TELL, ['currency_changed', JSON.stringify({ code: row.code, fields })])
}

const auditable = ({ full_name, network, address, rate }: CurrencyRow) => ({
  full_name,
  network,
  address,
  rate,
})

function refuseRate(): never {
  refuseField('rate', 'rate_not_positive')
}

/** An address that is not one of its network is refused with the reason; a private key is recognised and never stored. */
function refuseBadAddress(network: Network, address: string, testnet: boolean): void {
  if (looksLikePrivateKey(address)) refuse('private_key_refused')
  const reason = checkAddress(network, address, { testnet })
  if (reason) refuse('address_invalid', { network, reason })
}

/** Rescales every rate by old / new of the main currency value, inside the caller's transaction. */
export function rescaledRate(rate: string, oldUsd: string, newUsd: string): string {
  return keepRate(divide(multiply(rate, oldUsd), newUsd)) ?? refuseRate()
}

function publicCurrency(row: CurrencyRow): PublicCurrency {
  const unavailable = row.paused_at
    ? 'paused'
    : row.stale
      ? 'rate_stale'
      : !row.watched && row.address === ''
        ? 'address_missing'
        : null
  return {
    id: row.id,
    code: row.code,
    fullName: row.full_name,
    network: row.network,
    rate: showRate(row.rate),
    rateSource: row.rate_source,
    rateAt: row.rate_at.toISOString(),
    watched: row.watched,
    address: row.watched ? '' : row.address,
    unavailable,
    rateProblem: unavailable === 'rate_stale' ? row.rate_problem : null,
    pauseReason: row.pause_reason,
  }
}

function operatorCurrency(row: CurrencyRow): OperatorCurrency {
  return {
    id: row.id,
    code: row.code,
    fullName: row.full_name,
    network: row.network,
    address: row.address,
    erc20: row.erc20,
    tokenContract: row.token_contract,
    rate: showRate(row.rate),
    rateSource: row.rate_source,
    rateAt: row.rate_at.toISOString(),
    priceId: row.price_id,
    watched: row.watched,
    switchedOffAt: row.switched_off_at?.toISOString() ?? null,
    pausedAt: row.paused_at?.toISOString() ?? null,
    pauseReason: row.pause_reason,
    openOrders: Number(row.open_orders),
    revision: row.revision,
  }
}
