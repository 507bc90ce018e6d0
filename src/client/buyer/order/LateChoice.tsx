import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import { buyerPaymentRoutes } from '../../../shared/api/payments.ts'
import { settledPercent } from '../../../shared/levels.ts'
import { add, isPositive, percentOf, roundDownTo } from '../../../shared/money.ts'
import { call } from '../../area/call.ts'
import { Band } from '../../area/Page.tsx'
import { useChange } from '../../area/use-change.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { FormError } from '../../ui/Field.tsx'
import { DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useCampaign, useQuotePreview } from '../queries.ts'
import { touched } from '../touched.ts'
import { paidSoFar } from './settlement.ts'

/** A payment too late for its rate: the buyer says what becomes of it. */
export function LateChoice({ order, symbol }: { order: BuyerOrder; symbol: string }) {
  const { t } = useLingui()
  const [asking, setAsking] = useState<'tokens' | 'refund' | null>(null)
  const paid = paidSoFar(order)
  // Quotes take six decimals; so the figure is about what comes of it.
  const asked = roundDownTo(paid, 6)
  const preview = useQuotePreview(
    isPositive(asked) ? { currency: order.currency, amount: asked, unit: 'crypto' } : null,
  )
  // The level held is that of the quote, whatever is held by now.
  const base = preview.data?.baseTokens
  const levels = useCampaign().data?.settings.levels
  const receive = base && levels && add(base, percentOf(base, settledPercent(levels, order, base)))
  const estimate = receive ? (
    <Trans>
      about <TokenAmount value={receive} unit={symbol} />
    </Trans>
  ) : null
  const choose = useChange({
    run: (choice: 'tokens' | 'refund') =>
      call(buyerPaymentRoutes.chooseLate, { params: { token: order.token }, body: { choice } }),
    touches: touched.orders,
    failed: false,
    done: (_, choice) => {
      setAsking(null)
      toast.success(choice === 'tokens' ? t`You chose tokens` : t`You chose your money back`)
    },
    onFail: () => setAsking(null),
  })
  return (
    <Band title={<Trans>Tokens or your money back</Trans>}>
      <div className="grid gap-6 sm:grid-cols-2">
        <div className="flex flex-col items-start">
          <p className="mb-auto text-sm text-soft">
            <Trans>At the rate of the moment you choose, for what has arrived:</Trans>
          </p>
          <p className="mt-1 text-lg font-semibold" aria-live="polite">
            {preview.error ? (
              <span className="text-sm font-normal">{errorText(preview.error)}</span>
            ) : (
              (estimate ?? <Trans>Calculating…</Trans>)
            )}
          </p>
          <Button
            className="mt-3"
            onClick={() => {
              void preview.refetch()
              setAsking('tokens')
            }}
            disabled={Boolean(preview.error)}
          >
            <Trans>Take tokens</Trans>
          </Button>
        </div>
        <div className="flex flex-col items-start">
          <p className="mb-auto text-sm text-soft">
            <Trans>What has arrived, in the same currency, to an address that you name next:</Trans>
          </p>
          <p className="mt-1 text-lg font-semibold">
            <TokenAmount value={paid} unit={order.currency} decimalsMax={18} />
          </p>
          <Button variant="secondary" className="mt-3" onClick={() => setAsking('refund')}>
            <Trans>Take the money back</Trans>
          </Button>
        </div>
      </div>
      {order.lateUntil ? (
        <p className="mt-4 text-sm text-soft">
          <Trans>
            If you choose nothing until <DateTime value={order.lateUntil} />, it is owed back to you.
          </Trans>
        </p>
      ) : null}
      {choose.error ? (
        <div className="mt-4">
          <FormError>{errorText(choose.error)}</FormError>
        </div>
      ) : null}
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={(open) => !open && setAsking(null)}
        title={asking === 'refund' ? <Trans>Take the money back?</Trans> : <Trans>Take tokens?</Trans>}
        confirm={asking === 'refund' ? <Trans>Take the money back</Trans> : <Trans>Take tokens</Trans>}
        cancel={<Trans>Think again</Trans>}
        loading={choose.isPending}
        onConfirm={() => asking && choose.mutate(asking)}
      >
        {asking === 'tokens' ? (
          <p className="mb-2 font-semibold text-ink" aria-live="polite">
            {preview.error ? errorText(preview.error) : estimate}
          </p>
        ) : null}
        <Trans>This choice can't be changed afterwards.</Trans>
      </ConfirmDialog>
    </Band>
  )
}
