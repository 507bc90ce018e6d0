import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { can, type Right } from '../../shared/roles.ts'
import { useTitle } from '../area/document-title.ts'
import { Ito } from '../ito/Ito.tsx'
import { EmptyState } from '../ui/states.tsx'
import { useOperator, useRefusal } from './session.ts'

export function NeedsRight({ right, children }: { right: Right; children?: ReactNode }) {
  return can(useOperator().role, right) ? children : <NotForYourRole right={right} />
}

function NotForYourRole({ right }: { right: Right }) {
  const { t } = useLingui()
  const reason = useRefusal()(right)
  useTitle(t`Not for your role`)
  return (
    <EmptyState level="h1" picture={<Ito pose="shrug" decorative />} title={t`Not for your role`}>
      {reason}
    </EmptyState>
  )
}
