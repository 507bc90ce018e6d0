import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import {
  type AnnouncementInput,
  imageBytesMax,
  imageTypes,
  type OperatorAnnouncement,
  operatorContentRoutes,
} from '../../../shared/api/content.ts'
import { announcementInput } from '../../../shared/api/content-inputs.ts'
import { Conflict, differencesOf, plain } from '../../area/Conflict.tsx'
import { call, currentOf } from '../../area/call.ts'
import { FieldRow } from '../../area/Page.tsx'
import { useChange } from '../../area/use-change.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Choice.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field, FormError } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { toast } from '../../ui/Toast.tsx'
import { FileField } from '../FileField.tsx'
import { useSchemaForm } from '../form.ts'
import { MomentInput } from '../MomentInput.tsx'
import { offsetZone, usePublicCampaign } from '../queries.ts'
import { TextFields, type Texts } from '../TextFields.tsx'
import { touched } from '../touched.ts'
import { Markup } from './Markup.tsx'

interface Values {
  title: Texts
  body: Texts
  image: { name: string; alt: Texts } | null
  pinned: boolean
  publishedAt: string | null
}
type When = 'draft' | 'now' | 'later'

const valuesOf = (shown: OperatorAnnouncement | undefined): Values => ({
  title: shown?.title ?? { en: '', ru: '' },
  body: shown?.body ?? { en: '', ru: '' },
  image: shown?.image && shown.imageName ? { name: shown.imageName, alt: shown.image.alt } : null,
  pinned: shown?.pinned ?? false,
  publishedAt: shown?.publishedAt ?? null,
})

/** Writes or changes an announcement, with a preview of what its readers see. */
export function AnnouncementForm({
  shown,
  onClose,
}: {
  shown: OperatorAnnouncement | undefined
  onClose: () => void
}) {
  const { t } = useLingui()
  const element = useRef<HTMLFormElement>(null)
  const [base, setBase] = useState(shown)
  const [theirs, setTheirs] = useState<OperatorAnnouncement>()
  const [failure, setFailure] = useState<string>()
  const [when, setWhen] = useState<When>(
    shown?.state === 'published' ? 'now' : shown?.state === 'scheduled' ? 'later' : 'draft',
  )
  const [imageUrl, setImageUrl] = useState(shown?.image?.url)
  const form = useSchemaForm(announcementInput, valuesOf(shown))
  const { values, set, error } = form
  const offset = usePublicCampaign()?.settings.operatorUtcOffsetMinutes ?? 0
  const wasPublished = base?.state === 'published'

  const save = useChange({
    run: (body: AnnouncementInput) =>
      base
        ? call(operatorContentRoutes.updateAnnouncement, {
            params: { id: base.id },
            body: { ...body, revision: base.revision },
          })
        : call(operatorContentRoutes.addAnnouncement, { body }),
    touches: touched.announcements,
    done: (saved) => {
      toast.success(
        saved.state === 'published'
          ? t`The announcement is published.`
          : saved.state === 'scheduled'
            ? t`The announcement is scheduled.`
            : t`The draft is saved.`,
      )
      onClose()
    },
    failed: false,
    onFail: (thrown) => {
      setTheirs(currentOf<OperatorAnnouncement>(thrown))
      if (!form.refuse(thrown)) setFailure(errorText(thrown))
    },
  })

  const submit = () => {
    setFailure(undefined)
    const body = form.check(element.current)
    if (!body) return
    if (when === 'later' && !body.publishedAt) return setFailure(t`Choose when it is to appear.`)
    const now = wasPublished && base.publishedAt ? base.publishedAt : new Date().toISOString()
    save.mutate({ ...body, publishedAt: when === 'draft' ? null : when === 'now' ? now : body.publishedAt })
  }

  const fields = (
    <form
      ref={element}
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextFields
        label={t`Title`}
        rows={1}
        value={values.title}
        onChange={(title) => set({ title })}
        error={error('title') ?? error('title.en')}
      />
      <TextFields
        label={t`Text`}
        rows={8}
        value={values.body}
        onChange={(body) => set({ body })}
        error={error('body') ?? error('body.en')}
        hint={t`Blank line: paragraph. “## ” heading, “- ” list, **strong**, [words](https://…).`}
      />
      {values.image ? (
        <div className="flex flex-wrap items-start gap-4">
          {imageUrl ? <img src={imageUrl} alt="" className="h-24 rounded-sm border border-line" /> : null}
          <div className="min-w-60 flex-1">
            <TextFields
              label={t`What the image shows`}
              rows={1}
              value={values.image.alt}
              onChange={(alt) => values.image && set({ image: { ...values.image, alt } })}
            />
            <Button variant="ghost" size="sm" onClick={() => set({ image: null })}>
              <Trans>Remove the image</Trans>
            </Button>
          </div>
        </div>
      ) : (
        <FileField
          label={t`Image`}
          hint={t`PNG, JPEG or WebP, up to 5 MB. It is re-encoded; what a camera wrote into it goes.`}
          types={imageTypes}
          bytesMax={imageBytesMax}
          onUploaded={(upload) => {
            setImageUrl(upload.url)
            set({ image: { name: upload.name, alt: { en: '', ru: '' } } })
          }}
        />
      )}
      <FieldRow>
        <Field label={t`Publish`}>
          <Select
            value={when}
            onValueChange={setWhen}
            options={[
              { value: 'draft', label: t`Keep as a draft` },
              { value: 'now', label: wasPublished ? t`Stays published` : t`Now` },
              { value: 'later', label: t`At a time` },
            ]}
          />
        </Field>
        {when === 'later' ? (
          <Field label={t`At (UTC${offsetZone(offset)})`} error={error('publishedAt')}>
            <MomentInput
              value={values.publishedAt ?? ''}
              offset={offset}
              onValueChange={(publishedAt) => set({ publishedAt: publishedAt || null })}
            />
          </Field>
        ) : null}
      </FieldRow>
      <Checkbox
        checked={values.pinned}
        onCheckedChange={(pinned) => set({ pinned })}
        hint={t`One at a time: the one that was pinned is not any more.`}
      >
        <Trans>Pin it on top</Trans>
      </Checkbox>
      <button type="submit" hidden />
    </form>
  )
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      dismissible={false}
      title={shown ? t`Edit the announcement` : t`New announcement`}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button loading={save.isPending} onClick={submit}>
            {when === 'draft' ? (
              <Trans>Save the draft</Trans>
            ) : when === 'now' ? (
              <Trans>Publish</Trans>
            ) : (
              <Trans>Schedule</Trans>
            )}
          </Button>
        </>
      }
    >
      {theirs ? (
        <Conflict
          differences={differencesOf<Values>(
            values,
            valuesOf(theirs),
            { title: t`Title`, body: t`Text`, image: t`Image`, pinned: t`Pinned`, publishedAt: t`Published` },
            (value) => (isTexts(value) ? `EN: ${value.en} / RU: ${value.ru}` : plain(value)),
          )}
          onTheirs={() => {
            setBase(theirs)
            form.reset(valuesOf(theirs))
            setImageUrl(theirs.image?.url)
            setTheirs(undefined)
            setFailure(undefined)
          }}
          onMine={() => {
            setBase(theirs)
            setTheirs(undefined)
            setFailure(undefined)
          }}
        />
      ) : null}
      <FormError>{theirs ? null : failure}</FormError>
      <Tabs
        tabs={[
          { value: 'write', label: t`Write`, content: fields },
          {
            value: 'en',
            label: t`Preview, English`,
            content: <Preview values={values} locale="en" imageUrl={imageUrl} />,
          },
          {
            value: 'ru',
            label: t`Preview, Russian`,
            content: <Preview values={values} locale="ru" imageUrl={imageUrl} />,
          },
        ]}
      />
    </Dialog>
  )
}

const isTexts = (value: unknown): value is Texts =>
  typeof value === 'object' && value !== null && 'en' in value && 'ru' in value

function Preview({
  values,
  locale,
  imageUrl,
}: {
  values: Values
  locale: 'en' | 'ru'
  imageUrl: string | undefined
}) {
  const other = locale === 'en' ? 'ru' : 'en'
  const pick = (texts: Texts) =>
    texts[locale] ? { text: texts[locale], lang: locale } : { text: texts[other], lang: other }
  const title = pick(values.title)
  const body = pick(values.body)
  if (!title.text && !body.text)
    return (
      <p className="text-soft">
        <Trans>There is nothing to show yet.</Trans>
      </p>
    )
  return (
    <article>
      <h3 className="display mb-3 text-3xl" lang={title.lang}>
        {title.text}
      </h3>
      <Markup text={body.text} lang={body.lang} />
      {values.image && imageUrl ? (
        <img
          src={imageUrl}
          alt={pick(values.image.alt).text}
          className="mt-4 max-h-96 rounded-md border border-line"
        />
      ) : null}
    </article>
  )
}
