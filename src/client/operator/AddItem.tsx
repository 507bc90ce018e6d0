import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'

export function AddItem({
  count,
  most,
  onAdd,
  children,
}: {
  count: number
  most: number
  onAdd: () => void
  children: ReactNode
}) {
  const { t } = useLingui()
  const refusal = count >= most ? t`At most ${most}.` : undefined
  return (
    <Button variant="secondary" size="sm" disabledReason={refusal} onClick={onAdd}>
      {children}
    </Button>
  )
}
