import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Link, useNavigate } from 'react-router'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import { toSendOf } from '../../../shared/to-send.ts'
import { usePolling } from '../../area/live-stream.ts'
import { errorText } from '../../errors.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { serverNow, useCountdown } from '../../ui/clock.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormError } from '../../ui/Field.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { useNoteSent } from '../note-sent.ts'
import { PayNow } from '../PayNow.tsx'
import { orderQuery, untilOrdersChange } from '../queries.ts'
import { sentQuery } from '../sent.ts'
import { Offline } from './PurchaseParts.tsx'

interface Ways {
  /** Back to step 1; the same purchase keeps this order. */
  onBack: () => void
  /** Back to step 1; the next order is a new one. */
  onRenew: () => void
  onClose: () => void
}

/** Leads to the order's page once the payment is seen. */
export function PayStep({ token, isDemo, ...ways }: Ways & { token: string; isDemo: boolean }) {
  const { t } = useLingui()
  const polling = usePolling()
  const order = useQuery({
    ...orderQuery(token),
    refetchInterval: ({ state: { data } }) => untilOrdersChange(data && [data], polling),
    retry: 2,
  })
  if (order.data) return <SendPayment order={order.data} isDemo={isDemo} {...ways} />
  return (
    <Step onClose={ways.onClose} footer={order.isError ? <NewOrder onRenew={ways.onRenew} /> : null}>
      {order.isError ? (
        <FormError>{errorText(order.error)}</FormError>
      ) : (
        <div className="grid place-items-center py-16 text-2xl text-faint">
          <Spinner label={t`Loading`} />
        </div>
      )}
    </Step>
  )
}

function Step({
  footer,
  onClose,
  children,
}: Pick<Ways, 'onClose'> & Record<'footer' | 'children', ReactNode>) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      dismissible={false}
      title={<Trans>Send your payment</Trans>}
      footer={footer}
    >
      {children}
    </Dialog>
  )
}

function NewOrder({ onRenew }: Pick<Ways, 'onRenew'>) {
  return (
    <Button onClick={onRenew}>
      <Trans>Make a new order</Trans>
    </Button>
  )
}

function SendPayment({
  order,
  isDemo,
  onBack,
  onRenew,
  onClose,
}: Ways & { order: BuyerOrder; isDemo: boolean }) {
  const { token, expiresAt, detail, sentAt, escrow } = order
  const navigate = useNavigate()
  const sent = useNoteSent(token)
  const paid = useQuery(sentQuery(token)).data
  const isLate = useCountdown(expiresAt).over || detail === 'expired'
  const toSend = toSendOf(order, serverNow())
  const isToSend = !sentAt && !paid && !escrow && (isLate || toSend !== null)
  useEffect(() => {
    // Replace the entry, because Back would return here.
    if (!isToSend) void navigate(paths.order(token), { replace: true })
  }, [isToSend, navigate, token])
  return (
    <Step
      onClose={onClose}
      footer={
        isLate ? (
          <NewOrder onRenew={onRenew} />
        ) : (
          <>
            <Button variant="secondary" onClick={onBack} disabled={sent.isPending}>
              <Trans>Cancel</Trans>
            </Button>
            <Button onClick={() => sent.mutate()} loading={sent.isPending}>
              <Trans>Confirm</Trans>
            </Button>
          </>
        )
      }
    >
      <Offline />
      {isLate ? (
        <p>
          <strong className="text-danger">
            <Trans>The time to pay is over. Send nothing to this order: make a new one.</Trans>
          </strong>{' '}
          <Trans>
            If you have paid already, <Link to={paths.order(token)}>open the order</Link>.
          </Trans>
        </p>
      ) : toSend ? (
        <>
          <PayNow order={order} toSend={toSend} isDemo={isDemo} />
          <p className="mt-4 text-sm text-soft">
            <Trans>Press Confirm once you have sent it.</Trans>
          </p>
        </>
      ) : null}
    </Step>
  )
}
