import { Trans, useLingui } from '@lingui/react/macro'
import { typedOrigin } from '../../../shared/frame-origins.ts'
import { Band } from '../../area/Page.tsx'
import { Field, Textarea } from '../../ui/Field.tsx'
import type { PartProps } from './SettingsForm.tsx'

/** Whose pages may show the checkout in a frame. */
export function FramesPart({ form }: PartProps) {
  const { t } = useLingui()
  const { frameOrigins } = form.values
  const wrong = frameOrigins.findIndex((_, line) => form.error(`frameOrigins.${line}`))
  const error = wrong < 0 ? undefined : `${frameOrigins[wrong]}: ${form.error(`frameOrigins.${wrong}`)}`
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
            form.set({
              frameOrigins: [...new Set(frameOrigins.map(typedOrigin))].filter((line) => line !== ''),
            })
          }
        />
      </Field>
    </Band>
  )
}
