import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useListKeys } from '../area/keyboard.ts'
import { Dialog } from '../ui/Dialog.tsx'

/** Opened by `?` on any page. */
export function KeysHelp() {
  const { t } = useLingui()
  const [isOpen, setOpen] = useState(false)
  useListKeys({ '?': () => setOpen(true) })
  const keys = [
    ['Ctrl K', t`Go to a page, an action, an order, a user or a payment`],
    ['/', t`Search in this list`],
    ['j', t`Next row`],
    ['k', t`Row before`],
    ['↵', t`Open the focused row`],
    ['x', t`Orders: mark the order, or take the mark away`],
    ['a', t`Orders: approve the marked ones, or this order`],
    ['r', t`Orders: reject this order`],
    ['Ctrl B', t`Narrow or widen the sidebar`],
    ['?', t`These keys`],
  ] as const
  return (
    <Dialog open={isOpen} onOpenChange={setOpen} title={t`Keys`} size="sm">
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
