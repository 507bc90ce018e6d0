import { Trans, useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { Link } from 'react-router'
import { Button, buttonLook } from '../../ui/Button.tsx'
import { paths } from '../paths.ts'
import { OrderHead, OrderParts, useOrder } from './OrderPage.tsx'

export function OrderBeside({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useLingui()
  const query = useOrder(id)
  return (
    <aside
      aria-label={t`Order #${id}`}
      className="sticky top-4 max-h-[calc(100dvh-2rem)] min-w-0 overflow-y-auto border-l border-line pl-6"
    >
      <div className="mb-4 flex flex-wrap items-center justify-between gap-2">
        <h2 className="display text-3xl">
          <Trans>Order #{id}</Trans>
        </h2>
        <span className="flex gap-1">
          <Link to={paths.order(id)} className={buttonLook({ variant: 'ghost', size: 'sm' })}>
            <Trans>Open as a page</Trans>
          </Link>
          <Button variant="ghost" size="icon-sm" aria-label={t`Close the order`} onClick={onClose}>
            <X aria-hidden="true" className="size-4" />
          </Button>
        </span>
      </div>
      {query.data ? (
        <div className="mb-4 flex flex-wrap gap-2">
          <OrderHead order={query.data} />
        </div>
      ) : null}
      <OrderParts query={query} isNarrow />
    </aside>
  )
}
