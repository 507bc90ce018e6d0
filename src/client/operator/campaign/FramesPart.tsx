import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { typedOrigin } from '../../../shared/frame-origins.ts'
import { Band } from '../../area/Page.tsx'
import { Field, Textarea } from '../../ui/Field.tsx'
import type { PartProps } from './part-props.ts'
import { useSettingName } from './use-setting-name.ts'

export function FramesPart({ form }: PartProps) {
  const { t } = useLingui()
  const nameOf = useSettingName()
  return (
    <Band title={t`Checkout on other sites`} id="frameOrigins">
      <OriginsField
        form={form}
        name="frameOrigins"
        label={nameOf('frameOrigins')}
        hint={
          <Trans>
            One a line, like https://shop.example: no path, no wildcard, names of other scripts as xn--…
            Buyers choose an amount in the frame; they sign in and pay on this site, in another tab.
          </Trans>
        }
      />
    </Band>
  )
}

interface OriginsProps extends PartProps {
  name: 'frameOrigins' | 'videoOrigins'
  label: string
  hint: ReactNode
}

/** Origins, one per line. */
export function OriginsField({ form, name, label, hint }: OriginsProps) {
  const { t } = useLingui()
  const origins = form.values[name]
  const wrong = origins.findIndex((_, line) => form.error(`${name}.${line}`))
  const error = wrong < 0 ? undefined : `${origins[wrong]}: ${form.error(`${name}.${wrong}`)}`
  return (
    <Field label={label} optional={t`optional`} error={error ?? form.error(name)} hint={hint}>
      <Textarea
        rows={3}
        spellCheck={false}
        value={origins.join('\n')}
        onChange={(event) => form.set({ [name]: event.target.value.split('\n') })}
        // Keep empty lines while the operator types.
        onBlur={() =>
          form.set({ [name]: [...new Set(origins.map(typedOrigin))].filter((line) => line !== '') })
        }
      />
    </Field>
  )
}
