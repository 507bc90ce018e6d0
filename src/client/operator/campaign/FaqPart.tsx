import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  faqMax,
  isLive,
  type LiveQuestion,
  lastingQuestions,
  liveEntry,
  liveQuestions,
} from '../../../shared/faq.ts'
import { pickText } from '../../../shared/languages.ts'
import { noTexts } from '../../../shared/texts.ts'
import { type ItemFields, itemsOf } from '../../area/form-fields.ts'
import { Band } from '../../area/Page.tsx'
import { Button } from '../../ui/Button.tsx'
import { FormError } from '../../ui/Field.tsx'
import { AddItem } from '../AddItem.tsx'
import { MoveButtons } from '../MoveButtons.tsx'
import { hasText, TextFields } from '../TextFields.tsx'
import { nextKey } from './next-key.ts'
import type { PartProps } from './part-props.ts'
import { useSettingName } from './use-setting-name.ts'

type Entry = PartProps['form']['values']['faq'][number]

const liveNames: Record<LiveQuestion, MessageDescriptor> = {
  listing: msg`When will it be listed?`,
  delivery: msg`When and where do I get the tokens?`,
  refunds: msg`Can I get my money back?`,
  risks: msg`What can go wrong?`,
  pay: msg`How do I pay?`,
  seller: msg`Who sells this?`,
  true: msg`How do I know that the figures are true?`,
}

/** Holds live questions, answered from the settings, and the seller's own, in any order. */
export function FaqPart({ form }: PartProps) {
  const { t, i18n } = useLingui()
  const nameOf = useSettingName()
  const { faq } = form.values
  const left = liveQuestions.filter((key) => !faq.some((entry) => entry.key === key))
  const set = (next: Entry[]) => form.set({ faq: next })
  const add = () => set([...faq, { key: nextKey('own', faq), question: noTexts, answer: noTexts }])
  const move = (from: number, to: number) => {
    const next = faq.filter((_, index) => index !== from)
    next.splice(to, 0, faq[from] as Entry)
    set(next)
  }
  return (
    <Band
      title={nameOf('faq')}
      id="faq"
      lead={t`In the order in which visitors read it. The program’s own answers have live figures and no words of yours; delivery, refunds and risks always stay. Your own answers are marked as the seller's: promise nothing that you can't keep, and never a price.`}
      action={
        <AddItem count={faq.length} most={faqMax} onAdd={add}>
          <Trans>Add a question</Trans>
        </AddItem>
      }
    >
      <FormError>{form.error('faq')}</FormError>
      <ol className="flex flex-col">
        {itemsOf(form, 'faq').map((entry, place) => (
          <li key={entry.values.key} className="border-b border-line py-3 first:pt-0 last:border-0">
            <EntryFields entry={entry} place={place} last={faq.length - 1} onMove={(to) => move(place, to)} />
          </li>
        ))}
      </ol>
      {left.length > 0 ? (
        <p className="mt-3 flex flex-wrap gap-2">
          {left.map((key) => (
            <PutBack key={key} name={i18n._(liveNames[key])} onClick={() => set([...faq, liveEntry(key)])} />
          ))}
        </p>
      ) : null}
    </Band>
  )
}

function PutBack({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <Button variant="ghost" size="sm" onClick={onClick}>
      <Trans>Put back: {name}</Trans>
    </Button>
  )
}

function EntryFields({
  entry,
  place,
  last,
  onMove,
}: {
  entry: ItemFields<Entry>
  place: number
  last: number
  onMove: (to: number) => void
}) {
  const { t, i18n } = useLingui()
  const nameOf = useSettingName()
  const { key, question } = entry.values
  const number = place + 1
  const own = pickText(question, i18n.locale).text.trim() || t`Question ${number}`
  const title = isLive(key) ? i18n._(liveNames[key]) : own
  const stays = isLive(key) && lastingQuestions.includes(key) ? t`This one always stays.` : undefined
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 flex-1 basis-52 wrap-anywhere">
          <span className="font-semibold">{title}</span>
          {isLive(key) ? (
            <span className="block text-sm text-soft">
              <Trans>answered from the settings</Trans>
            </span>
          ) : null}
        </span>
        <MoveButtons title={title} place={place} last={last} onMove={onMove} />
        <Button
          variant="ghost"
          size="sm"
          aria-label={t`Remove “${title}”`}
          disabledReason={stays}
          onClick={entry.remove}
        >
          <Trans>Remove</Trans>
        </Button>
      </div>
      {isLive(key) ? null : (
        <div className="mt-3 flex flex-col gap-4">
          <TextFields form={entry} name="question" label={nameOf('faq.question')} rows={1} />
          <TextFields form={entry} name="answer" label={nameOf('faq.answer')} rows={3} />
          {hasText(question) ? null : <FormError>{entry.error('question')}</FormError>}
        </div>
      )}
    </>
  )
}
