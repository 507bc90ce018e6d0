import { Trans } from '@lingui/react/macro'
import type { PublicGiveaway } from '../../../shared/api/giveaways.ts'
import { pickText } from '../../../shared/languages.ts'
import { Ito } from '../../ito/Ito.tsx'
import { dollars, moment } from '../figures.ts'
import { OperatorText, Section, usePage, usePath } from '../frame.tsx'

/** Renders nothing without a giveaway. */
export function MainPrize() {
  const { giveaway } = usePage()
  return giveaway ? <Banner giveaway={giveaway} /> : null
}

function Banner({ giveaway: { rules, state } }: { giveaway: PublicGiveaway }) {
  const { locale, signedIn } = usePage()
  const path = usePath()
  const [first] = rules.prizes
  const [opens, closes] = [moment(rules.opensAt, locale), moment(rules.closesAt, locale)]
  return (
    <Section
      id="main-prize"
      title={<OperatorText text={rules.title} />}
      lead={
        state === 'announced' ? (
          <Trans>
            By {rules.sponsor}, from {opens} to {closes}.
          </Trans>
        ) : (
          <Trans>
            By {rules.sponsor}, until {closes}.
          </Trans>
        )
      }
    >
      <div className="grid items-center gap-8 lg:grid-cols-2">
        {first?.image ? (
          <img
            src={`/uploads/${first.image.name}`}
            alt={pickText(first.image.alt, locale).text}
            lang={pickText(first.image.alt, locale).lang}
            className="max-h-96 w-full rounded-sm border object-contain"
            loading="lazy"
          />
        ) : (
          <span className="h-48 justify-self-center max-lg:hidden lg:order-last" aria-hidden="true">
            <Ito decorative pose="box" />
          </span>
        )}
        <div>
          <ul className="border-t">
            {rules.prizes.map((prize) => (
              <li
                key={`${prize.name.en} ${prize.valueUsd}`}
                className="flex justify-between gap-4 border-b py-2.5"
              >
                <OperatorText text={prize.name} />
                <span className="figures shrink-0">
                  {prize.count} × {dollars(prize.valueUsd, locale)}
                </span>
              </li>
            ))}
          </ul>
          <p className="mt-6 max-w-lg text-soft">
            <Trans>
              No purchase is needed: the free entry has the same odds, and buying adds no second one. Anybody
              can check the draw by repeating it.
            </Trans>
          </p>
          <p className="mt-6 flex flex-wrap gap-4">
            <a href={signedIn ? '/dashboard/buy-token' : path('/register')} className="press press-hot">
              <Trans>Purchase Tokens!</Trans>
            </a>
            <a href={path('/giveaway')} className="press">
              <Trans>Rules and free entry</Trans>
            </a>
          </p>
        </div>
      </div>
    </Section>
  )
}
