import { useLingui } from '@lingui/react/macro'
import { useRouteLoaderData } from 'react-router'
import type { OperatorMe } from '../../shared/api/operator-session.ts'
import { can, type Right, type Role, rolesThatCan } from '../../shared/roles.ts'

export const areaRouteId = 'area'

/** Guarded pages always have one. */
export function useOperator(): OperatorMe {
  return useRouteLoaderData(areaRouteId) as OperatorMe
}

export function useRoleName(): (role: Role) => string {
  const { t } = useLingui()
  return (role) => ({ owner: t`owner`, finance: t`finance`, content: t`content`, support: t`support` })[role]
}

export function useRightName(): (right: Right) => string {
  const { t } = useLingui()
  return (right) =>
    ({
      'users:read': t`read users`,
      'orders:read': t`read orders`,
      'ledger:read': t`read the ledger`,
      'notes:write': t`notes about users`,
      'orders:decide': t`approve and reject orders`,
      'grants:write': t`add balance`,
      'refunds:write': t`refunds`,
      'delivery:write': t`delivery of the tokens`,
      'currencies:write': t`currencies, rates, wallets, main currency`,
      'campaign:write': t`campaign and pause`,
      'content:write': t`announcements, documents, legal texts`,
      'analytics:write': t`analytics keys`,
      'webhooks:write': t`webhooks`,
      'api-keys:write': t`API keys`,
      'operators:write': t`operators and roles`,
      'settings:write': t`settings`,
      'events:read': t`read events`,
      'audit:read': t`audit log`,
      'audit:read-all': t`the whole audit log`,
    })[right]
}

/** The reason for a button's `disabledReason`. The server uses the same table. */
export function useRefusal(): (right: Right) => string | undefined {
  const { t } = useLingui()
  const { role } = useOperator()
  const nameOf = useRoleName()
  return (right) => {
    if (can(role, right)) return undefined
    const who = rolesThatCan(right).map(nameOf).join(', ')
    return t`Not for your role. May do it: ${who}`
  }
}
