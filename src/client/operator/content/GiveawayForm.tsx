import { Trans, useLingui } from '@lingui/react/macro'
import { imageBytesMax, imageTypes } from '../../../shared/api/content.ts'
import {
  type GiveawayDraft,
  type OperatorGiveaway,
  operatorGiveawayRoutes,
  prizesMax,
} from '../../../shared/api/giveaways.ts'
import { giveawayInput } from '../../../shared/api/giveaways-inputs.ts'
import { noTexts } from '../../../shared/texts.ts'
import { call } from '../../area/call.ts'
import { useCountries } from '../../area/countries.ts'
import { DecimalField } from '../../area/DecimalField.tsx'
import { FormConflict, FormDialog } from '../../area/FormDialog.tsx'
import { type Fields, type ItemFields, itemsOf, partOf } from '../../area/form-fields.ts'
import { FieldRow } from '../../area/Page.tsx'
import { rulesOf } from '../../area/rules.ts'
import { TextField } from '../../area/TextField.tsx'
import { useEdit } from '../../area/use-edit.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Choice.tsx'
import { formatDollars } from '../../ui/numbers.tsx'
import { toast } from '../../ui/Toast.tsx'
import { AddItem } from '../AddItem.tsx'
import { CountryList } from '../CountryList.tsx'
import { FileField } from '../FileField.tsx'
import { useInWords } from '../in-words.ts'
import { MomentField } from '../MomentField.tsx'
import { offsetZone, usePublicCampaign } from '../queries.ts'
import { allOf, TextFields } from '../TextFields.tsx'
import { touched } from '../touched.ts'
import { WholeNumberField } from '../WholeNumberField.tsx'

const DAY_MS = 24 * 3_600_000

type Prize = GiveawayDraft['prizes'][number]

const noPrize: Prize = { name: noTexts, valueUsd: '', count: 1, image: null }

function blank(): GiveawayDraft {
  return {
    title: noTexts,
    sponsor: '',
    contact: '',
    prizes: [noPrize],
    declaresImageRights: false,
    rulesText: noTexts,
    privacyText: noTexts,
    countries: [],
    minimumAge: 18,
    opensAt: new Date(Date.now() + DAY_MS).toISOString(),
    closesAt: new Date(Date.now() + 15 * DAY_MS).toISOString(),
    alternates: 3,
    confirmDays: 14,
    handOverDays: 30,
    drawHours: 2,
  }
}

const rules = rulesOf(giveawayInput)

export function GiveawayForm({
  shown,
  onClose,
}: {
  shown: OperatorGiveaway | undefined
  onClose: () => void
}) {
  const { t } = useLingui()
  const form = useEdit({
    thing: shown,
    valuesOf: (thing) => thing?.draft ?? blank(),
    rules,
    send: (body, base) =>
      base
        ? call(operatorGiveawayRoutes.update, {
            params: { id: base.id },
            body: { ...body, revision: base.revision },
          })
        : call(operatorGiveawayRoutes.add, { body }),
    touches: touched.giveaways,
    done: () => {
      toast.success(t`The draft is saved.`)
      onClose()
    },
  })
  const inWords = useGiveawayWords()
  return (
    <FormDialog
      form={form}
      size="lg"
      title={shown ? t`Edit the giveaway` : t`New giveaway`}
      submit={t`Save the draft`}
      conflict={
        <FormConflict
          form={form}
          labels={{
            title: t`Title`,
            sponsor: t`Sponsor`,
            contact: t`How to reach the sponsor`,
            prizes: t`Prizes`,
            rulesText: t`Official rules`,
            privacyText: t`Privacy note`,
            countries: t`Countries whose people may enter`,
            opensAt: t`Opens`,
            closesAt: t`Closes`,
            drawHours: t`Hours from closing to the draw`,
            confirmDays: t`Days to confirm`,
            handOverDays: t`Days to hand over`,
            alternates: t`Alternates`,
            minimumAge: t`Least age`,
            declaresImageRights: t`Rights to the pictures declared`,
          }}
          show={inWords}
        />
      }
      onClose={onClose}
    >
      <TextFields form={form} name="title" label={t`Title`} rows={1} />
      <FieldRow>
        <TextField form={form} name="sponsor" label={t`Sponsor`} />
        <TextField form={form} name="contact" label={t`How to reach the sponsor`} />
      </FieldRow>
      <Prizes form={form} pictures={shown?.pictures ?? {}} />
      <WhoAndWhen form={form} />
      <TextFields form={form} name="rulesText" label={t`Official rules`} rows={8} />
      <TextFields form={form} name="privacyText" label={t`Privacy note`} rows={4} />
    </FormDialog>
  )
}

function useGiveawayWords(): (value: unknown, key: string) => string {
  const { i18n } = useLingui()
  const countries = useCountries([])
  const inWords = useInWords()
  return (value, key) => {
    if (key === 'prizes')
      return (value as Prize[]).map((prize) => prizeInWords(prize, i18n.locale)).join('; ') || '—'
    if (key !== 'countries') return inWords(value)
    const codes = value as string[]
    return (
      codes.map((code) => countries.find((country) => country.value === code)?.label ?? code).join(', ') ||
      '—'
    )
  }
}

function prizeInWords({ name, valueUsd, count, image }: Prize, locale: string): string {
  const value = valueUsd === '' ? '—' : formatDollars(valueUsd, locale)
  const picture = image ? [`${allOf(image.alt)} (${image.name.slice(0, 8)})`] : []
  return [`${count} × ${allOf(name)}`, value, ...picture].join(', ')
}

function Prizes({
  form,
  pictures,
}: {
  form: Fields<GiveawayDraft>
  pictures: Readonly<Record<string, string>>
}) {
  const { prizes, declaresImageRights } = form.values
  return (
    <div className="border-y border-line py-4">
      <ul>
        {itemsOf(form, 'prizes').map((prize, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a prize has no name of its own before it is written
          <li key={at} className="mb-4 flex flex-col gap-4 border-b border-line pb-4">
            <PrizeFields prize={prize} pictures={pictures} />
          </li>
        ))}
      </ul>
      <AddItem
        count={prizes.length}
        most={prizesMax}
        onAdd={() => form.set({ prizes: [...prizes, noPrize] })}
      >
        <Trans>Add a prize</Trans>
      </AddItem>
      {prizes.some(({ image }) => image) ? (
        <div className="mt-4">
          <Checkbox
            checked={declaresImageRights}
            onCheckedChange={(checked) => form.set({ declaresImageRights: checked })}
          >
            <Trans>I may show these pictures: they are ours, or whoever owns them allowed it.</Trans>
          </Checkbox>
        </div>
      ) : null}
    </div>
  )
}

function PrizeFields({
  prize,
  pictures,
}: {
  prize: ItemFields<Prize>
  pictures: Readonly<Record<string, string>>
}) {
  const { t } = useLingui()
  const { image } = prize.values
  return (
    <>
      <TextFields form={prize} name="name" label={t`Prize`} rows={1} />
      <FieldRow>
        <DecimalField form={prize} name="valueUsd" label={t`Value of one, dollars`} />
        <WholeNumberField form={prize} name="count" label={t`How many`} max={100} />
        <Button variant="ghost" className="justify-self-start sm:mt-6.5" onClick={prize.remove}>
          <Trans>Remove the prize</Trans>
        </Button>
      </FieldRow>
      {image ? (
        <div className="flex flex-wrap items-start gap-4">
          <img
            src={pictures[image.name] ?? `/uploads/${image.name}`}
            alt=""
            className="h-24 rounded-sm border border-line"
          />
          <div className="min-w-60 flex-1">
            <TextFields form={partOf(prize, 'image')} name="alt" label={t`Content of the image`} rows={1} />
            <Button variant="ghost" size="sm" onClick={() => prize.set({ image: null })}>
              <Trans>Remove the image</Trans>
            </Button>
          </div>
        </div>
      ) : (
        <FileField
          label={t`Image`}
          hint={t`PNG, JPEG or WebP, up to 5 MB. It is re-encoded, which removes what a camera wrote into it.`}
          types={imageTypes}
          bytesMax={imageBytesMax}
          onUploaded={({ name }) => prize.set({ image: { name, alt: noTexts } })}
        />
      )}
    </>
  )
}

function WhoAndWhen({ form }: { form: Fields<GiveawayDraft> }) {
  const { t } = useLingui()
  const offset = usePublicCampaign()?.settings.operatorUtcOffsetMinutes ?? 0
  const zone = offsetZone(offset)
  return (
    <>
      <FieldRow>
        <MomentField form={form} name="opensAt" label={t`Opens (UTC${zone})`} offset={offset} />
        <MomentField form={form} name="closesAt" label={t`Closes (UTC${zone})`} offset={offset} />
        <WholeNumberField
          form={form}
          name="drawHours"
          label={t`Hours from closing to the draw`}
          min={2}
          max={168}
        />
      </FieldRow>
      <FieldRow>
        <WholeNumberField form={form} name="confirmDays" label={t`Days to confirm`} max={60} />
        <WholeNumberField form={form} name="handOverDays" label={t`Days to hand over`} max={365} />
        <WholeNumberField form={form} name="alternates" label={t`Alternates`} min={0} max={100} />
        <WholeNumberField form={form} name="minimumAge" label={t`Least age`} min={13} max={99} />
      </FieldRow>
      <CountryList
        label={t`Add a country`}
        listed={t`Countries whose people may enter`}
        none={<Trans>None yet: no person could enter.</Trans>}
        codes={form.values.countries}
        onChange={(countries) => form.set({ countries })}
        error={form.error('countries')}
      />
    </>
  )
}
