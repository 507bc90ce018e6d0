import { useLingui } from '@lingui/react/macro'
import { Check } from 'lucide-react'
import { can, type Right, rights, roles } from '../../../shared/roles.ts'
import { DataTable } from '../../area/DataTable.tsx'
import { Band } from '../../area/Page.tsx'
import { useRightName, useRoleName } from '../session.ts'

/** What each role may: the table by which the server decides. */
export function RightsTable() {
  const { t } = useLingui()
  const roleName = useRoleName()
  const rightName = useRightName()
  return (
    <Band title={t`What each role may`} className="mt-8">
      <DataTable
        caption={t`What each role may`}
        scrolls
        className="max-sm:text-xs max-sm:[&_td]:px-1! max-sm:[&_th]:px-1!"
        rows={rights}
        keyOf={(right) => right}
        columns={[
          { label: t`May`, cell: (right) => rightName(right) },
          ...roles.map((role) => ({
            label: roleName(role),
            cell: (right: Right) => <Answer yes={can(role, right)} />,
          })),
        ]}
      />
    </Band>
  )
}

function Answer({ yes }: { yes: boolean }) {
  const { t } = useLingui()
  return (
    <>
      {yes ? (
        <Check aria-hidden="true" className="size-4 text-success" />
      ) : (
        <span aria-hidden="true" className="text-faint">
          –
        </span>
      )}
      <span className="sr-only">{yes ? t`yes` : t`no`}</span>
    </>
  )
}
