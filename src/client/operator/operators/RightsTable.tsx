import { useLingui } from '@lingui/react/macro'
import { Check } from 'lucide-react'
import { can, type Right, rights, roles } from '../../../shared/roles.ts'
import { DataTable } from '../../area/DataTable.tsx'
import { Band } from '../../area/Page.tsx'
import { useMedia } from '../../ui/media.ts'
import { useRightName, useRoleName } from '../session.ts'

export function RightsTable() {
  const { t, i18n } = useLingui()
  // Four columns don't fit a phone.
  const isWide = useMedia('(min-width: 40rem)')
  const roleName = useRoleName()
  const rightName = useRightName()
  return (
    <Band title={t`The rights of each role`} className="mt-8">
      <DataTable
        caption={t`The rights of each role`}
        rows={rights}
        keyOf={(right) => right}
        columns={[
          { label: t`May`, unlabelled: true, cell: (right) => rightName(right) },
          ...(isWide
            ? roles.map((role) => ({
                label: roleName(role),
                cell: (right: Right) => <Answer yes={can(role, right)} />,
              }))
            : [
                {
                  label: t`Role`,
                  unlabelled: true,
                  className: 'text-soft',
                  cell: (right: Right) =>
                    new Intl.ListFormat(i18n.locale, { type: 'conjunction' }).format(
                      roles.filter((role) => can(role, right)).map(roleName),
                    ),
                },
              ]),
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
