import { Trans, useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { saveCsv } from '../../area/save-csv.ts'
import { Button } from '../../ui/Button.tsx'

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
  const save = () => saveCsv(`${name}.csv`, rows)
  return (
    <Button variant="ghost" size="sm" aria-label={t`Export CSV: ${of}`} onClick={save}>
      <Download aria-hidden="true" className="size-4" />
      <Trans>CSV</Trans>
    </Button>
  )
}
