import { Trans, useLingui } from '@lingui/react/macro'
import { itemsMax } from '../../../shared/campaign-settings.ts'
import type { Texts } from '../../../shared/languages.ts'
import { publicLocales } from '../../../shared/languages.ts'
import { DecimalField } from '../../area/DecimalField.tsx'
import { fieldsOf, type ItemFields, itemsOf } from '../../area/form-fields.ts'
import { Band, FieldRow } from '../../area/Page.tsx'
import { TextField } from '../../area/TextField.tsx'
import { Button } from '../../ui/Button.tsx'
import { AddItem } from '../AddItem.tsx'
import { noTexts, TextFields } from '../TextFields.tsx'
import { nextKey } from './next-key.ts'
import type { PartProps } from './SettingsForm.tsx'

type Level = PartProps['form']['values']['levels'][number]

/** Levels from the lowest to the highest. */
export function LevelParts({ form }: PartProps) {
  const { t } = useLingui()
  const { levels } = form.values
  const add = () => {
    const key = nextKey('level', levels)
    const bonusPercent = levels.at(-1)?.bonusPercent ?? '0'
    const added = { key, name: '', threshold: '', bonusPercent, description: noTexts, perks: [] }
    form.set({ levels: [...levels, added] })
  }
  return (
    <Band
      title={t`Levels`}
      id="levels"
      lead={t`Each starts above the one before it and never has a smaller bonus. A perk is a promise: write only what you can keep, and never one of money.`}
      action={
        <AddItem count={levels.length} most={itemsMax} onAdd={add}>
          <Trans>Add a level</Trans>
        </AddItem>
      }
    >
      <ul className="flex flex-col">
        {itemsOf(form, 'levels').map((level) => (
          <li key={level.values.key} className="border-b border-line py-4 first:pt-0 last:border-0">
            <LevelFields level={level} isOnly={levels.length === 1} />
          </li>
        ))}
      </ul>
    </Band>
  )
}

function LevelFields({ level, isOnly }: { level: ItemFields<Level>; isOnly: boolean }) {
  const { t } = useLingui()
  const { name, perks } = level.values
  const lines = fieldsOf(
    { perks: linesOf(perks) },
    (next) => next.perks && level.set({ perks: perksOf(next.perks) }),
    level.error,
  )
  return (
    <>
      <FieldRow>
        <TextField form={level} name="name" label={t`Name`} />
        <DecimalField form={level} name="threshold" label={t`Tokens held from`} />
        <DecimalField form={level} name="bonusPercent" label={t`Bonus, per cent`} />
        <Button
          variant="ghost"
          className="sm:mt-6.5 justify-self-start"
          aria-label={t`Remove the level ${name}`}
          disabledReason={isOnly ? t`One level is needed.` : undefined}
          onClick={level.remove}
        >
          <Trans>Remove</Trans>
        </Button>
      </FieldRow>
      <details className="mt-3">
        <summary className="w-fit text-sm text-soft hover:text-ink">
          <Trans>Description and perks ({perks.length})</Trans>
        </summary>
        <div className="flex flex-col gap-4 pt-3">
          <TextFields form={level} name="description" label={t`Description`} />
          <TextFields form={lines} name="perks" label={t`Perks, one a line`} rows={4} />
        </div>
      </details>
    </>
  )
}

const linesOf = (perks: readonly Texts[]): Texts => ({
  ...noTexts,
  ...Object.fromEntries(
    publicLocales
      .filter((locale) => perks.some((perk) => perk[locale]))
      .map((locale) => [locale, perks.map((perk) => perk[locale] ?? '').join('\n')]),
  ),
})

function perksOf(lines: Texts): Texts[] {
  const written = publicLocales.flatMap((locale) =>
    lines[locale] ? [[locale, lines[locale].split('\n')] as const] : [],
  )
  const count = Math.max(0, ...written.map(([, own]) => own.length))
  return Array.from({ length: count }, (_, index) => ({
    ...noTexts,
    ...Object.fromEntries(written.map(([locale, own]) => [locale, own[index] ?? ''])),
  }))
}
