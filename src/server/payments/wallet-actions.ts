import { z } from 'zod'
import { addressKeyOf } from '../../shared/addresses.ts'
import type { OperatorWallet } from '../../shared/api/payments.ts'
import { operatorPaymentSchemas as schemas } from '../../shared/api/payments-schemas.ts'
import { type AddressNet, type Network, walletFamilyOf } from '../../shared/networks.ts'
import { isToken } from '../../shared/wallet-links.ts'
import { type Alone, type ApprovalDraft, defineAction } from '../actions/actions.ts'
import { fragment, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { type Secrets, sealAccountKey } from '../secrets/secrets.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { type AccountKey, addressAt, readAccountKey } from './account-keys.ts'
import { accountColumns, readableAccountOf, readWallet, type StoredAccount, shortKey } from './wallet-rows.ts'

// Rules: WALLET-7, WALLET-8
export interface ChainFacts {
  /** Undefined if the network is not configured. */
  netOf(network: Network): AddressNet | undefined
  /** EIP-155. */
  chainIdOf(network: Network): number | undefined
  /** Null contract: the native coin. */
  decimalsOf(network: Network, tokenContract: string | null): Promise<number>
}

const addInput = schemas.addWallet.body
const checkInput = schemas.checkWallet.body.extend({ id: z.number().int() })
/** As shown to the second operator; must be unchanged on confirmation. */
const destination = z.object({
  network: z.string(),
  tokenContract: z.string().nullable(),
  watched: z.boolean(),
  walletId: z.number().int().nullable(),
  address: z.string(),
})
const assignInput = schemas.setCurrencyWallet.body.extend({
  code: z.string().transform((code) => code.toUpperCase()),
  replaces: destination.optional(),
})

export interface WalletActionsNeeds {
  readonly secrets: Secrets
  readonly chains: ChainFacts
}

export const walletActions = ({ secrets, chains }: WalletActionsNeeds) => ({
  /** A known key returns its wallet. */
  'wallet.add': defineAction({
    name: 'wallet.add',
    input: addInput,
    needsApproval: (_tx, input) => showKey(chains, input),
    execute: (unit, input) => addWallet(unit, { secrets, chains }, input),
  }),
  /** Unavailable if no known `SECRET_KEY` opens the account key. */
  'wallet.check': defineAction({
    name: 'wallet.check',
    input: checkInput,
    execute: (unit, input) => checkWallet(unit, secrets, input),
  }),
  /**
   * Gives each order of a currency its own wallet address, or (null) the fixed address again. Unavailable as
   * above.
   */
  'currency.wallet': defineAction({
    name: 'currency.wallet',
    input: assignInput,
    needsApproval: (tx, input) => showAssignment(tx, { secrets, chains }, input),
    execute: (unit, input) => assignWallet(unit, { secrets, chains }, input),
  }),
})

type NewWallet = z.output<typeof addInput>

function readKey(chains: ChainFacts, { family, script, accountKey }: NewWallet) {
  const net = family === 'evm' ? 'main' : chains.netOf(family)
  if (net === undefined) refuse('chain_not_followed')
  return readAccountKey(accountKey, { family, net, script })
}

// Rules: TWO-18
async function showKey(chains: ChainFacts, input: NewWallet): Promise<ApprovalDraft> {
  const key = readKey(chains, input)
  const addresses = [0, 1, 2].map((index) => addressAt(key, index))
  return {
    subject: { type: 'wallet', id: input.name },
    summary: {
      wallet: input.name,
      network: key.family,
      accountKey: shortKey(key.key),
      addresses: addresses.join(', '),
    },
  }
}

async function addWallet(
  unit: UnitOfWork,
  { secrets, chains }: WalletActionsNeeds,
  input: NewWallet,
): Promise<OperatorWallet> {
  const key = readKey(chains, input)
  // One after another: each encryption differs, so no constraint detects an existing key.
  await unit.query(sql`select pg_advisory_xact_lock(hashtextextended('wallet.add', 0))`)
  const id = (await findWallet(unit, secrets, key)) ?? (await nextWalletId(unit))
  await unit.query(
    sql`insert into wallets (id, family, name, account_key_sealed, origin, script, net, operator_id) overriding system value
        values (${id}, ${key.family}, ${input.name}, ${sealAccountKey(secrets, id, key.key)}, ${key.origin ?? null},
                ${key.script}, ${key.net}, ${unit.actor.operatorId})
        on conflict (id) do update set account_key = null, account_key_sealed = excluded.account_key_sealed,
                                       origin = coalesce(excluded.origin, wallets.origin)`,
  )
  const after = { name: input.name, family: key.family, script: key.script, accountKey: shortKey(key.key) }
  await unit.audit('wallet.add', { type: 'wallet', id: String(id) }, { after })
  return readWallet(secrets, unit, id)
}

// Rules: RIGHT-20
/**
 * By account key. A wallet that no known `SECRET_KEY` opens is found by its newest address: it takes the key
 * again and continues.
 */
async function findWallet(tx: Queryable, secrets: Secrets, key: AccountKey): Promise<number | undefined> {
  const rows = await tx.query<StoredAccount & { given: string | null; index: number | null }>(
    sql`select ${accountColumns}, a.address as given, a.index
          from wallets w left join lateral (
                 select g.address, g.index from wallet_addresses g where g.wallet_id = w.id order by g.index desc limit 1) a on true
         where w.family = ${key.family} and w.script = ${key.script} order by w.id`,
  )
  return rows.find((row) => {
    const known = readableAccountOf(secrets, row)
    return known ? known.key === key.key : row.index !== null && row.given === addressAt(key, row.index)
  })?.id
}

async function nextWalletId(tx: Queryable): Promise<number> {
  const { id } = await tx.one<{ id: number }>(
    sql`select nextval(pg_get_serial_sequence('wallets', 'id'))::integer as id`,
  )
  return id
}

/** Errors: unavailable if no known `SECRET_KEY` opens the account key. */
function withKey(wallet: OperatorWallet): OperatorWallet {
  return wallet.accountKey === '' ? refuse('unavailable') : wallet
}

async function checkWallet(
  unit: UnitOfWork,
  secrets: Secrets,
  { id, addresses }: z.output<typeof checkInput>,
): Promise<OperatorWallet> {
  const { family, firstAddresses } = withKey(await readWallet(secrets, unit, id))
  const agree = firstAddresses.every((address, index) => {
    const given = addresses[index]?.trim() ?? ''
    return addressKeyOf(family, given) === addressKeyOf(family, address)
  })
  if (!agree) refuse('wallet_addresses_differ', { expected: firstAddresses })
  await unit.query(
    sql`update wallets set checked_at = coalesce(checked_at, clock_timestamp()) where id = ${id}`,
  )
  await unit.audit('wallet.check', { type: 'wallet', id: String(id) }, { after: { addresses } })
  return readWallet(secrets, unit, id)
}

interface CurrencyRow {
  id: number
  code: string
  network: Network
  token_contract: string | null
  watched: boolean
  in_escrow: boolean
  wallet_id: number | null
  address: string
  revision: number
}

const currencyByCode = fragment`select id, code, network, token_contract, watched, in_escrow, wallet_id, address, revision from currencies`

async function readCurrency(tx: Queryable, code: string): Promise<CurrencyRow> {
  const row = await tx.maybeOne<CurrencyRow>(sql`${currencyByCode} where code = ${code}`)
  return row ?? refuse('currency_unknown')
}

async function assignWallet(
  unit: UnitOfWork,
  { secrets, chains }: WalletActionsNeeds,
  { code, walletId, replaces, revision }: z.output<typeof assignInput>,
): Promise<{ code: string; watched: boolean; walletId: number | null }> {
  const read = await readCurrency(unit, code)
  const wallet = walletId === null ? null : withKey(await readWallet(secrets, unit, walletId))
  if (wallet && wallet.checkedAt === null) refuse('wallet_not_checked')
  if (wallet && walletFamilyOf(read.network) !== wallet.family)
    refuse('account_key_network', { keyOf: wallet.family })
  // Before the currency is locked: the node may be slow.
  const decimals = wallet ? await decimalsFor(unit, chains, read) : null
  const currency = await unit.one<CurrencyRow>(sql`${currencyByCode} where id = ${read.id} for update`)
  refuseOtherRevision(currency, revision)
  const current = destinationOf(currency)
  if (currency.in_escrow && !wallet) refuse('currency_in_escrow')
  if (!isSame(current, replaces ?? { ...current, ...assetOf(read) })) refuse('conflict', { current })

  const chainId = wallet ? (chains.chainIdOf(currency.network) ?? null) : null
  await unit.query(
    sql`update currencies set watched = ${wallet !== null}, wallet_id = coalesce(${walletId}, wallet_id),
               coin_decimals = coalesce(${decimals}, coin_decimals), chain_id = coalesce(${chainId}, chain_id),
               revision = revision + 1
         where id = ${currency.id}`,
  )
  const isMoved = wallet?.id !== (currency.watched ? currency.wallet_id : undefined)
  const before = { watched: currency.watched, walletId: currency.wallet_id }
  const after = { watched: wallet !== null, walletId: walletId ?? currency.wallet_id }
  await unit.audit('currency.wallet', { type: 'currency', id: code }, { before, after })
  await unit.tell('currency_changed', {
    code,
    fields: isMoved ? ['address'] : [],
    before: { address: await paidTo(unit, secrets, currency) },
    after: { address: wallet ? addressesOf(wallet) : currency.address },
    by: unit.actor.login,
  })
  return { code, ...after }
}

/** Errors: conflict if the currency changed since it was seen. */
function refuseOtherRevision(row: CurrencyRow, seen: number | undefined): void {
  if (seen !== undefined && seen !== row.revision)
    refuse('conflict', { current: { ...destinationOf(row), revision: row.revision } })
}

async function decimalsFor(tx: Queryable, chains: ChainFacts, currency: CurrencyRow): Promise<number> {
  const { followed } = await tx.one<{ followed: boolean }>(
    sql`select exists (select 1 from chains where name = ${currency.network}) as followed`,
  )
  if (!followed || chains.netOf(currency.network) === undefined) refuse('chain_not_followed')
  if (isToken(currency) && !currency.token_contract) refuse('token_contract_missing')
  return chains.decimalsOf(currency.network, currency.token_contract || null)
}

type Destination = z.output<typeof destination>

const assetOf = (row: CurrencyRow) => ({ network: row.network, tokenContract: row.token_contract })
const destinationOf = (row: CurrencyRow): Destination => ({
  ...assetOf(row),
  watched: row.watched,
  walletId: row.wallet_id,
  address: row.address,
})

function isSame(a: Destination, b: Destination): boolean {
  return (Object.keys(a) as (keyof Destination)[]).every((field) => a[field] === b[field])
}

// Rules: TWO-5
/**
 * Shows the payment destination before and after (wallet and first addresses), and the decimals. An unchanged
 * destination needs no approval.
 */
async function showAssignment(
  tx: Queryable,
  { secrets, chains }: WalletActionsNeeds,
  { code, walletId, revision }: z.output<typeof assignInput>,
): Promise<ApprovalDraft | Alone<z.output<typeof assignInput>>> {
  const currency = await readCurrency(tx, code)
  refuseOtherRevision(currency, revision)
  const replaces = destinationOf(currency)
  const next = walletId === null ? null : withKey(await readWallet(secrets, tx, walletId))
  const stays = next ? currency.watched && currency.wallet_id === walletId : !currency.watched
  if (stays) return { alone: { code, walletId, replaces } }
  const now =
    currency.watched && currency.wallet_id !== null ? await readWallet(secrets, tx, currency.wallet_id) : null
  return {
    subject: { type: 'currency', id: code },
    summary: {
      currency: code,
      before: now ? nameOf(now) : currency.address,
      ...(next
        ? {
            wallet: nameOf(next),
            addresses: next.firstAddresses.join(', '),
            accountKey: shortKey(next.accountKey),
            decimals: String(await decimalsFor(tx, chains, currency)),
          }
        : { address: currency.address }),
    },
    keep: { input: { code, walletId, replaces } },
  }
}

/** The fixed address, or the wallet's first addresses. */
async function paidTo(
  tx: Queryable,
  secrets: Secrets,
  { watched, wallet_id, address }: CurrencyRow,
): Promise<string> {
  return watched && wallet_id !== null ? addressesOf(await readWallet(secrets, tx, wallet_id)) : address
}

const addressesOf = (wallet: OperatorWallet) => `${nameOf(wallet)}: ${wallet.firstAddresses.join(', ')}`
const nameOf = (wallet: OperatorWallet) => `${wallet.name} (#${wallet.id})`
