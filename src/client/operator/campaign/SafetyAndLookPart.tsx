import { Trans, useLingui } from '@lingui/react/macro'
import { imageBytesMax, imageTypes } from '../../../shared/api/content.ts'
import { defaultLanguage, factsOf, isLanguage, publicLocales } from '../../../shared/languages.ts'
import { partOf } from '../../area/form-fields.ts'
import { Band, FieldRow } from '../../area/Page.tsx'
import { emptyAsNull, TextField } from '../../area/TextField.tsx'
import { Button } from '../../ui/Button.tsx'
import { Checkbox, Switch } from '../../ui/Choice.tsx'
import { FormError } from '../../ui/Field.tsx'
import { FileField } from '../FileField.tsx'
import { WhoConfirms } from '../WhoConfirms.tsx'
import { OriginsField } from './FramesPart.tsx'
import type { PartProps } from './part-props.ts'
import { useSettingName } from './use-setting-name.ts'

export function SafetyAndLookPart({ form }: PartProps) {
  const { t } = useLingui()
  const nameOf = useSettingName()
  return (
    <Band title={t`Safety and look`} id="secondOperator">
      <div className="flex flex-col gap-5">
        <Switch
          checked={form.values.secondOperator}
          onCheckedChange={(secondOperator) => form.set({ secondOperator })}
          hint={t`Changes that move money or decide who decides wait for a second operator. Invite everybody first: an operator whom you invite later can’t confirm for you for 7 days.`}
        >
          {nameOf('secondOperator')}
        </Switch>
        {form.values.secondOperator ? <WhoConfirms /> : null}
        <ColorFields form={form} />
        <FieldRow>
          <TextField
            form={form}
            name="exchangeVideoUrl"
            label={nameOf('exchangeVideoUrl')}
            optional={t`optional`}
            hint={t`An https address, of the player itself where it is to play in the page; loaded only on a click.`}
            typing={emptyAsNull}
            type="url"
          />
        </FieldRow>
        <OriginsField
          form={form}
          name="videoOrigins"
          label={nameOf('videoOrigins')}
          hint={t`One a line, like https://video.example. A video of another site opens in a tab of its own.`}
        />
        <TextField
          form={form}
          name="sourceUrl"
          label={nameOf('sourceUrl')}
          optional={t`optional`}
          hint={t`An https address. A changed copy owes its visitors the source (AGPL): every page leads there. Empty: no link.`}
          typing={emptyAsNull}
          type="url"
        />
        <LanguagesField form={form} />
        <LogoField form={form} />
      </div>
    </Band>
  )
}

/** Empty ones fall back to the product's. */
function ColorFields({ form }: PartProps) {
  const { t } = useLingui()
  const nameOf = useSettingName()
  const brand = partOf(form, 'brand')
  const fields = [
    {
      name: 'accent',
      hint: t`#rrggbb or oklch(0.7 0.15 20), readable with dark or white text on it; empty: pink.`,
    },
    { name: 'now', hint: t`Marks live things; empty: yellow.` },
    { name: 'ink', hint: t`Texts, of the light theme; the dark one has its hue as paper.` },
    {
      name: 'paper',
      hint: t`Surfaces, lighter than the ink. Text needs a contrast of 4.5.`,
    },
  ] as const
  return (
    <FieldRow>
      {fields.map(({ name, hint }) => (
        <TextField
          key={name}
          form={brand}
          name={name}
          label={nameOf(`brand.${name}`)}
          optional={t`optional`}
          hint={hint}
          typing={emptyAsNull}
          spellCheck={false}
        />
      ))}
    </FieldRow>
  )
}

function LanguagesField({ form }: PartProps) {
  const { t } = useLingui()
  const nameOf = useSettingName()
  const on = form.values.languages
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-semibold">{nameOf('languages')}</legend>
      <div className="flex flex-wrap gap-x-8 gap-y-3">
        {publicLocales.map((locale) => (
          <Checkbox
            key={locale}
            checked={on.includes(locale)}
            disabled={locale === defaultLanguage}
            onCheckedChange={(isOn) =>
              form.set({
                languages: publicLocales.filter((known) => (known === locale ? isOn : on.includes(known))),
              })
            }
            hint={isLanguage(locale) ? undefined : t`Public pages only`}
          >
            <span lang={locale}>{factsOf(locale).name}</span>
          </Checkbox>
        ))}
      </div>
      <FormError>{form.error('languages')}</FormError>
    </fieldset>
  )
}

/** Uploaded at once; saving the settings publishes it. */
function LogoField({ form }: PartProps) {
  const { t } = useLingui()
  const nameOf = useSettingName()
  const brand = partOf(form, 'brand')
  const { logoUploadId } = brand.values
  if (!logoUploadId)
    return (
      <FileField
        label={nameOf('brand.logoUploadId')}
        hint={t`PNG, JPEG or WebP, up to 5 MB. It stands in every header in the place of Ito, once the settings are saved.`}
        types={imageTypes}
        bytesMax={imageBytesMax}
        onUploaded={({ name }) => brand.set({ logoUploadId: name })}
      />
    )
  return (
    <div className="flex flex-wrap items-center gap-4">
      <img
        src={`/uploads/${encodeURIComponent(logoUploadId)}`}
        alt={nameOf('brand.logoUploadId')}
        className="h-12 max-w-48 object-contain"
      />
      <Button variant="ghost" size="sm" onClick={() => brand.set({ logoUploadId: null })}>
        <Trans>Remove the logo</Trans>
      </Button>
      <FormError>{brand.error('logoUploadId')}</FormError>
    </div>
  )
}
