import { Trans, useLingui } from '@lingui/react/macro'
import { compare, sum } from '../../../shared/money.ts'
import { Band, FieldRow } from '../../area/Page.tsx'
import { ShareBar } from '../../charts/ShareBar.tsx'
import { Button } from '../../ui/Button.tsx'
import { DecimalInput } from '../../ui/DecimalInput.tsx'
import { Field, Input } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'
import type { PartProps } from './SettingsForm.tsx'

type Share = PartProps['values']['shares'][number]
const isPercent = (text: string) => /^\d{1,3}(\.\d{1,2})?$/.test(text)

/** Token distribution: shares that add up to exactly 100 %. */
export function ShareParts({ values, set, error }: PartProps) {
  const { t, i18n } = useLingui()
  const { shares } = values
  const nameOf = (share: Share) =>
    (i18n.locale === 'ru' ? share.name.ru || share.name.en : share.name.en || share.name.ru) || share.key
  const change = (at: number, next: Partial<Share>) =>
    set({ shares: shares.map((share, index) => (index === at ? { ...share, ...next } : share)) })
  const total = sum(shares.map((share) => (isPercent(share.percent) ? share.percent : '0')))
  const isWhole = compare(total, '100') === 0
  const options = shares.map((share) => ({ value: share.key, label: nameOf(share) }))
  const add = () => {
    const numbers = shares.map(({ key }) => Number(/^share-(\d+)$/.exec(key)?.[1] ?? 0))
    const key = `share-${Math.max(shares.length, ...numbers) + 1}`
    set({ shares: [...shares, { key, name: { en: '', ru: '' }, percent: '' }] })
  }
  return (
    <Band
      title={t`Token distribution`}
      id="shares"
      lead={t`Shares of the supply; together exactly 100 %.`}
      action={
        <Button
          variant="secondary"
          size="sm"
          disabledReason={shares.length >= 12 ? t`At most 12.` : undefined}
          onClick={add}
        >
          <Trans>Add a share</Trans>
        </Button>
      }
    >
      {isWhole ? (
        <ShareBar
          height={24}
          title={t`Token distribution`}
          desc={shares.map((share) => `${nameOf(share)} ${share.percent} %`).join(', ')}
          shares={shares.map((share) => ({ name: share.key, percent: share.percent }))}
        />
      ) : null}
      <p role="status" className={`my-3 text-sm ${isWhole ? 'text-soft' : 'font-semibold text-danger'}`}>
        {isWhole ? <Trans>Together 100 %.</Trans> : <Trans>Together {total} %, not 100 %.</Trans>}
        {error('shares') && isWhole ? ` ${error('shares')}` : null}
      </p>
      <ul className="flex flex-col gap-3">
        {shares.map((share, index) => (
          <li
            key={share.key}
            className="grid grid-cols-2 items-start gap-3 border-b border-line pb-3 sm:grid-cols-[1fr_1fr_8rem_auto]"
          >
            <Field label={t`Name, English`} error={error(`shares.${index}.name`)}>
              <Input
                lang="en"
                value={share.name.en}
                onChange={(event) => change(index, { name: { ...share.name, en: event.target.value } })}
              />
            </Field>
            <Field label={t`Name, Russian`}>
              <Input
                lang="ru"
                value={share.name.ru}
                onChange={(event) => change(index, { name: { ...share.name, ru: event.target.value } })}
              />
            </Field>
            <Field label={t`Per cent`} error={error(`shares.${index}.percent`)}>
              <DecimalInput
                className="figures"
                value={share.percent}
                onValueChange={(percent) => change(index, { percent })}
              />
            </Field>
            <Button
              variant="ghost"
              className="mt-6.5"
              aria-label={t`Remove ${nameOf(share)}`}
              disabledReason={shares.length === 1 ? t`One share is needed.` : undefined}
              onClick={() => set({ shares: shares.filter((_, other) => other !== index) })}
            >
              <Trans>Remove</Trans>
            </Button>
          </li>
        ))}
      </ul>
      <FieldRow className="mt-4">
        <Field label={t`Share that is sold`} error={error('soldShare')}>
          <Select
            value={values.soldShare}
            onValueChange={(soldShare) => set({ soldShare })}
            options={options}
          />
        </Field>
        <Field label={t`Share that pays bonuses and grants`} error={error('bonusShare')}>
          <Select
            value={values.bonusShare}
            onValueChange={(bonusShare) => set({ bonusShare })}
            options={options}
          />
        </Field>
      </FieldRow>
    </Band>
  )
}
