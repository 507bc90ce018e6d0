import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { type AuditEntry, auditRoutes, exportPaths } from '../../../shared/api/audit.ts'
import type { Column } from '../../area/DataTable.tsx'
import { FilterSelect } from '../../area/Filters.tsx'
import { List, useList } from '../../area/List.tsx'
import { Page } from '../../area/Page.tsx'
import { read } from '../../area/reading.ts'
import { useUrlState } from '../../area/url-state.ts'
import { Button } from '../../ui/Button.tsx'
import { Field, Input } from '../../ui/Field.tsx'
import { DateTime } from '../../ui/numbers.tsx'
import { auditActionName, auditSubjectId, auditSubjectName } from '../audit-names.ts'
import { ExportLink } from '../ExportLink.tsx'
import { fieldName } from '../field-name.ts'
import { useOperatorZone } from '../queries.ts'
import { useOperator } from '../session.ts'
import { useAuditWords } from '../use-audit-words.ts'

export function AuditPage() {
  const { t } = useLingui()
  const { role } = useOperator()
  const zone = useOperatorZone()
  const url = useUrlState()
  const filter = {
    operator: url.get('operator'),
    action: url.get('action'),
    subjectType: url.get('type'),
    subjectId: url.get('subject'),
    from: dayStart(url.get('from'), zone, 0),
    until: dayStart(url.get('until'), zone, 1),
  }
  const list = useList(auditRoutes.list, { ...filter, limit: 50 }, { refetchInterval: false })
  return (
    <Page
      title={t`Audit log`}
      lead={
        role === 'owner'
          ? t`Append-only: no entry can be changed or deleted.`
          : t`Append-only. Your role sees your own entries and those about money.`
      }
      action={<ExportLink path={exportPaths.audit} query={filter} />}
    >
      <Filters />
      <List
        list={list}
        caption={t`Audit log`}
        empty={t`No results.`}
        columns={useColumns()}
        keyOf={({ id }) => id}
        className="[&_td]:align-top"
      />
    </Page>
  )
}

function useColumns(): Column<AuditEntry>[] {
  const { t, i18n } = useLingui()
  const url = useUrlState()
  return [
    { label: t`When`, className: 'whitespace-nowrap', cell: ({ at }) => <DateTime value={at} /> },
    {
      label: t`Who`,
      cell: ({ operator }) => operator?.login ?? <span className="text-faint">{t`system`}</span>,
    },
    {
      label: t`Action`,
      cell: ({ action }) => <span title={action}>{auditActionName(i18n, action)}</span>,
    },
    {
      label: t`Subject`,
      className: 'wrap-anywhere',
      cell: ({ subjectType, subjectId }) => (
        <button
          type="button"
          className="text-left underline-offset-2 hover:underline max-sm:text-right"
          title={t`Only this one`}
          onClick={() => url.set({ type: subjectType, subject: subjectId })}
        >
          {auditSubjectName(i18n, subjectType)} {auditSubjectId(i18n, subjectType, subjectId)}
        </button>
      ),
    },
    {
      label: t`Before and after`,
      className: 'max-sm:flex-wrap max-sm:gap-y-0!',
      cell: (entry) => <Changes entry={entry} />,
    },
  ]
}

/** Midnight of a day (`2026-08-05`) in the operators' zone plus `days`, in UTC. */
function dayStart(day: string | undefined, zone: string, days: number): string | undefined {
  if (!day) return undefined
  const at = new Date(`${day}T00:00:00${zone}`)
  if (Number.isNaN(at.getTime())) return undefined
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString()
}

function Filters() {
  const { t, i18n } = useLingui()
  const url = useUrlState()
  const choices = useQuery(read(auditRoutes.choices)).data
  const subject = url.get('subject')
  return (
    <search className="mb-4 flex flex-wrap items-end gap-3">
      <FilterSelect
        name="operator"
        label={t`Operator`}
        className="w-44"
        options={(choices?.operators ?? []).map(({ id, login }) => ({ value: id, label: login }))}
      />
      <FilterSelect
        name="action"
        label={t`Action`}
        className="w-72"
        options={(choices?.actions ?? [])
          .map((action) => ({ value: action, label: auditActionName(i18n, action) }))
          .toSorted((a, b) => a.label.localeCompare(b.label, i18n.locale))}
      />
      <DayField name="from" label={t`From`} />
      <DayField name="until" label={t`To`} />
      {subject ? (
        <Button variant="secondary" onClick={() => url.set({ type: null, subject: null })}>
          <Trans>
            Only {auditSubjectName(i18n, url.get('type') ?? '')}{' '}
            {auditSubjectId(i18n, url.get('type') ?? '', subject)} ×
          </Trans>
        </Button>
      ) : null}
    </search>
  )
}

function DayField({ name, label }: { name: 'from' | 'until'; label: string }) {
  const url = useUrlState()
  return (
    <Field label={label} className="w-40">
      <Input
        type="date"
        value={url.get(name) ?? ''}
        onChange={(event) => url.set({ [name]: event.target.value })}
      />
    </Field>
  )
}

function Changes({ entry }: { entry: AuditEntry }) {
  const { i18n } = useLingui()
  const say = useAuditWords()
  const scope = entry.subjectType === 'campaign' ? 'setting' : 'other'
  const short = (key: string, value: unknown) => {
    const text = say(key, value, scope)
    return text.length > 240 ? `${text.slice(0, 240)}…` : text
  }
  const before = asRecord(entry.before)
  const after = asRecord(entry.after)
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  )
  if (keys.length === 0) return '—'
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-left text-xs">
      {keys.map((key) => (
        <Fragment key={key}>
          <dt className="text-faint">{fieldName(i18n, key, scope)}</dt>
          <dd className="figures min-w-0 wrap-anywhere">
            {key in before ? <del className="text-soft">{short(key, before[key])}</del> : null}
            {key in before && key in after ? ' → ' : null}
            {key in after ? <ins className="no-underline">{short(key, after[key])}</ins> : null}
          </dd>
        </Fragment>
      ))}
    </dl>
  )
}

function asRecord(value: unknown): Record<string, unknown> {
  if (value === null || value === undefined) return {}
  return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : { value }
}
