import { Menu as Base } from '@base-ui/react/menu'
import { cx } from 'class-variance-authority'
import type { ReactElement, ReactNode } from 'react'
import { itemLook, popupLook } from './Select.tsx'

export interface MenuAction {
  label: ReactNode
  onSelect: () => void
  icon?: ReactNode
  danger?: boolean
  /** Shown under the item's label. */
  disabledReason?: string | false | null | undefined
}

/** Menus mount in the main landmark for screen readers, else in the body. */
const landmark = {
  get current() {
    return document.querySelector('main') ?? document.body
  },
}

export function Menu({
  trigger,
  actions,
}: {
  trigger: ReactElement<Record<string, unknown>>
  actions: readonly MenuAction[]
}) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal container={landmark}>
        <Base.Positioner sideOffset={4} align="end" className="z-50">
          <Base.Popup className={cx(popupLook, 'min-w-48 max-w-80')}>
            {actions.map((action, index) => (
              <Base.Item
                // The list is fixed while the menu is open.
                // oxlint-disable-next-line react/no-array-index-key
                key={index}
                disabled={Boolean(action.disabledReason)}
                onClick={action.onSelect}
                className={cx(
                  itemLook,
                  'gap-2.5',
                  action.danger && 'not-data-highlighted:not-data-disabled:text-danger',
                )}
              >
                {action.icon}
                <span className="min-w-0">
                  {action.label}
                  {action.disabledReason ? (
                    <span className="block text-xs">{action.disabledReason}</span>
                  ) : null}
                </span>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
