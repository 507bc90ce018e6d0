import { Trans, useLingui } from '@lingui/react/macro'
import { imageBytesMax, imageTypes } from '../../../shared/api/content.ts'
import { noTexts } from '../../../shared/texts.ts'
import { type Fields, partOf } from '../../area/form-fields.ts'
import { FieldRow } from '../../area/Page.tsx'
import { SelectField } from '../../area/SelectField.tsx'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Choice.tsx'
import { FileField } from '../FileField.tsx'
import { useMarkupHint } from '../Markup.tsx'
import { MomentField } from '../MomentField.tsx'
import { offsetZone, usePublicCampaign } from '../queries.ts'
import { TextFields } from '../TextFields.tsx'
import type { AnnouncementValues } from './AnnouncementForm.tsx'

interface Props {
  form: Fields<AnnouncementValues>
}

export function AnnouncementFields({ form, wasPublished }: Props & { wasPublished: boolean }) {
  const { t } = useLingui()
  const offset = usePublicCampaign()?.settings.operatorUtcOffsetMinutes ?? 0
  return (
    <div className="flex flex-col gap-4">
      <TextFields form={form} name="title" label={t`Title`} rows={1} />
      <TextFields form={form} name="body" label={t`Text`} rows={8} hint={useMarkupHint()} />
      <ImageField form={form} />
      <FieldRow>
        <SelectField
          form={form}
          name="when"
          label={t`Publish`}
          options={[
            { value: 'draft', label: t`Keep as a draft` },
            { value: 'now', label: wasPublished ? t`Stays published` : t`Now` },
            { value: 'later', label: t`At a time` },
          ]}
        />
        {form.values.when === 'later' ? (
          <MomentField
            form={form}
            name="publishedAt"
            label={t`At (UTC${offsetZone(offset)})`}
            offset={offset}
            none={null}
          />
        ) : null}
      </FieldRow>
      <Checkbox
        checked={form.values.pinned}
        onCheckedChange={(pinned) => form.set({ pinned })}
        hint={t`One at a time: the present one stays pinned until this one appears.`}
      >
        <Trans>Pin it on top</Trans>
      </Checkbox>
    </div>
  )
}

function ImageField({ form }: Props) {
  const { t } = useLingui()
  const { image } = form.values
  if (!image)
    return (
      <FileField
        label={t`Image`}
        hint={t`PNG, JPEG or WebP, up to 5 MB. It is re-encoded, which removes what a camera wrote into it.`}
        types={imageTypes}
        bytesMax={imageBytesMax}
        onUploaded={({ name, url }) => form.set({ image: { name, url, alt: noTexts } })}
      />
    )
  return (
    <div className="flex flex-wrap items-start gap-4">
      <img src={image.url} alt="" className="h-24 rounded-sm border border-line" />
      <div className="min-w-60 flex-1">
        <TextFields form={partOf(form, 'image')} name="alt" label={t`Content of the image`} rows={1} />
        <Button variant="ghost" size="sm" onClick={() => form.set({ image: null })}>
          <Trans>Remove the image</Trans>
        </Button>
      </div>
    </div>
  )
}
