import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'

/** The button that adds to a list of the settings, of at most twelve items. */
export function AddItem({
  count,
  onAdd,
  children,
}: {
  count: number
  onAdd: () => void
  children: ReactNode
}) {
  const { t } = useLingui()
  const refusal = count >= 12 ? t`At most 12.` : undefined
  return (
    <Button variant="secondary" size="sm" disabledReason={refusal} onClick={onAdd}>
      {children}
    </Button>
  )
}
