import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { type PublicGiveaway, prizeOf } from '../../shared/api/giveaways.ts'
import { type DrawFault, giveawayFilePath, winnersOf } from '../../shared/giveaway-draw.ts'
import { pickText } from '../../shared/languages.ts'
import { Ito } from '../ito/Ito.tsx'
import { dollars, moment } from './figures.ts'
import { OperatorText, Sourced, usePage, usePath } from './frame.tsx'
import { PlainText } from './PlainText.tsx'

const entering = '/dashboard/giveaway'

export function GiveawayPage({ giveaways }: { giveaways: readonly PublicGiveaway[] }) {
  return (
    <div className="wrap py-12 lg:py-20">
      <h1 className="display text-title">
        <Trans>Giveaway</Trans>
      </h1>
      {giveaways.length === 0 ? (
        <div className="mt-8 flex items-center gap-6 border-t-2 border-ink py-10">
          <div className="h-32">
            <Ito pose="box" decorative />
          </div>
          <p className="text-lg">
            <Trans>None is published.</Trans>
          </p>
        </div>
      ) : null}
      {giveaways.map((giveaway) => (
        <Giveaway key={giveaway.id} giveaway={giveaway} />
      ))}
    </div>
  )
}

export function GiveawayRules({ giveaways: [newest] }: { giveaways: readonly PublicGiveaway[] }) {
  return (
    <div className="wrap max-w-4xl py-12 lg:py-20">
      <h1 className="display text-title">
        <Trans>Official rules</Trans>
      </h1>
      {newest ? (
        <Rules giveaway={newest} heading="h2" />
      ) : (
        <p className="mt-6 text-lg">
          <Trans>No giveaway is published, so there are no rules.</Trans>
        </p>
      )}
    </div>
  )
}

function Giveaway({ giveaway }: { giveaway: PublicGiveaway }) {
  const { rules } = giveaway
  const sponsor = <bdi>{rules.sponsor}</bdi>
  const contact = <bdi>{rules.contact}</bdi>
  const path = usePath()
  const { signedIn } = usePage()
  return (
    <article className="mt-10 border-t-2 border-ink pt-6">
      <h2 className="display text-4xl">
        <OperatorText text={rules.title} />
      </h2>
      <p className="mt-2 text-soft">
        <Trans>
          Sponsor: {sponsor}, {contact}
        </Trans>
      </p>
      <State giveaway={giveaway} />
      <Prizes giveaway={giveaway} />
      {giveaway.state === 'open' ? (
        <p className="mt-6 flex flex-wrap gap-4">
          <a
            href={signedIn ? entering : `${path('/login')}?next=${encodeURIComponent(entering)}`}
            className="press press-hot"
          >
            <Trans>Enter for free</Trans>
          </a>
          <a href={signedIn ? '/dashboard/buy-token' : path('/register')} className="press">
            <Trans>Purchase Tokens!</Trans>
          </a>
        </p>
      ) : null}
      <p className="mt-4 max-w-2xl text-soft">
        <Trans>
          No purchase is needed. Buyers enter by the same button with the same odds: one entry a person, and
          buying adds no second one.
        </Trans>
      </p>
      <p className="mt-4">
        <Trans>
          Entries: {giveaway.entries}, of them by people who had bought since it opened:{' '}
          {giveaway.entriesOfBuyers}
        </Trans>
      </p>
      <Winners giveaway={giveaway} />
      <Draw giveaway={giveaway} />
      <details className="mt-6 border-t py-4">
        <summary className="under w-fit">
          <Trans>Official rules</Trans>
        </summary>
        <Rules giveaway={giveaway} heading="h3" />
      </details>
    </article>
  )
}

function State({ giveaway }: { giveaway: PublicGiveaway }) {
  const { locale } = usePage()
  const [opens, closes, draws] = [giveaway.rules.opensAt, giveaway.rules.closesAt, giveaway.drawAt].map(
    (at) => moment(at, locale),
  )
  const said: Record<PublicGiveaway['state'], ReactNode> = {
    announced: <Trans>Opens on {opens}</Trans>,
    open: <Trans>Open until {closes}</Trans>,
    closed: <Trans>Closed on {closes}. The list of entries is being fixed.</Trans>,
    fixed: (
      <Trans>
        Closed on {closes}. The list of entries is fixed; the random value comes on {draws}.
      </Trans>
    ),
    drawn: <Trans>Drawn. It was open until {closes}.</Trans>,
    failed: (
      <Trans>
        Never drawn: the list of entries was not fixed before the random value of {draws} was known.
      </Trans>
    ),
  }
  return (
    <>
      <p className="mt-4 text-lg font-semibold">{said[giveaway.state]}</p>
      {giveaway.overdue.includes('draw') && giveaway.state !== 'failed' ? (
        <Fault>
          <Trans>The draw was due on {draws} and has not happened.</Trans>
        </Fault>
      ) : null}
      {giveaway.overdue.includes('hand_over') ? (
        <Fault>
          <Trans>A prize was not handed over in the time that the rules give.</Trans>
        </Fault>
      ) : null}
    </>
  )
}

const Fault = ({ children }: { children: ReactNode }) => (
  <p className="mt-3 border-s-4 border-danger bg-sunk px-4 py-3">{children}</p>
)

function Prizes({ giveaway: { id, rules } }: { giveaway: PublicGiveaway }) {
  const { locale } = usePage()
  return (
    <ul className="mt-6 grid gap-6 sm:grid-cols-2">
      {rules.prizes.map((prize) => (
        <li key={`${prize.name.en} ${prize.valueUsd}`} className="border-t pt-4">
          {prize.image ? (
            <img
              src={`/uploads/${prize.image.name}`}
              alt={pickText(prize.image.alt, locale).text}
              lang={pickText(prize.image.alt, locale).lang}
              className="mb-3 max-h-64 max-w-full rounded-sm border"
              loading="lazy"
            />
          ) : null}
          <p className="text-lg font-semibold">
            <OperatorText text={prize.name} />
          </p>
          <p className="figures text-sm text-soft">
            <Sourced name="giveaway/prizes" at={`/giveaway#draw-${id}`}>
              {prize.count} × {dollars(prize.valueUsd, locale)}
            </Sourced>
          </p>
        </li>
      ))}
    </ul>
  )
}

function Winners({ giveaway }: { giveaway: PublicGiveaway }) {
  const { locale } = usePage()
  if (!giveaway.drawnAt) return null
  const said = (winner: PublicGiveaway['winners'][number]): ReactNode => {
    const by = moment(winner.confirmBy, locale)
    if (winner.state === 'told') return <Trans>told, confirms by {by}</Trans>
    if (winner.state === 'lapsed')
      return <Trans>did not confirm in time: the prize goes on in the drawn order</Trans>
    if (winner.state === 'handed_over')
      return (
        <>
          <Trans>
            handed over on {moment(winner.handedOverAt ?? '', locale)}, due by{' '}
            {moment(winner.handOverBy ?? '', locale)}:
          </Trans>{' '}
          <bdi>{winner.evidence}</bdi>
        </>
      )
    return <Trans>confirmed; handed over by {moment(winner.handOverBy ?? '', locale)}</Trans>
  }
  return (
    <section className="mt-8">
      <h3 className="text-xl font-semibold">
        <Trans>Winners</Trans>
      </h3>
      <ul>
        {giveaway.winners.map((winner) => (
          <li key={winner.place} className="border-b py-3">
            <span className="figures">{winner.shownAs}</span>{' '}
            <PrizeName rules={giveaway.rules} number={winner.prize} />{' '}
            <Trans>
              (prize {winner.prize}, drawn as number {winner.place})
            </Trans>
            : {said(winner)}
          </li>
        ))}
        {giveaway.prizesWithoutWinner.map((prize) => (
          <li key={`none ${prize}`} className="border-b py-3">
            <Trans>Prize {prize}: nobody is left in the drawn order.</Trans>
          </li>
        ))}
      </ul>
    </section>
  )
}

function PrizeName({ rules, number }: { rules: PublicGiveaway['rules']; number: number }) {
  const prize = prizeOf(rules, number)
  return prize ? <OperatorText text={prize.name} /> : null
}

function useFaults(): Record<DrawFault, string> {
  const { t } = useLingui()
  return {
    rules_other: t`The rules do not match the hash beside them: they were changed.`,
    round_other: t`The round of the random value is not the first one that is due after closing: somebody chose it.`,
    not_fixed: t`The list of entries is not fixed yet.`,
    time_wrong: t`When the list was fixed is no time as the file has to say it: it proves nothing.`,
    entry_wrong: t`An entry of the list is no commitment of 64 hexadecimal digits.`,
    order_wrong: t`The entries are not in ascending order, each once.`,
    root_other: t`The root is not that of the entries: one was added, removed or changed.`,
    fixed_late: t`The list was fixed before closing, or when its random value could be known: such a draw proves nothing.`,
    not_drawn: t`The giveaway is not drawn yet.`,
    signature_wrong: t`The random value is not what the network signed of that round.`,
    winners_other: t`The winners in the file are not those of the draw.`,
  }
}

function Draw({ giveaway }: { giveaway: PublicGiveaway }) {
  const { t } = useLingui()
  const place = '{place}'
  const { locale } = usePage()
  const words = {
    ...useFaults(),
    reading: t`Computing…`,
    agree: t`This browser computed the same winners from the file alone.`,
    notYet: t`The file has no draw yet. The rest of it is in order.`,
    differ: t`The file is not in order. Please tell the sponsor, and show this:`,
    otherKey: t`The random values of this giveaway come from another key than that of drand’s public network.`,
    failed: t`The file could not be fetched. Try again in a moment.`,
    winner: t`Winner ${place}`,
    alternate: t`Alternate ${place}`,
  }
  const draws = moment(giveaway.drawAt, locale)
  return (
    <section
      data-winners={winnersOf(giveaway.rules)}
      id={`draw-${giveaway.id}`}
      className="mt-8 max-w-3xl"
      data-island="draw"
      data-giveaway={giveaway.id}
      data-words={JSON.stringify(words)}
    >
      <h3 className="text-xl font-semibold">
        <Trans>The draw</Trans>
      </h3>
      {/* A draw that never happened has no winners. */}
      {giveaway.state === 'failed' ? null : (
        <p className="mt-2 text-soft">
          <Trans>
            At closing the list of entries is published, each as a hash. The winners follow from it and from
            round {giveaway.rules.round} of drand, a public random value of {draws} that nobody here can
            choose, delay or know before.
          </Trans>
        </p>
      )}
      <p className="mt-3 text-sm">
        SHA-256: <span className="figures wrap-anywhere">{giveaway.rulesSha256}</span>
      </p>
      <p className="mt-4 flex flex-wrap items-center gap-4">
        <button type="button" className="press" data-draw>
          {giveaway.state === 'drawn' ? (
            <Trans>Draw again in this browser</Trans>
          ) : (
            <Trans>Check the file in this browser</Trans>
          )}
        </button>
        <a className="under" href={`/api/v1${giveawayFilePath(giveaway.id)}`}>
          <Trans>The published file</Trans>
        </a>
      </p>
      <div data-result role="status" className="mt-3 text-sm wrap-anywhere empty:mt-0" />
    </section>
  )
}

/** `heading` is the level below the surrounding one. */
function Rules({
  giveaway: { rules },
  heading: Heading,
}: {
  giveaway: PublicGiveaway
  heading: 'h2' | 'h3'
}) {
  const { locale } = usePage()
  const [text, privacy] = [pickText(rules.rulesText, locale), pickText(rules.privacyText, locale)]
  const names = new Intl.DisplayNames([locale], { type: 'region' })
  return (
    <div className="mt-4">
      <p>
        <Trans>
          For people of {rules.minimumAge} years or more in:{' '}
          {rules.countries.map((code) => names.of(code)).join(', ')}
        </Trans>
      </p>
      <p className="mt-2">
        <Trans>
          A winner confirms within {rules.confirmDays} days; the prize is handed over within{' '}
          {rules.handOverDays} days after that. Alternates: {rules.alternates}
        </Trans>
      </p>
      <div lang={text.lang} className="mt-4">
        <PlainText text={text.text} />
      </div>
      <Heading className="mt-6 text-xl font-semibold">
        <Trans>Privacy</Trans>
      </Heading>
      <div lang={privacy.lang}>
        <PlainText text={privacy.text} />
      </div>
    </div>
  )
}
