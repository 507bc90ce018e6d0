import { Transaction } from '@scure/btc-signer'
import type { AddressNet } from '../../shared/addresses.ts'
import { evmNetworks, type Network } from '../../shared/api/currencies.ts'
import type { OperatorRefund, WalletScript } from '../../shared/api/payments.ts'
import { divide } from '../../shared/money.ts'
import type { RefundState } from '../../shared/payment-states.ts'
import { unitsFromAmount } from '../../shared/wallet-links.ts'
import { recordAudit } from '../audit/audit.ts'
import { type Database, type Queryable, statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { addressAt, inputScripts } from './account-keys.ts'
import { addressParameters, type BitcoinNetwork, bitcoinNetworks } from './bitcoin/networks.ts'
import { type Payments, type RefundRow, refundFromRow } from './payments.ts'

interface OperatorRefundRow extends RefundRow {
  order_id: string | null
  user_reference: string
  payment_id: string
  prepared_at: Date | null
  token_contract: string | null
}

interface CoinRow {
  transaction_id: string
  output_key: string
  amount: string
  index: number
  account_key: string
  script: WalletScript
  net: AddressNet
}

const SELECT = `select r.id, r.currency, r.chain, r.amount, r.usd, r.reason, r.state, r.owed_at, r.address, r.transaction_id, r.confirmations, r.paid_at,
    r.order_id, r.payment_id, r.prepared_at, u.reference as user_reference, k.token_contract
  from refunds r join users u on u.id = r.user_id join currencies k on k.id = r.currency_id`
const LIST = statement(
  'refunds_list',
  `${SELECT} where ($1::text is null or r.state = $1) and ($2::text is null or r.chain = $2)
      and ($3::boolean is null or (r.state in ('paid', 'written_off'), r.id) > ($3::boolean, $4::bigint))
    order by r.state in ('paid', 'written_off'), r.id limit $5`,
)
const FIND = statement('refund_find', `${SELECT} where r.id = $1 for update of r`)
const DUE = statement(
  'refunds_due',
  `${SELECT} where r.chain = $1 and r.state in ('claimed', 'prepared') and ($2::bigint[] is null or r.id = any($2)) order by r.id for update of r`,
)
const PREPARED = statement(
  'refunds_prepared',
  "update refunds set state = 'prepared', prepared_at = coalesce(prepared_at, clock_timestamp()) where id = any($1::bigint[])",
)
const SENT = statement('refund_sent', 'select id from mark_refund_sent($1, $2) as id where id is not null')
const COINS = statement(
  'refund_coins',
  `select p.transaction_id, p.output_key, p.amount, a.index, w.account_key, w.script, w.net
     from payments p join wallet_addresses a on a.address = p.address join wallets w on w.id = a.wallet_id
    where p.chain = $1 and w.family = $1 and p.spent_by is null and p.block_height is not null and not p.failed and w.script in ('p2wpkh', 'p2sh-p2wpkh')
    order by p.amount desc, p.id`,
)

const COIN_DECIMALS = 8
const FEE_PER_VBYTE = 10
/** Virtual bytes by script (BIP 141): frame, input, output; rounded up. */
const FRAME_VBYTES = 11
const OUTPUT_VBYTES = 43
const INPUT_VBYTES: Record<string, number> = { p2wpkh: 69, 'p2sh-p2wpkh': 92 }
const DUST_UNITS = 10_000n

export interface RefundEditor {
  readonly operatorId: string
  readonly requestId: string
}

export interface Prepared {
  readonly format: 'psbt' | 'csv'
  readonly fileName: string
  readonly content: string
  readonly count: number
  readonly refundIds: string[]
}

export interface Refunds {
  list(filter: {
    after?: string | undefined
    limit: number
    state?: RefundState | undefined
    network?: Network | undefined
  }): Promise<{ items: OperatorRefund[]; next: string | null }>
  /** What an operator signs in their own wallet. Refusals: refund_unknown (nothing is claimed), refund_funds_missing. */
  prepare(
    want: {
      network: Network
      format: 'psbt' | 'csv'
      refundIds?: readonly string[] | undefined
      feePerVbyte?: number | undefined
    },
    editor: RefundEditor,
  ): Promise<Prepared>
  /** Refusals: refund_unknown, refund_state. */
  sent(id: string, transactionId: string, editor: RefundEditor): Promise<OperatorRefund>
}

export function createRefunds(db: Database, payments: Pick<Payments, 'explorerUrl'>): Refunds {
  const show = (row: OperatorRefundRow): OperatorRefund => ({
    ...refundFromRow(row, payments.explorerUrl),
    orderId: row.order_id === null ? null : Number(row.order_id),
    userReference: row.user_reference,
    paymentId: row.payment_id,
    preparedAt: row.prepared_at?.toISOString() ?? null,
  })

  return {
    async list({ after, limit, state, network }) {
      const cursor = /^([01])\.(\d{1,18})$/.exec(after ?? '')
      const rows = await db.query<OperatorRefundRow>(LIST, [
        state ?? null,
        network ?? null,
        cursor ? cursor[1] === '1' : null,
        cursor?.[2] ?? '0',
        limit + 1,
      ])
      const items = rows.slice(0, limit)
      const last = items.at(-1)
      const isDone = last?.state === 'paid' || last?.state === 'written_off'
      return {
        items: items.map(show),
        next: rows.length > limit && last ? `${isDone ? 1 : 0}.${last.id}` : null,
      }
    },

    prepare: (want, editor) =>
      db.transaction(async (tx) => {
        const due = await tx.query<OperatorRefundRow>(DUE, [want.network, want.refundIds ?? null])
        if (due.length === 0) refuse('refund_unknown')
        const isPsbt = want.format === 'psbt' && bitcoinNetworks.includes(want.network)
        const content = isPsbt
          ? await unsignedTransaction(
              tx,
              want.network as BitcoinNetwork,
              due,
              want.feePerVbyte ?? FEE_PER_VBYTE,
            )
          : csvOf(want.network, due)
        const refundIds = due.map((row) => row.id)
        await tx.query(PREPARED, [refundIds])
        for (const id of refundIds)
          await recordAudit(tx, {
            operatorId: editor.operatorId,
            action: 'refund.prepare',
            subjectType: 'refund',
            subjectId: id,
            after: { format: want.format },
            requestId: editor.requestId,
          })
        const format = isPsbt ? ('psbt' as const) : ('csv' as const)
        return {
          format,
          fileName: `refunds-${want.network}-${refundIds[0]}.${format}`,
          content,
          count: due.length,
          refundIds,
        }
      }),

    sent: (id, transactionId, editor) =>
      db.transaction(async (tx) => {
        if (!(await tx.maybeOne(FIND, [id]))) refuse('refund_unknown')
        if (!(await tx.maybeOne(SENT, [id, transactionId.toLowerCase()]))) refuse('refund_state')
        await recordAudit(tx, {
          operatorId: editor.operatorId,
          action: 'refund.sent',
          subjectType: 'refund',
          subjectId: id,
          after: { transactionId },
          requestId: editor.requestId,
        })
        return show(await tx.one<OperatorRefundRow>(FIND, [id]))
      }),
  }
}

/** One line a refund. EVM chains: the form that Safe's CSV app imports; others: address, amount and what it is. */
function csvOf(network: Network, due: readonly OperatorRefundRow[]): string {
  if (evmNetworks.includes(network)) {
    const lines = due.map((row) =>
      [
        row.token_contract ? 'erc20' : 'native',
        row.token_contract ?? '',
        row.address ?? '',
        row.amount,
        row.id,
      ].join(','),
    )
    return ['token_type,token_address,receiver,amount,id', ...lines, ''].join('\n')
  }
  return [
    'address,amount,currency,refund',
    ...due.map((row) => [row.address ?? '', row.amount, row.currency, row.id].join(',')),
    '',
  ].join('\n')
}

/**
 * An unsigned transaction (BIP 174, base64) that pays the refunds from the wallet's own payments, change to its change chain. Coins
 * are taken largest first. Refuses refund_funds_missing where they do not reach.
 */
async function unsignedTransaction(
  tx: Queryable,
  network: BitcoinNetwork,
  due: readonly OperatorRefundRow[],
  feePerVbyte: number,
): Promise<string> {
  const coins = await tx.query<CoinRow>(COINS, [network])
  const first = coins[0] ?? refuse('refund_funds_missing')
  const parameters = addressParameters(network, first.net)
  const transaction = new Transaction({ version: 2 })
  const outputs = due.map((row) => ({ address: row.address ?? '', units: coinUnits(row.amount) }))
  const paid = outputs.reduce((total, output) => total + output.units, 0n)
  let vbytes = FRAME_VBYTES + OUTPUT_VBYTES * (outputs.length + 1)
  let gathered = 0n
  for (const coin of coins) {
    if (gathered >= paid + BigInt(vbytes * feePerVbyte)) break
    const account = { family: network, script: coin.script, net: coin.net, key: coin.account_key }
    const { script, redeemScript } = inputScripts(account, coin.index)
    const amount = coinUnits(coin.amount)
    transaction.addInput({
      txid: coin.transaction_id,
      index: Number(coin.output_key),
      witnessUtxo: { script, amount },
      ...(redeemScript && { redeemScript }),
      // Replaceable, so that the operator's wallet may raise the fee.
      sequence: 0xfffffffd,
    })
    gathered += amount
    vbytes += INPUT_VBYTES[coin.script] ?? 148
  }
  const change = gathered - paid - BigInt(vbytes * feePerVbyte)
  if (change < 0n) refuse('refund_funds_missing', { short: divide((-change).toString(), '100000000') })
  for (const output of outputs) transaction.addOutputAddress(output.address, output.units, parameters)
  if (change >= DUST_UNITS) {
    const account = { family: network, script: first.script, net: first.net, key: first.account_key }
    transaction.addOutputAddress(addressAt(account, 0, 1), change, parameters)
  }
  return Buffer.from(transaction.toPSBT(0)).toString('base64')
}

function coinUnits(amount: string): bigint {
  const units = unitsFromAmount(amount, COIN_DECIMALS)
  if (units === null) throw new Error(`${amount} has more decimals than its coin`)
  return units
}
