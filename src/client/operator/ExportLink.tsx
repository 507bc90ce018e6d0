import { Trans, useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { useRef, useState } from 'react'
import { apiUrl } from '../api.ts'
import { withProof } from '../area/call.ts'
import { saveFile } from '../area/save-file.ts'
import { streamOf } from '../area/stream-of.ts'
import { errorText } from '../errors.ts'
import { Button } from '../ui/Button.tsx'
import { Count } from '../ui/numbers.tsx'
import { toast } from '../ui/Toast.tsx'

export function ExportLink({ path, query }: { path: string; query?: Record<string, string | undefined> }) {
  const { t } = useLingui()
  const [rows, setRows] = useState<number>()
  const stop = useRef<AbortController>(undefined)
  const save = async () => {
    stop.current = new AbortController()
    setRows(0)
    try {
      const { signal } = stop.current
      const { name, parts } = await withProof(() => streamOf(apiUrl({ path }, { query }), signal, setRows))
      saveFile(name, 'text/csv', parts)
    } catch (error) {
      if (!stop.current.signal.aborted)
        toast.error(t`The export broke off; nothing was saved.`, errorText(error))
    } finally {
      setRows(undefined)
    }
  }
  if (rows !== undefined)
    return (
      <span className="flex items-center gap-2 text-sm" role="status">
        <Trans>
          Rows: <Count value={rows} />
        </Trans>
        <Button variant="secondary" size="sm" onClick={() => stop.current?.abort()}>
          <Trans>Stop</Trans>
        </Button>
      </span>
    )
  return (
    <Button variant="secondary" size="sm" onClick={() => void save()}>
      <Download aria-hidden="true" className="size-4" />
      <Trans>Export CSV</Trans>
    </Button>
  )
}
