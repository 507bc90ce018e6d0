import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { contentRoutes, operatorContentRoutes, type PublicDocument } from '../../../shared/api/content.ts'
import { pickText } from '../../../shared/languages.ts'
import { ConfirmChange } from '../../area/ConfirmChange.tsx'
import { call } from '../../area/call.ts'
import { DataTable } from '../../area/DataTable.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { Band } from '../../area/Page.tsx'
import { RowActions, RowButton } from '../../area/RowActions.tsx'
import { read, readItems } from '../../area/reading.ts'
import { useChange } from '../../area/use-change.ts'
import { Ito } from '../../ito/Ito.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Count, DateTime } from '../../ui/numbers.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { MoveButtons } from '../MoveButtons.tsx'
import { touched } from '../touched.ts'
import { AddDocument } from './AddDocument.tsx'
import { RenameDocument } from './RenameDocument.tsx'
import { ReplaceDocument } from './ReplaceDocument.tsx'

export function Documents() {
  const { t, i18n } = useLingui()
  const [removing, setRemoving] = useState<PublicDocument>()
  const [renaming, setRenaming] = useState<PublicDocument>()
  const [replacing, setReplacing] = useState<PublicDocument>()
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
              <Table
                documents={documents}
                titleOf={titleOf}
                onRename={setRenaming}
                onReplace={setReplacing}
                onRemove={setRemoving}
              />
            )
          }
        </Loaded>
      </Band>
      {renaming ? <RenameDocument document={renaming} onClose={() => setRenaming(undefined)} /> : null}
      {replacing ? <ReplaceDocument document={replacing} onClose={() => setReplacing(undefined)} /> : null}
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
          <Trans>
            The document and its files, earlier versions too, leave the site at once. This can't be undone.
          </Trans>
        </ConfirmChange>
      ) : null}
    </>
  )
}

function Table({
  documents,
  titleOf,
  onRename,
  onReplace,
  onRemove,
}: {
  documents: readonly PublicDocument[]
  titleOf: (document: PublicDocument) => string
  onRename: (document: PublicDocument) => void
  onReplace: (document: PublicDocument) => void
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
          cell: (document) => <Titled document={document} title={titleOf(document)} />,
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
            <RowActions>
              <Move document={document} documents={documents} title={titleOf(document)} />
              <RowButton onClick={() => onRename(document)}>
                <Trans>Rename</Trans>
              </RowButton>
              <RowButton onClick={() => onReplace(document)}>
                <Trans>New version</Trans>
              </RowButton>
              <RowButton danger onClick={() => onRemove(document)}>
                <Trans>Delete</Trans>
              </RowButton>
            </RowActions>
          ),
        },
      ]}
    />
  )
}

function Titled({
  document: { url, fileName, earlier },
  title,
}: {
  document: PublicDocument
  title: string
}) {
  return (
    <>
      <a href={url} download={fileName} className="font-semibold underline">
        {title}
      </a>
      <span className="block text-soft">{fileName}</span>
      {earlier.length > 0 ? (
        <span className="block text-soft">
          <Plural value={earlier.length} one="# earlier version" other="# earlier versions" />
        </span>
      ) : null}
    </>
  )
}

function Move({
  document,
  documents,
  title,
}: {
  document: PublicDocument
  documents: readonly PublicDocument[]
  title: string
}) {
  const { t } = useLingui()
  const client = useQueryClient()
  const place = documents.indexOf(document) + 1
  const change = useChange({
    run: (to: number) =>
      call(operatorContentRoutes.moveDocument, { params: { id: document.id }, body: { from: place, to } }),
    touches: touched.documents,
    done: (reply, to) => {
      client.setQueryData(read(contentRoutes.documents).queryKey, reply)
      toast.success(t`“${title}” is number ${to} now.`)
    },
  })
  return (
    <MoveButtons
      title={title}
      place={place - 1}
      last={documents.length - 1}
      loading={change.isPending}
      onMove={(to) => change.mutate(to + 1)}
    />
  )
}
