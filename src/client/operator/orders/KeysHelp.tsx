import { useLingui } from '@lingui/react/macro'
import { Dialog } from '../../ui/Dialog.tsx'

/** The keys of the list of orders. */
export function KeysHelp({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const { t } = useLingui()
  const keys = [
    ['j', t`Next order`],
    ['k', t`Order before`],
    ['x', t`Mark the order, or take the mark away`],
    ['a', t`Approve what is marked, or this order`],
    ['r', t`Reject this order`],
    ['↵', t`Open what has the focus`],
    ['Ctrl K', t`Search`],
    ['?', t`These keys`],
  ] as const
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t`Keys`} size="sm">
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {keys.map(([key, what]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="figures rounded-sm border border-line-strong px-2 py-0.5">{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
