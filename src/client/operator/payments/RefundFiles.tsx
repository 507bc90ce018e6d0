import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { operatorPaymentRoutes } from '../../../shared/api/operator-payments.ts'
import type { RefundFile } from '../../../shared/api/payments.ts'
import { call } from '../../area/call.ts'
import { type Column, DataTable } from '../../area/DataTable.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { readItems, refreshMs } from '../../area/reading.ts'
import { saveFile } from '../../area/save-file.ts'
import { useChange } from '../../area/use-change.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/numbers.tsx'
import { useNetworkName } from '../payment-names.ts'

export function RefundFiles() {
  const { t } = useLingui()
  const networkName = useNetworkName()
  const query = useQuery({ ...readItems(operatorPaymentRoutes.refundFiles), refetchInterval: refreshMs })
  const columns: Column<RefundFile>[] = [
    { label: t`Prepared`, cell: ({ preparedAt }) => <DateTime value={preparedAt} /> },
    { label: t`By`, cell: ({ preparedBy }) => preparedBy ?? t`The system` },
    { label: t`Network`, cell: ({ network }) => networkName(network) },
    { label: t`As`, cell: ({ format }) => (format === 'psbt' ? 'PSBT' : 'CSV') },
    { label: t`Refunds`, cell: ({ refundIds }) => refundIds.join(', ') },
    { label: t`Actions`, actions: true, cell: ({ id }) => <Download id={id} /> },
  ]
  return (
    <Loaded query={query}>
      {(files) =>
        files.length === 0 ? null : (
          <section className="mt-8">
            <h2 className="mb-3 text-lg font-semibold">
              <Trans>Prepared files</Trans>
            </h2>
            <DataTable
              caption={t`Prepared files`}
              rows={files}
              keyOf={({ id }) => id}
              empty={t`No results.`}
              columns={columns}
            />
          </section>
        )
      }
    </Loaded>
  )
}

function Download({ id }: { id: string }) {
  const download = useChange({
    run: () => call(operatorPaymentRoutes.refundFile, { params: { id: Number(id) } }),
    touches: [],
    done: ({ fileName, content }) => saveFile(fileName, 'application/octet-stream', content),
  })
  return (
    <Button variant="secondary" size="sm" loading={download.isPending} onClick={() => download.mutate()}>
      <Trans>Download again</Trans>
    </Button>
  )
}
