import { Trans, useLingui } from '@lingui/react/macro'
import { itemsMax } from '../../../shared/campaign-settings.ts'
import { pickText } from '../../../shared/languages.ts'
import { compare, sum } from '../../../shared/money.ts'
import { noTexts } from '../../../shared/texts.ts'
import { DecimalField } from '../../area/DecimalField.tsx'
import { itemsOf } from '../../area/form-fields.ts'
import { Band, FieldRow } from '../../area/Page.tsx'
import { SelectField } from '../../area/SelectField.tsx'
import { ShareBar } from '../../charts/ShareBar.tsx'
import { Button } from '../../ui/Button.tsx'
import { AddItem } from '../AddItem.tsx'
import { TextPair } from '../TextFields.tsx'
import { nextKey } from './next-key.ts'
import type { PartProps } from './part-props.ts'
import { useSettingName } from './use-setting-name.ts'

type Share = PartProps['form']['values']['shares'][number]

function useNameOf(): (share: Share) => string {
  const { i18n } = useLingui()
  return ({ name, key }) => pickText(name, i18n.locale).text || key
}

/** The shares must add up to exactly 100 %. */
export function ShareParts({ form }: PartProps) {
  const { t } = useLingui()
  const settingName = useSettingName()
  const nameOf = useNameOf()
  const { shares } = form.values
  const options = shares.map((share) => ({ value: share.key, label: nameOf(share) }))
  const add = () =>
    form.set({ shares: [...shares, { key: nextKey('share', shares), name: noTexts, percent: '' }] })
  return (
    <Band
      title={settingName('shares')}
      id="shares"
      lead={t`Shares of the supply; together exactly 100 %.`}
      action={
        <AddItem count={shares.length} most={itemsMax} onAdd={add}>
          <Trans>Add a share</Trans>
        </AddItem>
      }
    >
      <Total shares={shares} error={form.error('shares')} />
      <ul className="flex flex-col gap-3">
        {itemsOf(form, 'shares').map((share) => (
          <li
            key={share.values.key}
            className="grid grid-cols-2 items-start gap-3 border-b border-line pb-3 sm:grid-cols-[1fr_1fr_8rem_auto]"
          >
            <TextPair form={share} name="name" label={settingName('shares.name')} />
            <DecimalField form={share} name="percent" label={settingName('shares.percent')} />
            <Button
              variant="ghost"
              className="mt-6.5"
              aria-label={t`Remove ${nameOf(share.values)}`}
              disabledReason={shares.length === 1 ? t`One share is needed.` : undefined}
              onClick={share.remove}
            >
              <Trans>Remove</Trans>
            </Button>
          </li>
        ))}
      </ul>
      <FieldRow className="mt-4">
        <SelectField form={form} name="soldShare" label={settingName('soldShare')} options={options} />
        <SelectField form={form} name="bonusShare" label={settingName('bonusShare')} options={options} />
      </FieldRow>
    </Band>
  )
}

const isPercent = (text: string) => /^\d{1,3}(\.\d{1,2})?$/.test(text)

function Total({ shares, error }: { shares: readonly Share[]; error: string | undefined }) {
  const settingName = useSettingName()
  const nameOf = useNameOf()
  const total = sum(shares.map(({ percent }) => (isPercent(percent) ? percent : '0')))
  const isWhole = compare(total, '100') === 0
  return (
    <>
      {isWhole ? (
        <ShareBar
          height={24}
          title={settingName('shares')}
          desc={shares.map((share) => `${nameOf(share)} ${share.percent} %`).join(', ')}
          shares={shares.map((share) => ({ name: share.key, percent: share.percent }))}
        />
      ) : null}
      <p role="status" className={`my-3 text-sm ${isWhole ? 'text-soft' : 'font-semibold text-danger'}`}>
        {isWhole ? <Trans>Together 100 %.</Trans> : <Trans>Together {total} %, not 100 %.</Trans>}
        {error && isWhole ? ` ${error}` : null}
      </p>
    </>
  )
}
