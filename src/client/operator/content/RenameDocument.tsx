import { Trans, useLingui } from '@lingui/react/macro'
import { operatorContentRoutes, type PublicDocument } from '../../../shared/api/content.ts'
import { documentChange } from '../../../shared/api/content-inputs.ts'
import type { Texts } from '../../../shared/languages.ts'
import { call } from '../../area/call.ts'
import { FormConflict, FormDialog } from '../../area/FormDialog.tsx'
import { FieldRow } from '../../area/Page.tsx'
import { rulesOf } from '../../area/rules.ts'
import { TextField } from '../../area/TextField.tsx'
import { useEdit } from '../../area/use-edit.ts'
import { toast } from '../../ui/Toast.tsx'
import { allOf, hasText, TextPair } from '../TextFields.tsx'
import { touched } from '../touched.ts'

const rules = rulesOf(documentChange.omit({ revision: true }))
const valuesOf = ({ title, fileName }: PublicDocument) => ({ title, fileName })
const bothOf = allOf

export function RenameDocument({ document, onClose }: { document: PublicDocument; onClose: () => void }) {
  const { t } = useLingui()
  const form = useEdit({
    thing: document,
    valuesOf,
    rules,
    send: (names, { id, revision }) =>
      call(operatorContentRoutes.updateDocument, { params: { id }, body: { ...names, revision } }),
    touches: touched.documents,
    done: () => {
      toast.success(t`The document has its new name.`)
      onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      title={t`Rename “${document.fileName}”`}
      description={t`The file and its SHA-256 stay the same.`}
      submit={<Trans>Save changes</Trans>}
      disabledReason={hasText(form.values.title) ? undefined : t`Give it a title.`}
      conflict={
        <FormConflict
          form={form}
          labels={{ title: t`Title`, fileName: t`File name` }}
          show={(value) => (typeof value === 'string' ? value : bothOf(value as Texts))}
        />
      }
      onClose={onClose}
    >
      <FieldRow>
        <TextPair form={form} name="title" label={t`Title`} />
      </FieldRow>
      <TextField form={form} name="fileName" label={t`File name`} hint={t`Ends in .pdf whatever is typed.`} />
    </FormDialog>
  )
}
