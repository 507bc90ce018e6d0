import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { giveawayRoutes, type OwnGiveaway, prizeOf } from '../../../shared/api/giveaways.ts'
import { localPath } from '../../../shared/languages.ts'
import { call } from '../../area/call.ts'
import { InItsPlace } from '../../area/InItsPlace.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { LocalText } from '../../area/LocalText.tsx'
import { Band, Fact, Facts, Page } from '../../area/Page.tsx'
import { readItems } from '../../area/reading.ts'
import { useChange } from '../../area/use-change.ts'
import { errorText } from '../../errors.ts'
import { documentLocale } from '../../i18n.ts'
import { Ito } from '../../ito/Ito.tsx'
import { Button } from '../../ui/Button.tsx'
import { FormError } from '../../ui/Field.tsx'
import { DateTime } from '../../ui/numbers.tsx'
import { Skeleton } from '../../ui/Spinner.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { touched } from '../touched.ts'

// Loaded for those who may still enter, because of the country list.
const EnterGiveaway = lazy(() =>
  import('./EnterGiveaway.tsx').then((part) => ({ default: part.EnterGiveaway })),
)

export function GiveawayPage() {
  const { t } = useLingui()
  const query = useQuery(readItems(giveawayRoutes.own))
  return (
    <Page title={<Trans>Giveaway</Trans>} lead={<Trans>One entry a person. No purchase is needed.</Trans>}>
      <Loaded query={query}>
        {(items) => (
          <>
            {items.length === 0 ? (
              <EmptyState picture={<Ito pose="box" decorative />} title={t`None is published`} />
            ) : null}
            {items.map((own) => (
              <Own key={own.giveaway.id} own={own} />
            ))}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Own({ own }: { own: OwnGiveaway }) {
  const { rules, state, drawAt } = own.giveaway
  const [isNew, setNew] = useState(false)
  const said = {
    announced: <Trans>announced</Trans>,
    open: <Trans>open</Trans>,
    closed: <Trans>closed</Trans>,
    fixed: <Trans>closed, the list of entries is fixed</Trans>,
    drawn: <Trans>drawn</Trans>,
    failed: <Trans>never drawn</Trans>,
  }
  return (
    <Band title={<LocalText text={rules.title} />}>
      <Facts>
        <Fact label={<Trans>Sponsor</Trans>}>{rules.sponsor}</Fact>
        <Fact label={<Trans>State</Trans>}>{said[state]}</Fact>
        <Fact label={<Trans>Open</Trans>}>
          <DateTime value={rules.opensAt} /> – <DateTime value={rules.closesAt} />
        </Fact>
        <Fact label={<Trans>The draw</Trans>}>
          <DateTime value={drawAt} />
        </Fact>
        <Fact label={<Trans>Entries</Trans>}>{own.giveaway.entries}</Fact>
      </Facts>
      <p className="my-4">
        <a className="underline underline-offset-4" href={localPath(documentLocale(), '/giveaway')}>
          <Trans>Prizes, official rules and the draw</Trans>
        </a>
      </p>
      {own.win ? <Win own={own} win={own.win} /> : null}
      {own.receipt && state === 'drawn' && !own.win ? (
        <p className="mb-4">
          <Trans>
            Drawn: your entry is not among the winners. If a winner does not confirm in time, the prize goes
            to the next one in the drawn order, who gets a mail.
          </Trans>
        </p>
      ) : null}
      {own.receipt ? <Receipt receipt={own.receipt} isNew={isNew} /> : null}
      {!own.receipt && state === 'open' ? (
        <Suspense fallback={<FormToCome />}>
          <EnterGiveaway own={own} done={() => setNew(true)} />
        </Suspense>
      ) : null}
    </Band>
  )
}

/** Busy, so that the page keeps the server's form and its values until this one is loaded. */
const FormToCome = () => (
  <div aria-busy="true">
    <Skeleton className="h-64" />
  </div>
)

function Receipt({ receipt, isNew }: { receipt: NonNullable<OwnGiveaway['receipt']>; isNew: boolean }) {
  return (
    <InItsPlace isAnswer={isNew}>
      <p className="mb-3">
        <Trans>You have entered. Keep this receipt: by it you find your entry in the published list.</Trans>
      </p>
      <Facts>
        <Fact label={<Trans>Entered</Trans>}>
          <DateTime value={receipt.enteredAt} />
        </Fact>
        <Fact label={<Trans>Account</Trans>}>{receipt.reference}</Fact>
        <Fact label={<Trans>Random bytes</Trans>}>
          <span className="figures text-xs wrap-anywhere">{receipt.nonce}</span>
        </Fact>
        <Fact label={<Trans>Entry in the list</Trans>}>
          <span className="figures text-xs wrap-anywhere">{receipt.commitment}</span>
        </Fact>
      </Facts>
    </InItsPlace>
  )
}

function Win({ own, win }: { own: OwnGiveaway; win: NonNullable<OwnGiveaway['win']> }) {
  const prize = prizeOf(own.giveaway.rules, win.prize)
  const sponsor = <bdi>{own.giveaway.rules.sponsor}</bdi>
  const confirm = useChange({
    run: () => call(giveawayRoutes.confirm, { params: { id: own.giveaway.id } }),
    touches: touched.giveaways,
    failed: false,
  })
  if (win.state === 'lapsed')
    return (
      <p className="mb-4">
        <Trans>
          Your entry was drawn, and was not confirmed in time. The prize goes on in the drawn order.
        </Trans>
      </p>
    )
  return (
    <div className="mb-6 border-s-4 border-now bg-now-soft px-4 py-3">
      <p className="font-semibold">
        <Trans>Your entry won:</Trans> {prize ? <LocalText text={prize.name} /> : null}
      </p>
      {win.state === 'told' ? (
        <>
          <p className="my-2">
            <Trans>
              Confirm by <DateTime value={win.confirmBy} />, or it goes to the next one. It costs nothing.
            </Trans>
          </p>
          <FormError>{confirm.error ? errorText(confirm.error) : null}</FormError>
          <Button loading={confirm.isPending} onClick={() => confirm.mutate()}>
            <Trans>Confirm the prize</Trans>
          </Button>
        </>
      ) : null}
      {win.state === 'confirmed' ? (
        <InItsPlace isAnswer={!confirm.isIdle}>
          <Trans>Confirmed. {sponsor} will write to you.</Trans>
        </InItsPlace>
      ) : null}
      {win.state === 'handed_over' ? (
        <>
          <Trans>Handed over:</Trans> <bdi className="wrap-anywhere">{win.evidence}</bdi>
        </>
      ) : null}
    </div>
  )
}
