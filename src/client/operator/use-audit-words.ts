import { useLingui } from '@lingui/react/macro'
import { type AuditWords, camel } from '../../shared/audit-fields.ts'
import { factsOf } from '../../shared/languages.ts'
import { familyName } from '../../shared/networks.ts'
import { settingRow } from '../../shared/settings.ts'
import { percentOfBps } from '../../shared/unlocking.ts'
import { useStatusNames } from '../area/order-words.ts'
import { formatPercent, latin } from '../ui/numbers.tsx'
import { auditActionName, auditFilterName } from './audit-names.ts'
import { reasonNames } from './comment-reasons.ts'
import { type FieldScope, fieldName } from './field-name.ts'
import { useNetworkName, useScriptName } from './payment-names.ts'
import { useRightName, useRoleName } from './session.ts'

function formatDuration(count: number, unit: 'minutes' | 'days', locale: string): string {
  const style = { style: 'unit', unit: unit === 'days' ? 'day' : 'minute', unitDisplay: 'long' } as const
  return new Intl.NumberFormat(latin(locale), style).format(count)
}

type Words = { readonly [Field in keyof AuditWords]: (word: AuditWords[Field]) => string }

/** Known words are in the page's language. */
export function useAuditWords(): (path: string, value: unknown, scope?: FieldScope) => string {
  const { t, i18n } = useLingui()
  const words = useWords()
  const say = (path: string, value: unknown, scope?: FieldScope): string => {
    const field = path.split('.').at(-1) ?? ''
    if (value === null || value === undefined || value === '') return '—'
    if (value === true) return t`yes`
    if (value === false) return t`no`
    if (Array.isArray(value)) return value.map((item) => say(path, item, scope)).join(', ') || '—'
    if (typeof value === 'object')
      return Object.entries(value)
        .map(([name, part]) => [`${path}.${name}`, part] as const)
        .map(([at, part]) => `${fieldName(i18n, at, scope)}: ${say(at, part, scope)}`)
        .join('; ')
    if (field === 'filters') return auditFilterName(i18n, String(value))
    const unit = settingRow(path)?.unit
    if (unit === 'minutes' || unit === 'days')
      return String(value).replaceAll(/\d+/g, (count) => formatDuration(Number(count), unit, i18n.locale))
    const known = words[camel(field) as keyof AuditWords] as
      | ((word: unknown) => string | undefined)
      | undefined
    return known?.(value) ?? String(value)
  }
  return say
}

/** Undefined for a field's value of an earlier version. */
function useWords(): Words {
  const { t, i18n } = useLingui()
  const rightName = useRightName()
  const roleName = useRoleName()
  const statusNames = useStatusNames()
  const scriptName = useScriptName()
  const networkName = useNetworkName()
  return {
    change: (change) =>
      ({
        totp_on: t`app for codes switched on`,
        totp_off: t`app for codes switched off`,
        passkey_added: t`passkey added`,
        passkey_removed: t`passkey removed`,
        recovery_codes_new: t`new recovery codes`,
      })[change],
    chain: networkName,
    family: (family) => familyName(family),
    hiddenFor: (reason) => i18n._(reasonNames[reason]),
    languages: (locale) => factsOf(locale).name,
    kind: (action) => auditActionName(i18n, action),
    network: networkName,
    phone: (phone) => ({ required: t`required`, optional: t`optional`, not_asked: t`not asked for` })[phone],
    provider: (provider) => (provider === 'other' ? t`another` : provider),
    rateSource: (source) => ({ manual: t`by hand`, feed: t`feed` })[source],
    role: roleName,
    scopes: rightName,
    script: (script) => scriptName(script),
    softCapPolicy: (policy) =>
      ({ refund: t`payments are owed back`, none: t`nothing is refunded for that reason` })[policy],
    startBps: (bps) => formatPercent(percentOfBps(bps), i18n.locale),
    status: (status) => statusNames[status],
  }
}
