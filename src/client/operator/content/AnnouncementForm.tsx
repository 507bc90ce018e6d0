import { useLingui } from '@lingui/react/macro'
import { z } from 'zod'
import {
  type AnnouncementInput,
  type OperatorAnnouncement,
  operatorContentRoutes,
} from '../../../shared/api/content.ts'
import { announcementInput } from '../../../shared/api/content-inputs.ts'
import { type PublicLocale, type Texts } from '../../../shared/languages.ts'
import { noTexts } from '../../../shared/texts.ts'
import { call } from '../../area/call.ts'
import { FormConflict, FormDialog } from '../../area/FormDialog.tsx'
import { rulesOf } from '../../area/rules.ts'
import { useEdit } from '../../area/use-edit.ts'
import { Tabs } from '../../ui/Tabs.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useInWords } from '../in-words.ts'
import { useTextLanguages } from '../TextFields.tsx'
import { touched } from '../touched.ts'
import { AnnouncementFields } from './AnnouncementFields.tsx'
import { AnnouncementPreview } from './AnnouncementPreview.tsx'

const times = ['draft', 'now', 'later'] as const

export interface AnnouncementValues {
  title: Texts
  body: Texts
  image: { name: string; url: string; alt: Texts } | null
  pinned: boolean
  when: (typeof times)[number]
  publishedAt: string | null
}

const rules = rulesOf(
  announcementInput
    .extend({ when: z.enum(times) })
    .refine(({ when, publishedAt }) => when !== 'later' || publishedAt !== null, { path: ['publishedAt'] })
    .refine(
      ({ when, publishedAt }) =>
        when !== 'later' || publishedAt === null || Date.parse(publishedAt) > Date.now(),
      { path: ['publishedAt'], message: 'moment_past' },
    ),
)

const valuesOf = (shown: OperatorAnnouncement | undefined): AnnouncementValues => ({
  title: shown?.title ?? noTexts,
  body: shown?.body ?? noTexts,
  image: shown?.image && shown.imageName ? { ...shown.image, name: shown.imageName } : null,
  pinned: shown?.pinned ?? false,
  when: shown ? whenOf[shown.state] : 'draft',
  publishedAt: shown?.publishedAt ?? null,
})

const whenOf = { draft: 'draft', scheduled: 'later', published: 'now' } as const

const isPublished = (shown: OperatorAnnouncement | undefined) => shown?.state === 'published'

/** A published announcement keeps its date. */
function publishedAtOf(
  { when, publishedAt }: Pick<AnnouncementValues, 'when' | 'publishedAt'>,
  base: OperatorAnnouncement | undefined,
): string | null {
  if (when === 'draft') return null
  if (when === 'later') return publishedAt
  return (isPublished(base) && base?.publishedAt) || new Date().toISOString()
}

function send(
  body: AnnouncementInput,
  base: OperatorAnnouncement | undefined,
): Promise<OperatorAnnouncement> {
  if (!base) return call(operatorContentRoutes.addAnnouncement, { body })
  return call(operatorContentRoutes.updateAnnouncement, {
    params: { id: base.id },
    body: { ...body, revision: base.revision },
  })
}

export function AnnouncementForm({
  shown,
  onClose,
}: {
  shown: OperatorAnnouncement | undefined
  onClose: () => void
}) {
  const { t } = useLingui()
  const saved = {
    draft: t`The draft is saved.`,
    scheduled: t`The announcement is scheduled.`,
    published: t`The announcement is published.`,
  }
  const form = useEdit({
    thing: shown,
    valuesOf,
    rules,
    send: ({ when, ...body }, base) =>
      send({ ...body, publishedAt: publishedAtOf({ ...body, when }, base) }, base),
    touches: touched.announcements,
    done: ({ state }) => {
      toast.success(saved[state])
      onClose()
    },
  })
  const texts = useTextLanguages()
  const inWords = useInWords()
  const submit = { draft: t`Save the draft`, now: t`Publish`, later: t`Schedule` }
  const fields = <AnnouncementFields form={form} wasPublished={isPublished(form.base)} />
  const preview = (locale: PublicLocale) => <AnnouncementPreview values={form.values} locale={locale} />
  return (
    <FormDialog
      form={form}
      size="lg"
      title={shown ? t`Edit the announcement` : t`New announcement`}
      submit={submit[form.values.when]}
      conflict={
        <FormConflict
          form={form}
          labels={{
            title: t`Title`,
            body: t`Text`,
            image: t`Image`,
            pinned: t`Pinned`,
            publishedAt: t`Published`,
          }}
          show={inWords}
        />
      }
      onClose={onClose}
    >
      <Tabs
        tabs={[
          { value: 'write', label: t`Write`, content: fields },
          ...texts.map(({ code, name }) => ({
            value: code,
            label: t`Preview, ${name}`,
            content: preview(code),
          })),
        ]}
      />
    </FormDialog>
  )
}
