import { Trans, useLingui } from '@lingui/react/macro'
import { Band, FieldRow } from '../../area/Page.tsx'
import { Button } from '../../ui/Button.tsx'
import { DecimalInput } from '../../ui/DecimalInput.tsx'
import { Field, Input } from '../../ui/Field.tsx'
import { TextFields, type Texts } from '../TextFields.tsx'
import type { PartProps } from './SettingsForm.tsx'

type Level = PartProps['values']['levels'][number]

/** Levels from the lowest to the highest. */
export function LevelParts({ values, set, error }: PartProps) {
  const { t } = useLingui()
  const { levels } = values
  const change = (at: number, next: Partial<Level>) =>
    set({ levels: levels.map((level, index) => (index === at ? { ...level, ...next } : level)) })
  const add = () => {
    const last = levels.at(-1)
    const numbers = levels.map(({ key }) => Number(/^level-(\d+)$/.exec(key)?.[1] ?? 0))
    const key = `level-${Math.max(levels.length, ...numbers) + 1}`
    const empty = { key, name: '', threshold: '', bonusPercent: last?.bonusPercent ?? '0', perks: [] }
    set({ levels: [...levels, { ...empty, description: { en: '', ru: '' } }] })
  }
  return (
    <Band
      title={t`Levels`}
      id="levels"
      lead={t`Each starts above the one before it and never has a smaller bonus. A perk is a promise: write only what you can keep, and never one of money.`}
      action={
        <Button
          variant="secondary"
          size="sm"
          disabledReason={levels.length >= 12 ? t`At most 12.` : undefined}
          onClick={add}
        >
          <Trans>Add a level</Trans>
        </Button>
      }
    >
      <ul className="flex flex-col">
        {levels.map((level, index) => (
          <li key={level.key} className="border-b border-line py-4 first:pt-0 last:border-0">
            <FieldRow>
              <Field label={t`Name`} error={error(`levels.${index}.name`)}>
                <Input value={level.name} onChange={(event) => change(index, { name: event.target.value })} />
              </Field>
              <Field label={t`Tokens held from`} error={error(`levels.${index}.threshold`)}>
                <DecimalInput
                  className="figures"
                  value={level.threshold}
                  onValueChange={(threshold) => change(index, { threshold })}
                />
              </Field>
              <Field label={t`Bonus, per cent`} error={error(`levels.${index}.bonusPercent`)}>
                <DecimalInput
                  className="figures"
                  value={level.bonusPercent}
                  onValueChange={(bonusPercent) => change(index, { bonusPercent })}
                />
              </Field>
              <Button
                variant="ghost"
                className="sm:mt-6.5 justify-self-start"
                aria-label={t`Remove the level ${level.name}`}
                disabledReason={levels.length === 1 ? t`One level is needed.` : undefined}
                onClick={() => set({ levels: levels.filter((_, other) => other !== index) })}
              >
                <Trans>Remove</Trans>
              </Button>
            </FieldRow>
            <details className="mt-3">
              <summary className="w-fit text-sm text-soft hover:text-ink">
                <Trans>Description and perks ({level.perks.length})</Trans>
              </summary>
              <div className="flex flex-col gap-4 pt-3">
                <TextFields
                  label={t`Description`}
                  value={level.description}
                  onChange={(description) => change(index, { description })}
                />
                <TextFields
                  label={t`Perks, one a line`}
                  rows={4}
                  value={linesOf(level.perks)}
                  onChange={(lines) => change(index, { perks: perksOf(lines) })}
                  error={error(`levels.${index}.perks`)}
                />
              </div>
            </details>
          </li>
        ))}
      </ul>
    </Band>
  )
}

const linesOf = (perks: readonly Texts[]): Texts => ({
  en: perks.map(({ en }) => en).join('\n'),
  ru: perks.map(({ ru }) => ru).join('\n'),
})

function perksOf(lines: Texts): Texts[] {
  const en = lines.en === '' ? [] : lines.en.split('\n')
  const ru = lines.ru === '' ? [] : lines.ru.split('\n')
  const count = Math.max(en.length, ru.length)
  return Array.from({ length: count }, (_, index) => ({ en: en[index] ?? '', ru: ru[index] ?? '' }))
}
