import { Trans, useLingui } from '@lingui/react/macro'
import { documentBytesMax, documentTypes, operatorContentRoutes } from '../../../shared/api/content.ts'
import { type Texts } from '../../../shared/languages.ts'
import { noTexts } from '../../../shared/texts.ts'
import { call } from '../../area/call.ts'
import { FieldRow } from '../../area/Page.tsx'
import { useForm } from '../../area/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { FormError } from '../../ui/Field.tsx'
import { toast } from '../../ui/Toast.tsx'
import { FileField } from '../FileField.tsx'
import { hasText, TextPair } from '../TextFields.tsx'
import { touched } from '../touched.ts'

interface Values {
  title: Texts
  file: { uploadName: string; fileName: string; sha256: string } | null
}

export function AddDocument() {
  const { t } = useLingui()
  const form = useForm({
    initial: { title: noTexts, file: null } as Values,
    send: ({ title, file }: Values) => {
      const { uploadName = '', fileName = '' } = file ?? {}
      return call(operatorContentRoutes.addDocument, { body: { title, uploadName, fileName } })
    },
    touches: touched.documents,
    done: () => toast.success(t`The document is published.`),
    empties: true,
  })
  const { title, file } = form.values
  return (
    <form {...form.formProps} className="mb-6 flex flex-col gap-4">
      <FormError>{form.failure}</FormError>
      <FieldRow>
        <TextPair form={form} name="title" label={t`Title`} />
        {file ? (
          <div className="text-sm">
            <p className="font-medium wrap-anywhere">{file.fileName}</p>
            <p className="text-soft">
              SHA-256 <span className="figures">{file.sha256.slice(0, 16)}…</span>
            </p>
            <Button variant="ghost" size="sm" className="-ml-3" onClick={() => form.set({ file: null })}>
              <Trans>Another file</Trans>
            </Button>
          </div>
        ) : (
          <FileField
            label={t`File`}
            hint={t`PDF, up to 20 MB.`}
            types={documentTypes}
            bytesMax={documentBytesMax}
            onUploaded={({ name, sha256 }, { name: fileName }) =>
              form.set({ file: { uploadName: name, fileName, sha256 } })
            }
          />
        )}
      </FieldRow>
      <Button
        type="submit"
        className="self-start"
        loading={form.isPending}
        disabledReason={!file ? t`Choose a file first.` : hasText(title) ? undefined : t`Give it a title.`}
      >
        <Trans>Publish the document</Trans>
      </Button>
    </form>
  )
}
