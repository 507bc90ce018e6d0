import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { type BuyerOrder, orderRoutes } from '../../../shared/api/orders.ts'
import { payBackDays } from '../../../shared/campaign-settings.ts'
import { call } from '../../area/call.ts'
import { Band } from '../../area/Page.tsx'
import { useChange } from '../../area/use-change.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useCampaign } from '../queries.ts'
import { touched } from '../touched.ts'

export function TakeBack({ order }: { order: BuyerOrder }) {
  const { t } = useLingui()
  const symbol = useCampaign().data?.settings.symbol
  const [isAsking, setIsAsking] = useState(false)
  const taking = useChange({
    run: () => call(orderRoutes.takeBack, { params: { token: order.token } }),
    touches: touched.orders,
    done: () => {
      setIsAsking(false)
      toast.success(t`Order taken back`)
    },
  })
  const paid = <TokenAmount value={order.cryptoAmount} unit={order.currency} decimalsMax={18} />
  const tokens = <TokenAmount value={order.receiveTokens} unit={symbol} />
  return (
    <Band
      title={<Trans>Money back</Trans>}
      lead={
        <Trans>
          Until <DateTime value={order.moneyBackUntil} /> you can take this order back, for no reason and
          without a fee. Its tokens are delivered after that.
        </Trans>
      }
    >
      <Button variant="secondary" onClick={() => setIsAsking(true)}>
        <Trans>Take the order back</Trans>
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={<Trans>Take order #{order.number} back?</Trans>}
        confirm={<Trans>Take it back</Trans>}
        loading={taking.isPending}
        onConfirm={() => taking.mutate()}
      >
        <Trans>
          You give back {tokens}, and {paid} is owed to you, to be paid within {payBackDays} days. This can't
          be undone.
        </Trans>
      </ConfirmDialog>
    </Band>
  )
}
