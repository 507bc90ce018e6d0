import { MoreHorizontal } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Button, buttonLook } from '../ui/Button.tsx'
import { Menu, type MenuAction } from '../ui/Menu.tsx'

export function RowActions({ children }: { children: ReactNode }) {
  return <span className="flex justify-end gap-1 max-sm:flex-wrap">{children}</span>
}

export function RowButton({
  danger = false,
  ...button
}: Omit<ComponentProps<typeof Button>, 'variant' | 'size' | 'className'> & { danger?: boolean }) {
  return (
    <Button
      {...button}
      variant={danger ? 'ghost' : 'secondary'}
      size="sm"
      className={danger ? 'text-danger!' : undefined}
    />
  )
}

/** `label` names the row. */
export function MoreMenu({ label, actions }: { label: string; actions: readonly MenuAction[] }) {
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={label}
          className={buttonLook({ variant: 'ghost', size: 'icon-sm' })}
        >
          <MoreHorizontal aria-hidden="true" className="size-4" />
        </button>
      }
      actions={actions}
    />
  )
}
