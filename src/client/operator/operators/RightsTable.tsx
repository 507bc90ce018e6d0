import { useLingui } from '@lingui/react/macro'
import { Check } from 'lucide-react'
import { can, rights, roles } from '../../../shared/roles.ts'
import { Band } from '../../area/Page.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { useRightName, useRoleName } from '../session.ts'

/** What each role may: the table by which the server decides. */
export function RightsTable() {
  const { t } = useLingui()
  const roleName = useRoleName()
  const rightName = useRightName()
  return (
    <Band title={t`What each role may`} className="mt-8">
      <Table
        caption={t`What each role may`}
        className="max-sm:text-xs max-sm:[&_td]:px-1! max-sm:[&_th]:px-1!"
      >
        <THead>
          <Th>{t`May`}</Th>
          {roles.map((role) => (
            <Th key={role}>{roleName(role)}</Th>
          ))}
        </THead>
        <TBody>
          {rights.map((right) => (
            <Tr key={right}>
              <Td>{rightName(right)}</Td>
              {roles.map((role) => (
                <Td key={role}>
                  {can(role, right) ? (
                    <>
                      <Check aria-hidden="true" className="size-4 text-success" />
                      <span className="sr-only">{t`yes`}</span>
                    </>
                  ) : (
                    <>
                      <span aria-hidden="true" className="text-faint">
                        –
                      </span>
                      <span className="sr-only">{t`no`}</span>
                    </>
                  )}
                </Td>
              ))}
            </Tr>
          ))}
        </TBody>
      </Table>
    </Band>
  )
}
