import { z } from 'zod'
import { addressKeyOf, canonicalAddress, checkAddress } from '../../shared/addresses.ts'
import { likeness } from '../../shared/addresses-in-texts.ts'
import type { OperatorCurrency } from '../../shared/api/currencies.ts'
import { currencyFields, currencyInput, evmWalletChange } from '../../shared/api/currencies-inputs.ts'
import { isOfEvmWallet, sharesEvmWallet } from '../../shared/evm-wallet.ts'
import { divide, keepRate } from '../../shared/money.ts'
import { type Network, networkOfCode } from '../../shared/networks.ts'
import { wholeTextsOf } from '../../shared/texts-inputs.ts'
import { type Alone, type ApprovalDraft, defineAction, type Published } from '../actions/actions.ts'
import { fragment, type Queryable, sql } from '../database/database.ts'
import { refuseField } from '../invalid-input.ts'
import { Refusal, refuse } from '../refusal.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { isRateFar } from './by-hand.ts'
import { type CurrencyRow, currencyColumns, operatorCurrency } from './currency-rows.ts'

/** USD prices by price id, without coins the service does not know. */
export type FetchPrices = (
  coins: readonly { readonly code: string; readonly priceId: string }[],
) => Promise<ReadonlyMap<string, string>>

const byCode = z.object({ code: z.string().transform((code) => code.toUpperCase()) })
/** As shown to the second operator; must be unchanged on confirmation. */
const destination = z.object({
  address: z.string(),
  network: z.string(),
  tokenContract: z.string().nullable(),
})
const changeInput = byCode.extend({
  ...z.object(currencyFields).partial().shape,
  /** A different revision is a `conflict`; omitted: any. */
  revision: z.number().int().optional(),
  replaces: destination.optional(),
  /** As shown to the second operator; requests of an older version lack it. */
  source: z.string().optional(),
})
const removeInput = byCode.extend({
  revision: z.number().int().optional(),
})
const escrowInput = byCode.extend({ inEscrow: z.boolean() })
const pauseInput = byCode.extend({
  paused: z.boolean(),
  /** The pause's start as seen; a different one is a `conflict`. Omitted: any. */
  previousPausedAt: z.string().nullable().optional(),
  reason: wholeTextsOf(z.string()).nullable(),
})

export type CurrencyChange = Omit<z.output<typeof changeInput>, 'code' | 'replaces' | 'source'>
type ChangeInput = z.output<typeof changeInput>

export const currencyActions = ({ fetchPrices }: { readonly fetchPrices: FetchPrices }) => ({
  'currency.add': defineAction({
    name: 'currency.add',
    input: currencyInput,
    needsApproval: async (_tx, input): Promise<ApprovalDraft> => ({
      subject: { type: 'currency', id: input.code },
      summary: newCurrencyFacts(input),
    }),
    publishes: (tx, { code, fullName }) => namesOf(tx, [{ code, fullName }]),
    execute: addCurrency,
  }),
  /** Changes all or none. */
  'currency.update': defineAction({
    name: 'currency.update',
    input: z.array(changeInput).min(1).max(200),
    needsApproval: approvalForMoney,
    publishes: async (tx, items) => {
      const names = await namesOf(tx, items)
      // Keeps only changed fields: rates move meanwhile.
      const waiting = names && (await approvalForMoney(tx, items))
      return names && { ...names, ...(waiting && 'keep' in waiting && { keep: waiting.keep }) }
    },
    execute: updateCurrencies,
  }),
  'currency.evm-wallet': defineAction({
    name: 'currency.evm-wallet',
    input: evmWalletChange,
    needsApproval: showEvmWallet,
    execute: setEvmWallet,
  }),
  /** A currency with orders is only disabled. */
  'currency.remove': defineAction({ name: 'currency.remove', input: removeInput, execute: removeCurrency }),
  'currency.switch-on': defineAction({ name: 'currency.switch-on', input: byCode, execute: switchOn }),
  'currency.pause': defineAction({
    name: 'currency.pause',
    input: pauseInput,
    publishes: async (_tx, { code, reason }) => ({
      subject: { type: 'currency', id: code },
      pieces: [{ now: reason, name: 'reason' }],
    }),
    execute: pauseCurrency,
  }),
  /** Never once it has orders. */
  'currency.escrow': defineAction({
    name: 'currency.escrow',
    input: escrowInput,
    needsApproval: async (_tx, { code, inEscrow }): Promise<ApprovalDraft> => ({
      subject: { type: 'currency', id: code },
      summary: { currency: code, inEscrow: String(inEscrow) },
    }),
    execute: switchEscrow,
  }),
  /**
   * USD price of the coin divided by the main currency value. A coin missing in a valid answer keeps its rate
   * and is reported. `rates_unavailable` changes nothing.
   */
  'currency.refresh-rates': defineAction({
    name: 'currency.refresh-rates',
    input: z.object({}),
    execute: (unit) => refreshRates(unit, fetchPrices),
  }),
})

// Rules: TWO-22
/** Currencies that each new name could be mistaken for. */
async function namesOf(
  tx: Queryable,
  items: readonly { readonly code: string; readonly fullName?: string | undefined }[],
): Promise<Published | undefined> {
  const rows = await tx.query<{ code: string; full_name: string }>(
    sql`select code, full_name from currencies`,
  )
  const pieces = items.flatMap(({ code, fullName }) => {
    const before = rows.find((row) => row.code === code)?.full_name
    return fullName === undefined || fullName === before
      ? []
      : [{ code, now: fullName, before, name: 'fullName' }]
  })
  if (pieces.length === 0) return undefined
  const alike = pieces.flatMap(({ code, now }) =>
    rows
      .filter(
        (row) =>
          row.code !== code && [row.code, row.full_name].some((name) => likeness(name) === likeness(now)),
      )
      .map((row) => `${now} ~ ${row.full_name} (${row.code})`),
  )
  return {
    subject: { type: 'currency', id: pieces.map(({ code }) => code).join(', ') },
    pieces,
    waits: alike.length > 0,
    summary: {
      name: pieces.map(({ now, before }) => (before === undefined ? now : `${before} → ${now}`)).join(', '),
      ...(alike.length > 0 && { resembles: alike.join('\n') }),
    },
  }
}

/** Fields that decide which payments count and their value. */
function newCurrencyFacts(input: z.output<typeof currencyInput>): Record<string, string> {
  const { code, address, network, tokenContract, rate, rateSource, priceId, fullName } = input
  const source = { rate_source: rateSource ?? 'manual', price_id: priceId ?? null, full_name: fullName }
  return {
    currency: code,
    address,
    network: network ?? networkOfCode(code),
    ...(tokenContract ? { contract: tokenContract } : {}),
    rate,
    source: sourceText(source),
  }
}

async function addCurrency(
  unit: UnitOfWork,
  currency: z.output<typeof currencyInput>,
): Promise<OperatorCurrency> {
  const network = currency.network ?? networkOfCode(currency.code)
  const rate = keepRate(currency.rate) ?? refuseRate()
  const address = await fixedAddress(unit, network, currency.address)
  const inserted = await unit.maybeOne<{ id: number }>(
    sql`insert into currencies (code, full_name, network, address, erc20, token_contract, rate, rate_source, price_id, position)
        values (${currency.code}, ${currency.fullName}, ${network}, ${address},
                ${currency.erc20 ?? isOfEvmWallet(currency.fullName, network)}, ${currency.tokenContract ?? null}, ${rate},
                ${currency.rateSource ?? 'manual'}, ${currency.priceId ?? null},
                coalesce((select max(position) + 1 from currencies), 0))
        on conflict (code) do nothing returning id`,
  )
  if (!inserted) return refuse('currency_exists')
  await noteRate(unit, inserted.id, rate, null, 'added')
  const after = { ...currency, address, network, rate }
  await unit.audit('currency.add', { type: 'currency', id: currency.code }, { after })
  await tellOfCurrency(unit, currency.code, ['address'], { address: '' }, { address })
  return readCurrency(unit, currency.code)
}

async function updateCurrencies(
  unit: UnitOfWork,
  items: readonly ChangeInput[],
): Promise<OperatorCurrency[]> {
  // A fixed locking order.
  for (const item of items.toSorted((a, b) => (a.code < b.code ? -1 : 1)))
    await updateCurrency(unit, item).catch((error: unknown) => {
      if (error instanceof Refusal && items.length > 1)
        throw new Refusal(error.code, { ...error.details, currency: item.code })
      throw error
    })
  const changed: OperatorCurrency[] = []
  for (const { code } of items) changed.push(await readCurrency(unit, code))
  return changed
}

async function updateCurrency(unit: UnitOfWork, item: ChangeInput): Promise<void> {
  const row = await lockCurrency(unit, item.code)
  if (item.revision !== undefined && item.revision !== row.revision)
    refuse('conflict', { current: operatorCurrency(row) })
  const now = destinationOf(row)
  // The second operator saw the replaced values.
  if (item.replaces && !isSameDestination(item.replaces, now)) refuse('conflict', { current: now })
  if (item.source !== undefined && item.source !== sourceAfter(row, item))
    refuse('conflict', { current: operatorCurrency(row) })
  if (!isSameAsset(item, now)) {
    if (row.watched) refuse('currency_watched')
    await refuseWhileInUse(unit, row.id)
  }
  const network = item.network ?? row.network
  const address = item.address ?? row.address
  // Removing an on-chain currency's wallet publishes its fixed address.
  const isElsewhere = network !== row.network || address !== row.address
  const isFixed = isElsewhere && !(row.watched && address === '')
  await writeCurrency(
    unit,
    row,
    isFixed ? { ...item, address: await fixedAddress(unit, network, address) } : item,
  )
}

// Rules: WALLET-5
/** An order is paid, credited and refunded in its own asset, and its address can be paid forever. */
async function refuseWhileInUse(unit: UnitOfWork, currencyId: number): Promise<void> {
  const { in_use } = await unit.one<{ in_use: boolean }>(
    sql`select exists (select 1 from orders where currency_id = ${currencyId}) as in_use`,
  )
  if (in_use) refuse('currency_in_use')
}

// Rules: TWO-4, TWO-18
/**
 * Waiting: a new payment destination, asset or rate source, or a far manual rate, and with them any rate
 * change. The rest is executed at the current revision only, because small changes may add up.
 */
async function approvalForMoney(
  tx: Queryable,
  items: readonly ChangeInput[],
): Promise<ApprovalDraft | Alone<ChangeInput[]>> {
  const alone: ChangeInput[] = []
  const kept: Record<string, unknown>[] = []
  const summary: Record<string, string> = {}
  const codes: string[] = []
  for (const { revision, ...item } of items) {
    const row = await readRow(tx, item.code)
    const current = operatorCurrency(row)
    if (revision !== undefined && revision !== row.revision)
      refuse('conflict', { current, ...(items.length > 1 && { currency: row.code }) })
    alone.push({ ...item, revision: row.revision })
    // Rates move while this waits; the form's old ones must not return.
    const changed = Object.entries(item).filter(
      ([field, value]) =>
        value !== undefined && field !== 'code' && value !== current[field as keyof typeof current],
    )
    const now = destinationOf(row)
    const next = Object.fromEntries(changed) as CurrencyChange
    const facts: Record<string, string> = {
      ...destinationFacts(now, { ...now, ...next }),
      ...(await rateFacts(tx, row, next)),
    }
    if (Object.keys(facts).length > 0) codes.push(row.code)
    // The rate may be far when confirmed.
    if (next.rate !== undefined) facts['rate'] = `${row.rate} → ${next.rate}`
    if (Object.keys(facts).length > 0) Object.assign(summary, named(row.code, facts, items.length > 1))
    kept.push({ code: row.code, ...next, replaces: now, source: sourceAfter(row, next) })
  }
  if (codes.length === 0) return { alone }
  return { subject: { type: 'currency', id: codes.join(', ') }, summary, keep: { input: kept } }
}

function destinationFacts(now: Destination, next: Destination): Record<string, string> {
  if (isSameDestination(now, next)) return {}
  const facts: Record<string, string> = { before: now.address, address: next.address }
  if (next.network !== now.network) facts['network'] = `${now.network} → ${next.network}`
  if (next.tokenContract !== now.tokenContract)
    facts['contract'] = `${now.tokenContract} → ${next.tokenContract}`
  return facts
}

async function rateFacts(
  tx: Queryable,
  row: CurrencyRow,
  next: CurrencyChange,
): Promise<Record<string, string>> {
  const facts: Record<string, string> = {}
  const { rate } = next
  if (rate !== undefined && (await isRateFar(tx, row.id, rate))) facts['rate'] = `${row.rate} → ${rate}`
  const before = sourceText(row)
  const after = sourceAfter(row, next)
  if (before !== after) facts['source'] = `${before} → ${after}`
  // Buyers choose a coin by name; a new one may send their money to another network.
  if (next.fullName !== undefined && next.fullName !== row.full_name)
    facts['name'] = `${row.full_name} → ${next.fullName}`
  return facts
}

type PriceSource = Pick<CurrencyRow, 'rate_source' | 'price_id' | 'full_name'>

const sourceText = (row: PriceSource) => `${row.rate_source} (${priceIdOf(row)})`

const sourceAfter = (row: PriceSource, { rateSource, priceId, fullName }: CurrencyChange) =>
  sourceText({
    rate_source: rateSource ?? row.rate_source,
    price_id: priceId === undefined ? row.price_id : priceId,
    full_name: fullName ?? row.full_name,
  })

/** The name replaces a missing price id, so it is part of the source. */
const priceIdOf = ({ price_id, full_name }: Pick<PriceSource, 'price_id' | 'full_name'>) =>
  price_id || full_name.toLowerCase().replaceAll(/\s+/g, '')

function named(code: string, facts: Record<string, string>, isOneOfMany: boolean): Record<string, string> {
  if (!isOneOfMany) return { currency: code, ...facts }
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [`${code} ${name}`, value]))
}

type Destination = z.output<typeof destination>

const destinationOf = (row: CurrencyRow): Destination => ({
  address: row.address,
  network: row.network,
  tokenContract: row.token_contract,
})

function isSameDestination(a: Destination, b: Destination): boolean {
  return a.address === b.address && isSameAsset(a, b)
}

function isSameAsset(next: { network?: string; tokenContract?: string | null }, now: Destination): boolean {
  const contract = (value: string | null) => (value ?? '').toLowerCase()
  return (
    (next.network === undefined || next.network === now.network) &&
    (next.tokenContract === undefined || contract(next.tokenContract) === contract(now.tokenContract))
  )
}

// Rules: WALLET-6
async function setEvmWallet(
  unit: UnitOfWork,
  { address: given, replaces }: EvmWalletChange,
): Promise<{ address: string; codes: string[] }> {
  const address = await fixedAddress(unit, 'ethereum', given, { testnet: false })
  const rows = (await unit.query<CurrencyRow>(sql`${lockedRow} order by k.id for update`)).filter(isReached)
  refuseOtherAddresses(rows, replaces)
  for (const row of rows) await writeCurrency(unit, row, { address })
  return { address, codes: rows.map((row) => row.code) }
}

const isReached = (row: CurrencyRow) => sharesEvmWallet({ ...row, fullName: row.full_name })

type EvmWalletChange = z.output<typeof evmWalletChange>

const addressesOf = (rows: readonly CurrencyRow[]): Record<string, string> =>
  Object.fromEntries(rows.map(({ code, address }) => [code, address]))

function refuseOtherAddresses(rows: readonly CurrencyRow[], seen: EvmWalletChange['replaces']): void {
  if (!seen) return
  const current = addressesOf(rows)
  const codes = new Set([...Object.keys(seen), ...Object.keys(current)])
  if ([...codes].some((code) => seen[code] !== current[code])) refuse('conflict', { current })
}

/** On confirmation the addresses must be unchanged. */
async function showEvmWallet(tx: Queryable, { address, replaces }: EvmWalletChange): Promise<ApprovalDraft> {
  const rows = (await tx.query<CurrencyRow>(sql`${lockedRow} order by k.id`)).filter(isReached)
  refuseOtherAddresses(rows, replaces)
  return {
    subject: { type: 'currency', id: 'ERC-20' },
    summary: { before: evmAddresses(rows), address },
    keep: { input: { address, replaces: addressesOf(rows) } },
  }
}

function evmAddresses(rows: readonly CurrencyRow[]): string {
  return [...new Set(rows.map(({ address }) => address))]
    .map((address) => {
      const codes = rows.filter((row) => row.address === address).map(({ code }) => code)
      return `${codes.join(', ')}: ${address || '—'}`
    })
    .join('; ')
}

// Rules: WALLET-3
async function removeCurrency(
  unit: UnitOfWork,
  { code, revision }: z.output<typeof removeInput>,
): Promise<{ outcome: 'deleted' | 'switched_off' }> {
  const row = await lockCurrency(unit, code)
  if (revision !== undefined && revision !== row.revision)
    refuse('conflict', { current: operatorCurrency(row) })
  const { used } = await unit.one<{ used: boolean }>(
    sql`select exists (select 1 from orders where currency_id = ${row.id}) as used`,
  )
  if (used) {
    await setSwitchedOff(unit, row.id, true)
  } else {
    await unit.query(sql`delete from currencies where id = ${row.id}`)
  }
  const { full_name, network, address, rate } = row
  await unit.audit(used ? 'currency.switch-off' : 'currency.delete', subjectOf(row), {
    before: { full_name, network, address, rate },
  })
  await tellOfCurrency(unit, row.code, [])
  return { outcome: used ? 'switched_off' : 'deleted' }
}

async function switchOn(unit: UnitOfWork, { code }: { code: string }): Promise<OperatorCurrency> {
  const row = await lockCurrency(unit, code)
  await setSwitchedOff(unit, row.id, false)
  await unit.audit('currency.switch-on', subjectOf(row))
  await tellOfCurrency(unit, row.code, [])
  return readCurrency(unit, row.code)
}

async function pauseCurrency(
  unit: UnitOfWork,
  { code, paused, previousPausedAt, reason }: z.output<typeof pauseInput>,
): Promise<OperatorCurrency> {
  const row = await lockCurrency(unit, code)
  const pausedAt = row.paused_at?.toISOString() ?? null
  if (previousPausedAt !== undefined && previousPausedAt !== pausedAt)
    refuse('conflict', { current: operatorCurrency(row) })
  await unit.query(
    sql`update currencies set paused_at = case when ${paused} then coalesce(paused_at, clock_timestamp()) end,
               pause_reason = ${paused && reason ? JSON.stringify(reason) : null}, revision = revision + 1
         where id = ${row.id}`,
  )
  await unit.audit(paused ? 'currency.pause' : 'currency.resume', subjectOf(row), { after: { reason } })
  await tellOfCurrency(unit, row.code, [])
  return readCurrency(unit, row.code)
}

// Rules: DELIVER-23
async function switchEscrow(
  unit: UnitOfWork,
  { code, inEscrow }: z.output<typeof escrowInput>,
): Promise<OperatorCurrency> {
  const row = await lockCurrency(unit, code)
  if (row.in_escrow === inEscrow) return readCurrency(unit, code)
  if (!row.watched) refuse('escrow_needs_wallet')
  const { used, accepted } = await unit.one<{ used: boolean; accepted: boolean }>(
    sql`select exists (select from orders where currency_id = ${row.id}) as used,
               exists (select from currencies k, escrows e where k.id = ${row.id} and escrow_takes(e, k)) as accepted`,
  )
  if (used) refuse('currency_has_orders')
  if (inEscrow && !accepted) refuse('escrow_missing')
  await unit.query(
    sql`update currencies set in_escrow = ${inEscrow}, revision = revision + 1 where id = ${row.id}`,
  )
  await unit.audit('currency.escrow', subjectOf(row), {
    before: { inEscrow: !inEscrow },
    after: { inEscrow },
  })
  await tellOfCurrency(unit, row.code, [])
  return readCurrency(unit, row.code)
}

// Rules: RATE-4
async function refreshRates(
  unit: UnitOfWork,
  fetchPrices: FetchPrices,
): Promise<{ updated: string[]; missing: string[] }> {
  const rows = await unit.query<CurrencyRow>(
    sql`select ${currencyColumns}, 0 as open_orders from currencies k order by k.position, k.id`,
  )
  const prices = await fetchPrices(rows.map((row) => ({ code: row.code, priceId: priceIdOf(row) }))).catch(
    (error: unknown) => {
      throw error instanceof Refusal ? error : new Refusal('rates_unavailable')
    },
  )
  // All rates use the same value until they are written.
  const { price_usd: mainUsd } = await unit.one<{ price_usd: string | null }>(
    sql`select price_usd from campaign for share`,
  )
  if (!mainUsd) return refuse('rates_unavailable')
  const updated: string[] = []
  const missing: string[] = []
  for (const row of rows) {
    const priceUsd = prices.get(priceIdOf(row))
    const rate = priceUsd && keepRate(divide(priceUsd, mainUsd))
    if (!rate) {
      missing.push(row.code)
      continue
    }
    await unit.query(
      sql`update currencies set rate = ${rate}, rate_at = clock_timestamp(), revision = revision + 1 where id = ${row.id}`,
    )
    await noteRate(unit, row.id, rate, priceUsd, 'refresh')
    updated.push(row.code)
  }
  await unit.audit('currency.refresh-rates', { type: 'currency', id: '*' }, { after: { updated, missing } })
  await tellOfCurrency(unit, '*', ['rate'])
  return { updated, missing }
}

async function writeCurrency(unit: UnitOfWork, row: CurrencyRow, item: CurrencyChange): Promise<void> {
  const rate = item.rate === undefined ? row.rate : (keepRate(item.rate) ?? refuseRate())
  const next = {
    full_name: item.fullName ?? row.full_name,
    network: item.network ?? row.network,
    address: item.address ?? row.address,
    erc20: item.erc20 ?? row.erc20,
    token_contract: item.tokenContract === undefined ? row.token_contract : item.tokenContract,
    rate,
    rate_source: item.rateSource ?? row.rate_source,
    price_id: item.priceId === undefined ? row.price_id : item.priceId || null,
  }
  const fields = (Object.keys(next) as (keyof typeof next)[]).filter((field) => next[field] !== row[field])
  if (fields.length === 0) return
  const isOtherAsset = fields.includes('network') || fields.includes('token_contract')
  await unit.query(
    sql`update currencies set full_name = ${next.full_name}, network = ${next.network}, address = ${next.address},
               erc20 = ${next.erc20}, token_contract = ${next.token_contract}, rate = ${rate},
               rate_source = ${next.rate_source}, price_id = ${next.price_id},
               coin_decimals = case when ${isOtherAsset} then null else coin_decimals end,
               chain_id = case when ${isOtherAsset} then null else chain_id end,
               rate_at = case when rate <> ${rate} then clock_timestamp() else rate_at end,
               revision = revision + 1
         where id = ${row.id}`,
  )
  if (fields.includes('rate') || fields.includes('rate_source'))
    await noteRate(unit, row.id, rate, null, 'edited')
  const sideOf = (side: typeof next): Partial<typeof next> =>
    Object.fromEntries(fields.map((field) => [field, side[field]]))
  const [before, after] = [sideOf(row), sideOf(next)]
  await unit.audit('currency.update', subjectOf(row), { before, after })
  await tellOfCurrency(unit, row.code, fields, before, after)
}

const lockedRow = fragment`select ${currencyColumns}, 0 as open_orders from currencies k`

async function lockCurrency(unit: UnitOfWork, code: string): Promise<CurrencyRow> {
  const row = await unit.maybeOne<CurrencyRow>(sql`${lockedRow} where k.code = ${code} for update`)
  return row ?? refuse('currency_unknown')
}

async function readRow(tx: Queryable, code: string): Promise<CurrencyRow> {
  const row = await tx.maybeOne<CurrencyRow>(
    sql`select ${currencyColumns},
               (select count(*) from orders o
                 where o.currency_id = k.id and o.status = 'pending' and (o.held or o.expires_at > clock_timestamp())) as open_orders
          from currencies k where k.code = ${code}`,
  )
  return row ?? refuse('currency_unknown')
}

async function readCurrency(tx: Queryable, code: string): Promise<OperatorCurrency> {
  return operatorCurrency(await readRow(tx, code))
}

async function noteRate(
  unit: UnitOfWork,
  currencyId: number,
  rate: string,
  priceUsd: string | null,
  reason: 'added' | 'edited' | 'refresh',
): Promise<void> {
  await unit.query(sql`select note_rate(${currencyId}, ${rate}, ${priceUsd}, ${reason})`)
}

async function setSwitchedOff(unit: UnitOfWork, currencyId: number, isOff: boolean): Promise<void> {
  await unit.query(
    sql`update currencies set switched_off_at = case when ${isOff} then coalesce(switched_off_at, clock_timestamp()) end,
               revision = revision + 1
         where id = ${currencyId}`,
  )
}

async function tellOfCurrency(
  unit: UnitOfWork,
  code: string,
  fields: readonly string[],
  before: Readonly<Record<string, unknown>> = {},
  after: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await unit.tell('currency_changed', { code, fields, before, after, by: unit.actor.login })
}

const subjectOf = (row: CurrencyRow) => ({ type: 'currency', id: row.code }) as const

function refuseRate(): never {
  refuseField('rate', 'rate_not_positive')
}

// Rules: WALLET-1, WALLET-11
/**
 * Returns a fixed address's canonical form; a demo accepts test networks. `address_taken`:
 * functions/currencies/keep_fixed_address.sql.
 */
async function fixedAddress(
  tx: Queryable,
  network: Network,
  given: string,
  options?: { readonly testnet: boolean },
): Promise<string> {
  const { testnet } =
    options ?? (await tx.one<{ testnet: boolean }>(sql`select is_demo as testnet from campaign`))
  const reason = checkAddress(network, given, { testnet })
  if (reason) refuse('address_invalid', { network, reason })
  const key = addressKeyOf(network, given)
  const { isTaken } = await tx.one<{ isTaken: boolean }>(
    sql`select is_contract_of_sale(${key})
            or exists (select from wallet_addresses where address_key = ${key} and wallet_id is not null) as "isTaken"`,
  )
  if (isTaken) refuse('address_taken')
  return canonicalAddress(network, given)
}
