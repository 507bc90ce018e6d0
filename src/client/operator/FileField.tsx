import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { Upload } from '../../shared/api/content.ts'
import { errorText } from '../errors.ts'
import { Field, useField } from '../ui/Field.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { uploadFile } from './upload.ts'

export function FileField({
  label,
  hint,
  types,
  bytesMax,
  onUploaded,
}: {
  label: string
  hint?: string
  types: readonly string[]
  bytesMax: number
  onUploaded: (upload: Upload, file: File) => void
}) {
  const { t } = useLingui()
  const [percent, setPercent] = useState<number>()
  const [failure, setFailure] = useState<string>()
  const megabytes = bytesMax / 1024 / 1024
  const take = async (file: File | undefined) => {
    setFailure(undefined)
    if (!file) return
    if (!types.includes(file.type)) return setFailure(t`Only PDF, PNG, JPEG and WebP files are taken.`)
    if (file.size > bytesMax) return setFailure(t`At most ${megabytes} MB.`)
    setPercent(0)
    try {
      onUploaded(await uploadFile(file, setPercent), file)
    } catch (error) {
      setFailure(errorText(error))
    } finally {
      setPercent(undefined)
    }
  }
  return (
    <Field label={label} hint={hint} error={failure}>
      <Chooser
        accept={types.join(',')}
        disabled={percent !== undefined}
        onChoose={(file) => void take(file)}
      />
      {percent === undefined ? null : (
        <div className="text-sm text-soft" role="status">
          <Trans>Sending: {percent} %</Trans>
          <ProgressBar percent={String(percent)} label={label} />
        </div>
      )}
    </Field>
  )
}

function Chooser({
  accept,
  disabled,
  onChoose,
}: {
  accept: string
  disabled: boolean
  onChoose: (file: File | undefined) => void
}) {
  const field = useField()
  return (
    <input
      {...field}
      type="file"
      accept={accept}
      disabled={disabled}
      className="w-full text-sm file:mr-3 file:h-10 file:rounded-md file:border file:border-line-strong file:bg-raised file:px-3 file:font-semibold"
      onChange={(event) => {
        onChoose(event.target.files?.[0])
        // Allows choosing the same file again after a failure.
        event.target.value = ''
      }}
    />
  )
}
