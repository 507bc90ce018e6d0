import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { giveawayRoutes, type OwnGiveaway } from '../../../shared/api/giveaways.ts'
import { call } from '../../area/call.ts'
import { useCountries } from '../../area/countries.ts'
import { useChange } from '../../area/use-change.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Choice.tsx'
import { Combobox } from '../../ui/Combobox.tsx'
import { Field, FormError } from '../../ui/Field.tsx'
import { useSession } from '../session.ts'
import { touched } from '../touched.ts'
import { UnconfirmedEmail } from '../UnconfirmedEmail.tsx'

export function EnterGiveaway({ own: { giveaway }, done }: { own: OwnGiveaway; done: () => void }) {
  const { t } = useLingui()
  const { countries, minimumAge } = giveaway.rules
  const all = useCountries([])
  const [country, setCountry] = useState<string | null>(null)
  const [isOldEnough, setOldEnough] = useState(false)
  const [hasRead, setRead] = useState(false)
  const isUnconfirmed = useSession()?.isConfirmed === false
  const isReady = country !== null && isOldEnough && hasRead
  const enter = useChange({
    run: () =>
      call(giveawayRoutes.enter, {
        params: { id: giveaway.id },
        body: { country: country ?? '', ageConfirmed: true, rulesSha256: giveaway.rulesSha256 },
      }),
    touches: touched.giveaways,
    done,
    failed: false,
  })
  return (
    <div className="flex max-w-xl flex-col gap-4">
      {isUnconfirmed ? <UnconfirmedEmail /> : null}
      <Field label={<Trans>Country you live in</Trans>}>
        <Combobox
          value={country}
          onValueChange={setCountry}
          options={all.filter(({ value }) => countries.includes(value))}
          placeholder={t`Start typing`}
          empty={<Trans>This giveaway is not open to the country that you entered.</Trans>}
        />
      </Field>
      <Checkbox checked={isOldEnough} onCheckedChange={setOldEnough}>
        <Trans>I am {minimumAge} years old or older</Trans>
      </Checkbox>
      <Checkbox checked={hasRead} onCheckedChange={setRead}>
        <Trans>I have read the official rules and accept them</Trans>
      </Checkbox>
      <FormError>{enter.error ? errorText(enter.error) : null}</FormError>
      <Button
        disabledReason={
          isUnconfirmed
            ? t`Confirm your e-mail address first.`
            : isReady
              ? null
              : t`Choose your country and tick both boxes first.`
        }
        loading={enter.isPending}
        onClick={() => enter.mutate()}
      >
        <Trans>Enter for free</Trans>
      </Button>
    </div>
  )
}
