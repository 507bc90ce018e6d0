import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import { buyerPaymentRoutes } from '../../../shared/api/payments.ts'
import { settledPercent } from '../../../shared/levels.ts'
import {
  add,
  compare,
  divide,
  isPositive,
  multiply,
  percentOf,
  roundDownTo,
  subtract,
} from '../../../shared/money.ts'
import { paidSoFar } from '../../../shared/to-send.ts'
import { ApiError } from '../../api.ts'
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

type Choice = 'tokens' | 'refund'

/** Asks the buyer what becomes of a payment that came too late for its rate. */
export function LateChoice({ order, symbol }: { order: BuyerOrder; symbol: string }) {
  const [asking, setAsking] = useState<Choice | null>(null)
  const { estimate, problem, readAgain } = useTokensNow(order, symbol)
  const choose = useChoice(order, () => setAsking(null))
  return (
    <Band title={<Trans>Tokens or your money back</Trans>}>
      <div className="grid gap-6 sm:grid-cols-2">
        <Offer
          lead={<Trans>At the rate of the moment you choose, for what has arrived:</Trans>}
          figure={
            <span aria-live="polite" className={problem ? 'text-sm font-normal' : undefined}>
              {problem ?? estimate ?? <Trans>Calculating…</Trans>}
            </span>
          }
        >
          <Button
            className="mt-3"
            onClick={() => {
              readAgain()
              setAsking('tokens')
            }}
            disabled={Boolean(problem)}
          >
            <Trans>Take tokens</Trans>
          </Button>
        </Offer>
        <Offer
          lead={<Trans>What has arrived, in the same currency, to an address that you name next:</Trans>}
          figure={<TokenAmount value={paidSoFar(order)} unit={order.currency} decimalsMax={18} />}
        >
          <Button variant="secondary" className="mt-3" onClick={() => setAsking('refund')}>
            <Trans>Take the money back</Trans>
          </Button>
        </Offer>
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
      <Confirmation
        choice={asking}
        tokens={problem ?? estimate}
        loading={choose.isPending}
        onConfirm={choose.mutate}
        onClose={() => setAsking(null)}
      />
    </Band>
  )
}

/** What the payment comes to in tokens at the rate of now, or why it can't be said. */
function useTokensNow(order: BuyerOrder, symbol: string) {
  // Quotes take six decimals, so that the figure is near what the choice comes to.
  const paid = paidSoFar(order)
  const asked = roundDownTo(paid, 6)
  const preview = useQuotePreview(
    isPositive(asked) ? { currency: order.currency, amount: asked, unit: 'crypto' } : null,
  )
  const maximum = maximumIn(preview.error)
  const largest = useQuotePreview(
    maximum === undefined ? null : { currency: order.currency, amount: maximum, unit: 'token' },
  )
  // Above the largest order it buys that one, or what was ordered where that was more; the rest is owed back.
  const most = maximum && largest.data ? larger(maximum, order.baseTokens) : undefined
  const kept = most && maximum && multiply(divide(largest.data?.cryptoAmount ?? '0', maximum), most)
  // The level that counts as held is the level of the quote, whatever is held by now.
  const base = maximum === undefined ? preview.data?.baseTokens : most
  const levels = useCampaign().data?.settings.levels
  const receive = base && levels && add(base, percentOf(base, settledPercent(levels, order, base)))
  const error = maximum === undefined ? preview.error : largest.error
  return {
    estimate: receive ? (
      <>
        <Trans>
          about <TokenAmount value={receive} unit={symbol} />
        </Trans>
        {kept && compare(paid, kept) > 0 ? (
          <span className="block text-sm font-normal">
            <Trans>
              That is the largest order. About{' '}
              <TokenAmount value={roundDownTo(subtract(paid, kept), 6)} unit={order.currency} /> is owed back
              to you.
            </Trans>
          </span>
        ) : null}
      </>
    ) : null,
    problem: error ? errorText(error) : null,
    readAgain: () => {
      void preview.refetch()
      if (maximum !== undefined) void largest.refetch()
    },
  }
}

const larger = (one: string, other: string) => (compare(one, other) < 0 ? other : one)

/** The largest order, where an amount was refused for being above it. */
function maximumIn(error: Error | null): string | undefined {
  const isAbove = error instanceof ApiError && error.code === 'amount_above_maximum'
  return isAbove ? String(error.details['maximum']) : undefined
}

function useChoice(order: BuyerOrder, onAnswer: () => void) {
  const { t } = useLingui()
  return useChange({
    run: (choice: Choice) =>
      call(buyerPaymentRoutes.chooseLate, { params: { token: order.token }, body: { choice } }),
    touches: touched.orders,
    failed: false,
    done: (_, choice) => {
      onAnswer()
      toast.success(choice === 'tokens' ? t`You chose tokens` : t`You chose your money back`)
    },
    onFail: onAnswer,
  })
}

/** One of the two choices: what the buyer gets, how much, and the button. */
function Offer({ lead, figure, children }: { lead: ReactNode; figure: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-col items-start">
      <p className="mb-auto text-sm text-soft">{lead}</p>
      <p className="mt-1 text-lg font-semibold">{figure}</p>
      {children}
    </div>
  )
}

function Confirmation({
  choice,
  tokens,
  loading,
  onConfirm,
  onClose,
}: {
  choice: Choice | null
  tokens: ReactNode
  loading: boolean
  onConfirm: (choice: Choice) => void
  onClose: () => void
}) {
  return (
    <ConfirmDialog
      open={choice !== null}
      onOpenChange={(open) => !open && onClose()}
      title={choice === 'refund' ? <Trans>Take the money back?</Trans> : <Trans>Take tokens?</Trans>}
      confirm={choice === 'refund' ? <Trans>Take the money back</Trans> : <Trans>Take tokens</Trans>}
      cancel={<Trans>Think again</Trans>}
      loading={loading}
      onConfirm={() => choice && onConfirm(choice)}
    >
      {choice === 'tokens' ? (
        <p className="mb-2 font-semibold text-ink" aria-live="polite">
          {tokens}
        </p>
      ) : null}
      <Trans>This choice can't be changed afterwards.</Trans>
    </ConfirmDialog>
  )
}
