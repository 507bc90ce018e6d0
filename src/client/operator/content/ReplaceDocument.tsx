import { Trans, useLingui } from '@lingui/react/macro'
import {
  documentBytesMax,
  documentTypes,
  operatorContentRoutes,
  type PublicDocument,
} from '../../../shared/api/content.ts'
import { call } from '../../area/call.ts'
import { FormConflict, FormDialog } from '../../area/FormDialog.tsx'
import { useEdit } from '../../area/use-edit.ts'
import { toast } from '../../ui/Toast.tsx'
import { FileField } from '../FileField.tsx'
import { touched } from '../touched.ts'

interface Chosen {
  uploadName: string
  fileName: string
  sha256: string
}

/** The earlier file keeps its address and hash. */
export function ReplaceDocument({ document, onClose }: { document: PublicDocument; onClose: () => void }) {
  const { t } = useLingui()
  const form = useEdit({
    thing: document,
    valuesOf: ({ fileName, sha256 }): Chosen => ({ uploadName: '', fileName, sha256 }),
    send: ({ uploadName, fileName }: Chosen, { id, revision }) =>
      call(operatorContentRoutes.replaceDocument, {
        params: { id },
        body: { uploadName, fileName, revision },
      }),
    touches: touched.documents,
    done: () => {
      toast.success(t`The new version is published.`)
      onClose()
    },
  })
  const { uploadName, fileName, sha256 } = form.values
  return (
    <FormDialog
      form={form}
      title={t`New version of “${document.fileName}”`}
      description={t`The file before stays reachable, with its SHA-256; the journal says the hash of each version.`}
      submit={<Trans>Publish the new version</Trans>}
      disabledReason={uploadName ? undefined : t`Choose a file first.`}
      conflict={<FormConflict form={form} labels={{ fileName: t`File name`, sha256: 'SHA-256' }} />}
      onClose={onClose}
    >
      <FileField
        label={t`File`}
        hint={t`PDF, up to 20 MB.`}
        types={documentTypes}
        bytesMax={documentBytesMax}
        onUploaded={(upload, file) =>
          form.set({ uploadName: upload.name, fileName: file.name, sha256: upload.sha256 })
        }
      />
      {uploadName ? (
        <p className="text-sm wrap-anywhere">
          {fileName}, SHA-256 <span className="figures">{sha256.slice(0, 16)}…</span>
        </p>
      ) : null}
    </FormDialog>
  )
}
