import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { contentRoutes, operatorContentRoutes, type PublicDocument } from '../../../shared/api/content.ts'
import { ConfirmChange } from '../../area/ConfirmChange.tsx'
import { call } from '../../area/call.ts'
import { DataTable } from '../../area/DataTable.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { pickText } from '../../area/LocalText.tsx'
import { Band } from '../../area/Page.tsx'
import { RowButton } from '../../area/RowActions.tsx'
import { readItems } from '../../area/reading.ts'
import { Ito } from '../../ito/Ito.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Count, DateTime } from '../../ui/numbers.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { touched } from '../touched.ts'
import { AddDocument } from './AddDocument.tsx'

/** Files that anyone may download, each with the hash by which it can be checked. */
export function Documents() {
  const { t, i18n } = useLingui()
  const [removing, setRemoving] = useState<PublicDocument>()
  const query = useQuery(readItems(contentRoutes.documents))
  const titleOf = ({ title, fileName }: PublicDocument) => pickText(title, i18n.locale).text || fileName
  return (
    <>
      <AddDocument />
      <Band>
        <Loaded query={query}>
          {(documents) =>
            documents.length === 0 ? (
              <EmptyState picture={<Ito pose="box" decorative />} title={t`No documents yet`} />
            ) : (
              <Table documents={documents} titleOf={titleOf} onRemove={setRemoving} />
            )
          }
        </Loaded>
      </Band>
      {removing ? (
        <ConfirmChange
          title={t`Delete “${titleOf(removing)}”?`}
          danger
          confirm={t`Delete`}
          run={() => call(operatorContentRoutes.removeDocument, { params: { id: removing.id } })}
          touches={touched.documents}
          done={() => toast.success(t`The document was taken away.`)}
          onClose={() => setRemoving(undefined)}
        >
          <Trans>The document and its file leave the site at once. This can't be undone.</Trans>
        </ConfirmChange>
      ) : null}
    </>
  )
}

function Table({
  documents,
  titleOf,
  onRemove,
}: {
  documents: readonly PublicDocument[]
  titleOf: (document: PublicDocument) => string
  onRemove: (document: PublicDocument) => void
}) {
  const { t } = useLingui()
  return (
    <DataTable
      caption={t`Documents`}
      rows={documents}
      keyOf={({ id }) => id}
      columns={[
        {
          label: t`Title`,
          className: 'wrap-anywhere',
          cell: (document) => (
            <>
              <a href={document.url} download={document.fileName} className="font-semibold underline">
                {titleOf(document)}
              </a>
              <span className="block text-soft">{document.fileName}</span>
            </>
          ),
        },
        {
          label: t`Size`,
          numeric: true,
          cell: ({ sizeBytes }) => (
            <>
              <Count value={Math.ceil(sizeBytes / 1024)} /> kB
            </>
          ),
        },
        {
          label: 'SHA-256',
          cell: ({ sha256 }) => (
            <span className="inline-flex items-center">
              <span className="figures" title={sha256}>
                {sha256.slice(0, 12)}…
              </span>
              <CopyButton text={sha256} what={t`Copy the SHA-256`} className="size-7" />
            </span>
          ),
        },
        { label: t`Published`, cell: ({ publishedAt }) => <DateTime value={publishedAt} /> },
        {
          label: t`Actions`,
          actions: true,
          cell: (document) => (
            <RowButton danger onClick={() => onRemove(document)}>
              <Trans>Delete</Trans>
            </RowButton>
          ),
        },
      ]}
    />
  )
}
