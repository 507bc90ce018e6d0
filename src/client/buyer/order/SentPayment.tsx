import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import { useChange } from '../../area/use-change.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Notice } from '../../ui/states.tsx'
import { useNameTransaction } from './name-transaction.ts'

/**
 * Submits what a wallet of this browser has sent to a fixed address. If that fails, or the order names
 * another payment, shows the id to copy.
 */
export function SentPayment({
  order: { token, transactionId: named },
  id,
}: {
  order: Pick<BuyerOrder, 'token' | 'transactionId'>
  id: string
}) {
  const { t } = useLingui()
  const { send, touches, done } = useNameTransaction(token)
  const { mutate, error, isPending } = useChange({
    run: send,
    touches,
    untilAnswered: true,
    failed: false,
    done,
  })
  useEffect(() => {
    if (!named) mutate(id)
  }, [mutate, id, named])
  const isUnsaved = error || named
  return (
    <div className="mt-6">
      <Notice tone={isUnsaved ? 'danger' : 'now'}>
        <p className="font-semibold">
          <Trans>Your wallet has sent the payment: do not pay a second time.</Trans>
        </p>
        <p className="mt-0.5 text-soft">
          {isUnsaved ? (
            <>
              {error ? `${errorText(error)} ` : null}
              <Trans>Its transaction id is not saved with the order: keep it, and write to the seller.</Trans>
            </>
          ) : (
            <Trans>Its transaction id is being saved with the order.</Trans>
          )}
        </p>
        <p className="mt-2 flex items-center gap-2">
          <span className="figures min-w-0 text-sm break-all">{id}</span>
          <CopyButton text={id} what={t`Copy the transaction id`} className="shrink-0" />
        </p>
        {error && !named ? (
          <Button
            variant="secondary"
            size="sm"
            className="mt-2"
            loading={isPending}
            onClick={() => mutate(id)}
          >
            <Trans>Try again</Trans>
          </Button>
        ) : null}
      </Notice>
    </div>
  )
}
