import { Trans, useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { csvLine, saveFile } from '../../area/save-file.ts'
import { Button } from '../../ui/Button.tsx'

/** Saves the figures behind a chart, the headings first. */
export function CsvButton({
  name,
  of,
  rows,
}: {
  name: string
  of: string
  rows: readonly (readonly (string | number)[])[]
}) {
  const { t } = useLingui()
  const save = () =>
    saveFile(
      `${name}.csv`,
      'text/csv',
      `\ufeff${rows.map((row) => `${csvLine(row.map(String))}\r\n`).join('')}`,
    )
  return (
    <Button variant="ghost" size="sm" aria-label={t`Export CSV: ${of}`} onClick={save}>
      <Download aria-hidden="true" className="size-4" />
      <Trans>CSV</Trans>
    </Button>
  )
}
