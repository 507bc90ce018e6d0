import { Trans, useLingui } from '@lingui/react/macro'
import { Band } from '../../area/Page.tsx'
import { Field, Textarea } from '../../ui/Field.tsx'
import type { PartProps } from './SettingsForm.tsx'

/** Whose pages may show the checkout in a frame. */
export function FramesPart({ form }: PartProps) {
  const { t } = useLingui()
  const { frameOrigins } = form.values
  const error = frameOrigins.map((_, line) => form.error(`frameOrigins.${line}`)).find(Boolean)
  return (
    <Band title={t`Checkout on other sites`} id="frameOrigins">
      <Field
        label={t`Sites that may frame the checkout`}
        optional={t`optional`}
        error={error ?? form.error('frameOrigins')}
        hint={
          <Trans>
            One a line, like https://shop.example: no path, no wildcard, names of other scripts as xn--… In
            the frame an amount is chosen; buyers sign in and pay on this site, in a tab of its own.
          </Trans>
        }
      >
        <Textarea
          rows={3}
          spellCheck={false}
          value={frameOrigins.join('\n')}
          onChange={(event) => form.set({ frameOrigins: event.target.value.split('\n') })}
          // While somebody types, an empty line is where the next one goes.
          onBlur={() =>
            form.set({ frameOrigins: frameOrigins.map((line) => line.trim()).filter((line) => line !== '') })
          }
        />
      </Field>
    </Band>
  )
}
