import { t } from '@lingui/core/macro'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import { saveFile } from '../../area/save-file.ts'

const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Saves an approved order as a page of its own, to keep or print. Amounts stand in full, as the ledger has them. */
export function saveReceipt(order: BuyerOrder, campaign: PublicCampaign) {
  const { seller, symbol, name } = campaign.settings
  const number = order.number
  const title = t`Receipt for order #${number}`
  const rows: [string, string][] = [
    [t`Order`, `#${number}`],
    [t`Created`, order.createdAt],
    [t`Approved`, order.approvedAt ?? ''],
    [
      t`How it was approved`,
      order.approvedVia === 'chain' ? t`confirmed on chain` : t`approved by an operator`,
    ],
    [t`Paid`, `${order.cryptoAmount} ${order.currency}`],
    [t`Address`, order.address],
    [
      t`Transaction id`,
      order.transactionId ?? order.payments.map((payment) => payment.transactionId).join(', '),
    ],
    [t`Rate`, `1 ${order.currency} = ${order.rate} ${symbol}`],
    [t`Price`, `1 ${symbol} = $${order.priceUsd}`],
    [t`Receive`, `${order.baseTokens} ${symbol}`],
    [t`Bonus Tokens`, `${order.bonusTokens} ${symbol} (${order.bonusPercent}%)`],
    [t`Total`, `${order.receiveTokens} ${symbol}`],
    [t`In dollars`, `$${order.usd}`],
    [t`Seller`, [seller.name, seller.address, seller.contact].filter(Boolean).join(', ')],
  ]
  const body = rows
    .filter(([, value]) => value)
    .map(([label, value]) => `<tr><th scope="row">${escape(label)}</th><td>${escape(value)}</td></tr>`)
    .join('')
  const demo = campaign.demo
    ? `<p><strong>${escape(t`This is a demo. Nothing is for sale, and nothing that you see was paid for.`)}</strong></p>`
    : ''
  const html = `<!doctype html><html lang="${document.documentElement.lang}"><meta charset="utf-8"><title>${escape(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%}th,td{border-bottom:1px solid #ccc;padding:.5rem 0;text-align:left;vertical-align:top;overflow-wrap:anywhere}th{font-weight:400;width:40%;padding-right:1rem}</style>
<h1>${escape(name)}: ${escape(title)}</h1>${demo}<table>${body}</table></html>`
  saveFile(`receipt-${number}.html`, 'text/html', html)
}
