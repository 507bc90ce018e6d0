import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  contentRoutes,
  documentBytesMax,
  documentTypes,
  operatorContentRoutes,
  type PublicDocument,
} from '../../../shared/api/content.ts'
import { call } from '../../area/call.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { Band, FieldRow } from '../../area/Page.tsx'
import { readItems } from '../../area/reading.ts'
import { useChange } from '../../area/use-change.ts'
import { Ito } from '../../ito/Ito.tsx'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Field, Input } from '../../ui/Field.tsx'
import { Count, DateTime } from '../../ui/numbers.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { toast } from '../../ui/Toast.tsx'
import { FileField } from '../FileField.tsx'
import { touched } from '../touched.ts'

/** Files that anyone may download, each with the hash by which it can be checked. */
export function Documents() {
  const { t, i18n } = useLingui()
  const [removing, setRemoving] = useState<PublicDocument>()
  const query = useQuery({
    ...readItems(contentRoutes.documents),
  })
  const remove = useChange({
    run: (id: number) => call(operatorContentRoutes.removeDocument, { params: { id } }),
    touches: touched.documents,
    done: () => {
      toast.success(t`The document was taken away.`)
      setRemoving(undefined)
    },
    onFail: () => setRemoving(undefined),
  })
  const titleOf = ({ title, fileName }: PublicDocument) =>
    (i18n.locale === 'ru' ? title.ru || title.en : title.en || title.ru) || fileName
  return (
    <>
      <AddDocument />
      <Band>
        <Loaded query={query}>
          {(documents) =>
            documents.length === 0 ? (
              <EmptyState picture={<Ito pose="box" decorative />} title={t`No documents yet`} />
            ) : (
              <Table caption={t`Documents`} stack>
                <THead>
                  <Th>{t`Title`}</Th>
                  <Th numeric>{t`Size`}</Th>
                  <Th>SHA-256</Th>
                  <Th>{t`Published`}</Th>
                  <Th className="text-right">{t`Actions`}</Th>
                </THead>
                <TBody>
                  {documents.map((document) => (
                    <Tr key={document.id}>
                      <Td label={t`Title`} className="wrap-anywhere">
                        <a
                          href={document.url}
                          download={document.fileName}
                          className="font-semibold underline"
                        >
                          {titleOf(document)}
                        </a>
                        <span className="block text-soft">{document.fileName}</span>
                      </Td>
                      <Td label={t`Size`} numeric>
                        <Count value={Math.ceil(document.sizeBytes / 1024)} /> kB
                      </Td>
                      <Td label="SHA-256">
                        <span className="inline-flex items-center">
                          <span className="figures" title={document.sha256}>
                            {document.sha256.slice(0, 12)}…
                          </span>
                          <CopyButton text={document.sha256} what={t`Copy the SHA-256`} className="size-7" />
                        </span>
                      </Td>
                      <Td label={t`Published`}>
                        <DateTime value={document.publishedAt} />
                      </Td>
                      <Td className="text-right">
                        <Button
                          variant="ghost"
                          size="sm"
                          className="text-danger!"
                          onClick={() => setRemoving(document)}
                        >
                          <Trans>Delete</Trans>
                        </Button>
                      </Td>
                    </Tr>
                  ))}
                </TBody>
              </Table>
            )
          }
        </Loaded>
      </Band>
      <ConfirmDialog
        open={removing !== undefined}
        onOpenChange={(open) => !open && setRemoving(undefined)}
        title={removing ? t`Delete “${titleOf(removing)}”?` : ''}
        danger
        confirm={t`Delete`}
        loading={remove.isPending}
        onConfirm={() => removing && remove.mutate(removing.id)}
      >
        <Trans>The document and its file leave the site at once. This can't be undone.</Trans>
      </ConfirmDialog>
    </>
  )
}

function AddDocument() {
  const { t } = useLingui()
  const [title, setTitle] = useState({ en: '', ru: '' })
  const [sent, setSent] = useState<{ name: string; fileName: string; sha256: string }>()
  const publish = useChange({
    run: (upload: { name: string; fileName: string }) =>
      call(operatorContentRoutes.addDocument, {
        body: { title, uploadName: upload.name, fileName: upload.fileName },
      }),
    touches: touched.documents,
    done: () => {
      toast.success(t`The document is published.`)
      setTitle({ en: '', ru: '' })
      setSent(undefined)
    },
  })
  const hasTitle = title.en.trim() !== '' || title.ru.trim() !== ''
  return (
    <form
      className="mb-6 flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (sent && hasTitle) publish.mutate(sent)
      }}
    >
      <FieldRow>
        <Field label={t`Title, English`}>
          <Input
            lang="en"
            value={title.en}
            onChange={(event) => setTitle({ ...title, en: event.target.value })}
          />
        </Field>
        <Field label={t`Title, Russian`}>
          <Input
            lang="ru"
            value={title.ru}
            onChange={(event) => setTitle({ ...title, ru: event.target.value })}
          />
        </Field>
        {sent ? (
          <div className="text-sm">
            <p className="font-medium wrap-anywhere">{sent.fileName}</p>
            <p className="text-soft">
              SHA-256 <span className="figures">{sent.sha256.slice(0, 16)}…</span>
            </p>
            <Button variant="ghost" size="sm" className="-ml-3" onClick={() => setSent(undefined)}>
              <Trans>Another file</Trans>
            </Button>
          </div>
        ) : (
          <FileField
            label={t`File`}
            hint={t`PDF, up to 20 MB.`}
            types={documentTypes}
            bytesMax={documentBytesMax}
            onUploaded={(upload, file) => setSent({ ...upload, fileName: file.name })}
          />
        )}
      </FieldRow>
      <Button
        type="submit"
        className="self-start"
        loading={publish.isPending}
        disabledReason={!sent ? t`Choose a file first.` : hasTitle ? undefined : t`Give it a title.`}
      >
        <Trans>Publish the document</Trans>
      </Button>
    </form>
  )
}
