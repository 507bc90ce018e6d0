import { Transaction } from '@scure/btc-signer'
import { divide } from '../../shared/money.ts'
import { type CoreNetwork, networkFacts } from '../../shared/networks.ts'
import { unitsFromAmount } from '../../shared/wallet-links.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { hasChangeChain, ownScripts } from './account-keys.ts'
import { addressParameters } from './bitcoin/networks.ts'
import { accountColumns, accountKeyOf, type StoredAccount } from './wallet-rows.ts'

interface CoinRow extends StoredAccount {
  transaction_id: string
  output_key: string
  amount: string
  index: number
  /** 0 for payments, 1 for change. */
  branch: number
  origin: string | null
  /** Earlier files of the same refunds that spend it. */
  files: string[]
}

interface Due {
  readonly id: string
  readonly address: string
  readonly amount: string
}

// Rules: REFUND-3, REFUND-6
export interface UnsignedTransaction {
  /** BIP 174, in base64. */
  readonly content: string
  readonly inputs: readonly string[]
  /** Nodes relay no output that small. */
  readonly leftOut: readonly string[]
}

const COIN_DECIMALS = 8
/** By script (BIP 141): frame, input, output; rounded up. */
const FRAME_VBYTES = 11
const OUTPUT_VBYTES = 43
const INPUT_VBYTES: Record<string, number> = { p2wpkh: 69, 'p2sh-p2wpkh': 92 }
const CHANGE_UNITS = 10_000n

/**
 * Pays the refunds from the wallet's payments and change. Spends coins of earlier files for the same refunds
 * first, at least one of each file, which excludes them; then the largest coins. Inputs and change carry key
 * paths, so that the operator's wallet recognises them. Errors: refund_too_small if all are dust,
 * refund_funds_missing, unavailable if no known `SECRET_KEY` opens an account key, account_key_invalid if
 * change would go to buyers' addresses.
 */
export async function unsignedTransaction(
  tx: Queryable,
  secrets: Secrets,
  network: CoreNetwork,
  due: readonly Due[],
  feePerVbyte: number,
): Promise<UnsignedTransaction> {
  const all = due.map((row) => ({ ...row, units: coinUnits(row.amount) }))
  const dust = coinUnits(networkFacts[network].dust)
  const outputs = all.filter(({ units }) => units >= dust)
  const leftOut = all.filter(({ units }) => units < dust).map(({ id }) => id)
  if (outputs.length === 0) refuse('refund_too_small')
  const refundIds = outputs.map(({ id }) => id)
  const coins = await unspentCoins(tx, network, refundIds)
  const first = coins[0] ?? refuse('refund_funds_missing')
  const parameters = addressParameters(network, first.net)
  const transaction = new Transaction({ version: 2 })
  const inputs: string[] = []
  const paid = outputs.reduce((total, output) => total + output.units, 0n)
  let vbytes = FRAME_VBYTES + OUTPUT_VBYTES * (outputs.length + 1)
  let gathered = 0n
  const earlier = new Set(coins.flatMap(({ files }) => files))
  for (const coin of coins) {
    const excludes = coin.files.some((file) => earlier.has(file))
    if (!excludes && gathered >= paid + BigInt(vbytes * feePerVbyte)) continue
    for (const file of coin.files) earlier.delete(file)
    addCoin(transaction, coin, accountOf(secrets, network, coin))
    inputs.push(`${coin.transaction_id}:${coin.output_key}`)
    gathered += coinUnits(coin.amount)
    vbytes += INPUT_VBYTES[coin.script] ?? 148
  }
  const change = gathered - paid - BigInt(vbytes * feePerVbyte)
  if (change < 0n) refuse('refund_funds_missing', { short: divide((-change).toString(), '100000000') })
  for (const output of outputs) transaction.addOutputAddress(output.address, output.units, parameters)
  if (change >= CHANGE_UNITS) {
    const account = accountOf(secrets, network, first)
    if (!hasChangeChain(account)) refuse('account_key_invalid', { why: 'depth' })
    transaction.addOutput({ ...ownScripts(account, 0, 1), amount: change })
  }
  return { content: Buffer.from(transaction.toPSBT(0)).toString('base64'), inputs, leftOut }
}

const accountOf = (secrets: Secrets, family: CoreNetwork, coin: CoinRow) => ({
  ...accountKeyOf(secrets, coin),
  family,
  origin: coin.origin,
})

function addCoin(transaction: Transaction, coin: CoinRow, account: ReturnType<typeof accountOf>): void {
  const { script, ...known } = ownScripts(account, coin.index, coin.branch)
  transaction.addInput({
    txid: coin.transaction_id,
    index: Number(coin.output_key),
    witnessUtxo: { script, amount: coinUnits(coin.amount) },
    ...known,
    // The operator's wallet can raise the fee.
    sequence: 0xfffffffd,
  })
}

/**
 * The segwit wallets' payments and change, unspent, or spent only by a waiting transaction of the same
 * refunds. Coins of a file for `refundIds` first, coins promised to other refunds' files last; the largest
 * first.
 */
function unspentCoins(tx: Queryable, network: CoreNetwork, refundIds: readonly string[]): Promise<CoinRow[]> {
  return tx.query<CoinRow>(
    sql`with promised as (
          select i.outpoint, array_agg(distinct f.id::text) filter (where r.id = any(${refundIds}::bigint[])) as files
            from refund_files f join refund_file_lines l on l.file_id = f.id join refunds r on r.id = l.refund_id
           cross join unnest(f.inputs) as i(outpoint)
           where f.chain = ${network} and r.state in ('prepared', 'sent') group by i.outpoint)
        select p.transaction_id, p.output_key, p.amount, p.index, p.branch, ${accountColumns}, w.origin, coalesce(m.files, '{}') as files
          from (select x.transaction_id, x.output_key, x.amount, a.wallet_id, a.index, 0 as branch, x.spent_by, x.spent_height
                  from payments x join wallet_addresses a on a.address = x.address
                 where x.chain = ${network} and x.block_height is not null and not x.failed
                union all
                select c.transaction_id, c.output::text, c.amount, c.wallet_id, c.index, 1, c.spent_by, c.spent_height
                  from own_coins c where c.chain = ${network}) p
          join wallets w on w.id = p.wallet_id
          left join promised m on m.outpoint = p.transaction_id || ':' || p.output_key
         where w.family = ${network}
           and (p.spent_by is null or (p.spent_height is null and p.spent_by in (select transaction_id from refunds where id = any(${refundIds}::bigint[]))))
           and w.script in ('p2wpkh', 'p2sh-p2wpkh')
         order by case when m.files is not null then 0 when m.outpoint is null then 1 else 2 end, p.amount desc, p.branch, p.transaction_id, p.output_key`,
  )
}

function coinUnits(amount: string): bigint {
  const units = unitsFromAmount(amount, COIN_DECIMALS)
  if (units === null) throw new Error(`${amount} has more decimals than its coin`)
  return units
}
