import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { type Canonical, canonicalJson } from '../../shared/canonical-json.ts'
import { Button } from '../ui/Button.tsx'
import { bringIntoView } from '../ui/Field.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../ui/Table.tsx'

export interface Difference {
  key: string
  label: ReactNode
  mine: ReactNode
  theirs: ReactNode
}

/** Shows what somebody else changed meanwhile and asks whose version to keep. */
export function Conflict({
  differences,
  onTheirs,
  onMine,
  again,
}: {
  differences: readonly Difference[]
  onTheirs: () => void
  onMine: () => void
  /** The button text of `onMine` if nothing was typed. */
  again?: string
}) {
  const { t } = useLingui()
  return (
    <div
      ref={bringIntoView}
      role="alert"
      className="mb-5 scroll-my-4 border-l-4 border-danger bg-danger-soft px-4 py-3"
    >
      <p className="font-semibold">
        <Trans>Somebody else changed this meanwhile. Nothing was saved.</Trans>
      </p>
      {differences.length > 0 ? (
        <Table caption={t`What differs`} stack className={compared}>
          <THead>
            <Th className="w-1/5">
              <Trans>Field</Trans>
            </Th>
            <Th>
              <Trans>Yours</Trans>
            </Th>
            <Th>
              <Trans>Now stored</Trans>
            </Th>
          </THead>
          <TBody>
            {differences.map((difference) => (
              <Tr key={difference.key}>
                <Td label={t`Field`}>{difference.label}</Td>
                <Td label={t`Yours`} className="wrap-anywhere">
                  {difference.mine}
                </Td>
                <Td label={t`Now stored`} className="wrap-anywhere">
                  {difference.theirs}
                </Td>
              </Tr>
            ))}
          </TBody>
        </Table>
      ) : (
        <p className="my-2 text-sm">
          <Trans>The fields of this form are the same in both versions.</Trans>
        </p>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" variant="secondary" className={wraps} onClick={onTheirs}>
          <Trans>Use the stored version</Trans>
        </Button>
        <Button size="sm" variant="secondary" className={wraps} onClick={onMine}>
          {again ?? <Trans>Keep mine, then save again</Trans>}
        </Button>
      </div>
    </div>
  )
}

/** Both versions get equal widths; on a phone they stand below their labels. */
const compared =
  'my-2 sm:table-fixed [&_td]:before:text-soft! [&_td]:align-top [&_th]:text-soft max-sm:[&_td]:flex-wrap max-sm:[&_td]:gap-y-0 max-sm:[&_td]:before:basis-full max-sm:[&_td>div]:text-left!'

/** The button texts are sentences, so they wrap on a narrow phone. */
const wraps = 'h-auto! min-h-8 max-w-full py-1.5 leading-tight! whitespace-normal! pointer-coarse:min-h-11'

/** Ignores the order of fields, which the database changes. */
const isSame = (one: unknown, other: unknown) => ordered(one) === ordered(other)
const ordered = (value: unknown) => canonicalJson(JSON.parse(JSON.stringify(value ?? null)) as Canonical)

export function differencesOf<Thing extends object>(
  mine: Partial<Thing>,
  theirs: Thing,
  labels: Partial<Record<keyof Thing & string, ReactNode>>,
  show: (value: unknown, key: string) => ReactNode = plain,
): Difference[] {
  return (Object.keys(labels) as (keyof Thing & string)[])
    .filter((key) => key in mine && !isSame(mine[key], theirs[key]))
    .map((key) => ({ key, label: labels[key], mine: show(mine[key], key), theirs: show(theirs[key], key) }))
}

export function plain(value: unknown): string {
  if (value === null || value === undefined || value === '') return '—'
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join(', ') || '—'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
