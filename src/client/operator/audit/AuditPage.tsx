import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { type AuditEntry, auditRoutes, exportPaths } from '../../../shared/api/audit.ts'
import { plain } from '../../area/Conflict.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { Page } from '../../area/Page.tsx'
import { read } from '../../area/reading.ts'
import { useCursor, useUrlState } from '../../area/url-state.ts'
import { Button } from '../../ui/Button.tsx'
import { Field, Input } from '../../ui/Field.tsx'
import { DateTime } from '../../ui/numbers.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { Select } from '../../ui/Select.tsx'
import { EmptyRow, Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { ExportLink } from '../ExportLink.tsx'
import { useOperatorZone } from '../queries.ts'
import { useOperator } from '../session.ts'
import { settingName } from '../setting-names.ts'
import { auditActionName, auditSubjectName } from './names.ts'

/** Every change by an operator: who, when, what, before and after. */
export function AuditPage() {
  const { t, i18n } = useLingui()
  const { role } = useOperator()
  const zone = useOperatorZone()
  const url = useUrlState()
  const cursor = useCursor()
  const from = dayStart(url.get('from'), zone, 0)
  const until = dayStart(url.get('until'), zone, 1)
  const filter = {
    operator: url.get('operator'),
    action: url.get('action'),
    subjectType: url.get('type'),
    subjectId: url.get('subject'),
    from,
    until,
  }
  const query = useQuery({
    ...read(auditRoutes.list, { query: { ...filter, after: cursor.after, limit: 50 } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Page
      title={t`Audit log`}
      lead={
        role === 'owner'
          ? t`Append-only: nobody can change or delete what is written here.`
          : t`Append-only. Your role sees your own entries and those about money.`
      }
      action={<ExportLink path={exportPaths.audit} query={filter} />}
    >
      <Filters />
      <Loaded query={query}>
        {(page) => (
          <div className={query.isPlaceholderData ? 'opacity-60' : undefined}>
            <Table caption={t`Audit log`} stack>
              <THead>
                <Th>{t`When`}</Th>
                <Th>{t`Who`}</Th>
                <Th>{t`Action`}</Th>
                <Th>{t`Subject`}</Th>
                <Th>{t`Before and after`}</Th>
              </THead>
              <TBody>
                {page.items.length === 0 ? <EmptyRow columns={5}>{t`No results.`}</EmptyRow> : null}
                {page.items.map((entry) => (
                  <Tr key={entry.id} className="align-top">
                    <Td label={t`When`} className="align-top whitespace-nowrap">
                      <DateTime value={entry.at} />
                    </Td>
                    <Td label={t`Who`} className="align-top">
                      {entry.operator?.login ?? <span className="text-faint">{t`system`}</span>}
                    </Td>
                    <Td label={t`Action`} className="align-top">
                      <span title={entry.action}>{auditActionName(i18n, entry.action)}</span>
                    </Td>
                    <Td label={t`Subject`} className="align-top wrap-anywhere">
                      <button
                        type="button"
                        className="text-left underline-offset-2 hover:underline"
                        title={t`Only this one`}
                        onClick={() => url.set({ type: entry.subjectType, subject: entry.subjectId })}
                      >
                        {auditSubjectName(i18n, entry.subjectType)} {entry.subjectId}
                      </button>
                    </Td>
                    <Td label={t`Before and after`} className="align-top max-sm:flex-col max-sm:gap-0!">
                      <Changes entry={entry} />
                    </Td>
                  </Tr>
                ))}
              </TBody>
            </Table>
            <Pagination
              page={cursor.page}
              hasPrevious={cursor.hasPrevious}
              hasNext={page.next !== null}
              onPrevious={cursor.previous}
              onNext={() => page.next && cursor.next(page.next)}
            />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

/** Midnight of a day (`2026-08-05`) in the operators' zone, `days` later, in UTC. */
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
  const choices = useQuery({
    ...read(auditRoutes.choices),
  }).data
  const subject = url.get('subject')
  return (
    <search className="mb-4 flex flex-wrap items-end gap-3">
      <Field label={t`Operator`} className="w-44">
        <Select
          value={url.get('operator') ?? 'all'}
          onValueChange={(next) => url.set({ operator: next === 'all' ? null : next })}
          options={[
            { value: 'all', label: t`All` },
            ...(choices?.operators ?? []).map(({ id, login }) => ({ value: id, label: login })),
          ]}
        />
      </Field>
      <Field label={t`Action`} className="w-72">
        <Select
          value={url.get('action') ?? 'all'}
          onValueChange={(next) => url.set({ action: next === 'all' ? null : next })}
          options={[
            { value: 'all', label: t`All` },
            ...(choices?.actions ?? [])
              .map((action) => ({ value: action, label: auditActionName(i18n, action) }))
              .toSorted((a, b) => a.label.localeCompare(b.label, i18n.locale)),
          ]}
        />
      </Field>
      <Field label={t`From`} className="w-40">
        <Input
          type="date"
          value={url.get('from') ?? ''}
          onChange={(event) => url.set({ from: event.target.value })}
        />
      </Field>
      <Field label={t`To`} className="w-40">
        <Input
          type="date"
          value={url.get('until') ?? ''}
          onChange={(event) => url.set({ until: event.target.value })}
        />
      </Field>
      {subject ? (
        <Button variant="secondary" onClick={() => url.set({ type: null, subject: null })}>
          <Trans>
            Only {auditSubjectName(i18n, url.get('type') ?? '')} {subject} ×
          </Trans>
        </Button>
      ) : null}
    </search>
  )
}

/** What changed, field by field. */
function Changes({ entry }: { entry: AuditEntry }) {
  const { i18n } = useLingui()
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
          <dt className="text-faint">{settingName(i18n, key)}</dt>
          <dd className="figures min-w-0 wrap-anywhere">
            {key in before ? <del className="text-soft">{short(before[key])}</del> : null}
            {key in before && key in after ? ' → ' : null}
            {key in after ? <ins className="no-underline">{short(after[key])}</ins> : null}
          </dd>
        </Fragment>
      ))}
    </dl>
  )
}

const short = (value: unknown) => {
  const text = plain(value)
  return text.length > 240 ? `${text.slice(0, 240)}…` : text
}

function asRecord(value: unknown): Record<string, unknown> {
  if (value === null || value === undefined) return {}
  return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : { value }
}
