import { Transaction } from '@scure/btc-signer'
import type { AddressNet } from '../../shared/addresses.ts'
import type { WalletScript } from '../../shared/api/payments.ts'
import { divide } from '../../shared/money.ts'
import { unitsFromAmount } from '../../shared/wallet-links.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { addressAt, inputScripts } from './account-keys.ts'
import { addressParameters, type BitcoinNetwork } from './bitcoin/networks.ts'

interface CoinRow {
  transaction_id: string
  output_key: string
  amount: string
  index: number
  account_key: string
  script: WalletScript
  net: AddressNet
}

const COIN_DECIMALS = 8
/** Virtual bytes by script (BIP 141): frame, input, output; rounded up. */
const FRAME_VBYTES = 11
const OUTPUT_VBYTES = 43
const INPUT_VBYTES: Record<string, number> = { p2wpkh: 69, 'p2sh-p2wpkh': 92 }
const DUST_UNITS = 10_000n

/**
 * An unsigned transaction (BIP 174, base64) that pays the refunds from the wallet's own payments, change to its change chain. Coins
 * are taken largest first. Refuses refund_funds_missing where they do not reach.
 */
export async function unsignedTransaction(
  tx: Queryable,
  network: BitcoinNetwork,
  due: readonly { readonly address: string | null; readonly amount: string }[],
  feePerVbyte: number,
): Promise<string> {
  const coins = await unspentCoins(tx, network)
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

/** The wallet's own payments that nothing has spent, the largest first. */
function unspentCoins(tx: Queryable, network: BitcoinNetwork): Promise<CoinRow[]> {
  return tx.query<CoinRow>(
    sql`select p.transaction_id, p.output_key, p.amount, a.index, w.account_key, w.script, w.net
          from payments p join wallet_addresses a on a.address = p.address join wallets w on w.id = a.wallet_id
         where p.chain = ${network} and w.family = ${network} and p.spent_by is null and p.block_height is not null and not p.failed
           and w.script in ('p2wpkh', 'p2sh-p2wpkh')
         order by p.amount desc, p.id`,
  )
}

function coinUnits(amount: string): bigint {
  const units = unitsFromAmount(amount, COIN_DECIMALS)
  if (units === null) throw new Error(`${amount} has more decimals than its coin`)
  return units
}
