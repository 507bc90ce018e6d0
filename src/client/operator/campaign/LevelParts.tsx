import { Trans, useLingui } from '@lingui/react/macro'
import { itemsMax } from '../../../shared/campaign-settings.ts'
import { tokenAmount } from '../../../shared/campaign-settings-inputs.ts'
import { pickText } from '../../../shared/languages.ts'
import { multiply } from '../../../shared/money.ts'
import { noTexts } from '../../../shared/texts.ts'
import { DecimalField } from '../../area/DecimalField.tsx'
import { type ItemFields, itemsOf } from '../../area/form-fields.ts'
import { Band, FieldRow } from '../../area/Page.tsx'
import { emptyAsNull, TextField } from '../../area/TextField.tsx'
import { Button } from '../../ui/Button.tsx'
import { DateTime, formatDollars } from '../../ui/numbers.tsx'
import { AddItem } from '../AddItem.tsx'
import { usePublicCampaign } from '../queries.ts'
import { NameFields, TextFields } from '../TextFields.tsx'
import { nextKey } from './next-key.ts'
import type { PartProps } from './part-props.ts'
import { useSettingName } from './use-setting-name.ts'

type Level = PartProps['form']['values']['levels'][number]
type Perk = Level['perks'][number]

const perksMax = 10

const noPerk: Omit<Perk, 'key'> = {
  text: noTexts,
  link: null,
  promisedFor: null,
  firstPromisedFor: null,
  proof: null,
  keptAt: null,
}

/** The levels, lowest first. */
export function LevelParts({ form }: PartProps) {
  const { t } = useLingui()
  const nameOf = useSettingName()
  const { levels } = form.values
  const add = () => {
    const key = nextKey('level', levels)
    const bonusPercent = levels.at(-1)?.bonusPercent ?? '0'
    const added = { key, name: '', threshold: '', bonusPercent, description: noTexts, perks: [] }
    form.set({ levels: [...levels, added] })
  }
  return (
    <Band
      title={nameOf('levels')}
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
  const { t, i18n } = useLingui()
  const nameOf = useSettingName()
  const { perks } = level.values
  const cost = useCost(level.values.threshold)
  const name = pickText(level.values.name, i18n.locale).text
  // The key is permanent, because the server stores the perk's dates under it.
  const add = () =>
    level.set({ perks: [...perks, { ...noPerk, key: `perk-${crypto.randomUUID().slice(0, 8)}` }] })
  return (
    <>
      <NameFields form={level} label={nameOf('levels.name')} className="mb-3" />
      <FieldRow>
        <DecimalField
          form={level}
          name="threshold"
          label={nameOf('levels.threshold')}
          hint={cost ? t`${cost} at today’s price` : undefined}
        />
        <DecimalField form={level} name="bonusPercent" label={nameOf('levels.bonusPercent')} />
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
          <TextFields form={level} name="description" label={nameOf('levels.description')} />
          <ul className="flex flex-col gap-4">
            {itemsOf(level, 'perks').map((perk) => (
              <li key={perk.values.key} className="border-s-2 border-line ps-4">
                <PerkFields perk={perk} />
              </li>
            ))}
          </ul>
          <div>
            <AddItem count={perks.length} most={perksMax} onAdd={add}>
              <Trans>Add a perk</Trans>
            </AddItem>
          </div>
        </div>
      </details>
    </>
  )
}

/** The tokens' current cost; undefined without a price or a valid amount. */
function useCost(tokens: string): string | undefined {
  const { i18n } = useLingui()
  const price = usePublicCampaign()?.priceUsd
  return price && tokenAmount.safeParse(tokens).success
    ? formatDollars(multiply(tokens, price), i18n.locale)
    : undefined
}

function PerkFields({ perk }: { perk: ItemFields<Perk> }) {
  const { t, i18n } = useLingui()
  const nameOf = useSettingName()
  const { text, keptAt, firstPromisedFor, promisedFor } = perk.values
  const name = pickText(text, i18n.locale).text
  return (
    <>
      <TextFields form={perk} name="text" label={t`Perk`} rows={2} />
      <FieldRow className="mt-3">
        <TextField
          form={perk}
          name="link"
          label={nameOf('levels.perks.link')}
          optional={t`optional`}
          typing={emptyAsNull}
        />
        <TextField
          form={perk}
          name="promisedFor"
          label={nameOf('levels.perks.promisedFor')}
          optional={t`optional`}
          hint={
            firstPromisedFor && firstPromisedFor !== promisedFor
              ? t`First promised for ${firstPromisedFor}; visitors see that, too.`
              : undefined
          }
          typing={emptyAsNull}
          type="date"
        />
        <TextField
          form={perk}
          name="proof"
          label={nameOf('levels.perks.proof')}
          optional={t`optional`}
          hint={t`A page that everybody can open. Saving dates it.`}
          typing={emptyAsNull}
        />
        <Button
          variant="ghost"
          className="sm:mt-6.5 justify-self-start"
          aria-label={name ? t`Remove the perk ${name}` : t`Remove the perk`}
          onClick={perk.remove}
        >
          <Trans>Remove</Trans>
        </Button>
      </FieldRow>
      {keptAt ? (
        <p className="mt-2 text-sm text-soft">
          <Trans>
            Proof given <DateTime value={keptAt} />. It is dated again if text, day or proof change.
          </Trans>
        </p>
      ) : null}
    </>
  )
}
