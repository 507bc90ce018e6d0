import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type OperatorRounds,
  operatorRoundRoutes,
  type Round,
  roundFilePath,
} from '../../../shared/api/rounds.ts'
import { networkName } from '../../../shared/networks.ts'
import { claimFilePath } from '../../../shared/public-pages.ts'
import { apiUrl } from '../../api.ts'
import { ConfirmChange } from '../../area/ConfirmChange.tsx'
import { call } from '../../area/call.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { Band, Fact, Facts, Page } from '../../area/Page.tsx'
import { read } from '../../area/reading.ts'
import { Ito } from '../../ito/Ito.tsx'
import { Button, buttonLook } from '../../ui/Button.tsx'
import { DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { Status } from '../../ui/Status.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useSymbol } from '../queries.ts'
import { touched } from '../touched.ts'
import { EscrowDelivery } from './EscrowDelivery.tsx'
import { Escrows } from './Escrows.tsx'
import { RoundContract } from './RoundContract.tsx'
import { RoundForm } from './RoundForm.tsx'

export function DeliveryPage() {
  const { t } = useLingui()
  const [adds, setAdds] = useState(false)
  const rounds = useQuery(read(operatorRoundRoutes.list))
  return (
    <Page
      title={t`Delivery`}
      lead={t`A round fixes the buyers, their tokens and their addresses. Buyers without an address get a mail 72 hours before; without one by then they wait for the next round.`}
      action={
        rounds.data && !rounds.data.next ? (
          <Button onClick={() => setAdds(true)}>
            <Trans>Announce a round</Trans>
          </Button>
        ) : null
      }
    >
      <Loaded query={rounds}>
        {({ items, next }) =>
          items.length === 0 ? (
            <EmptyState picture={<Ito pose="rest" decorative />} title={t`No round yet`} />
          ) : (
            items.map((round) => (
              <RoundBand key={round.number} round={round} next={round.state === 'announced' ? next : null} />
            ))
          )
        }
      </Loaded>
      <Escrows />
      <EscrowDelivery />
      {adds ? <RoundForm onClose={() => setAdds(false)} /> : null}
    </Page>
  )
}

const tones = { announced: 'now', frozen: 'now', live: 'success', cancelled: 'neutral' } as const

function RoundBand({ round, next }: { round: Round; next: OperatorRounds['next'] }) {
  const { t } = useLingui()
  const symbol = useSymbol()
  const states = { announced: t`announced`, frozen: t`frozen`, live: t`live`, cancelled: t`cancelled` }
  return (
    <Band
      title={t`Round ${round.number}`}
      action={<Status tone={tones[round.state]}>{states[round.state]}</Status>}
    >
      <Facts>
        {round.network ? <Fact label={<Trans>Network</Trans>}>{networkName(round.network)}</Fact> : null}
        <Fact label={<Trans>Approved or granted until</Trans>}>
          <DateTime value={round.cutAt} />
        </Fact>
        <Fact label={<Trans>Frozen at the earliest</Trans>}>
          <DateTime value={next?.frozenFrom ?? round.freezeFrom} />
        </Fact>
        <Fact label={<Trans>Unlocking from</Trans>}>
          <DateTime value={round.startsAt} />
        </Fact>
        <Fact label={<Trans>Unclaimed tokens go to</Trans>}>
          <span className="figures">{round.leftoverTo}</span>
        </Fact>
        {next ? (
          <>
            <Fact label={<Trans>It would hold now</Trans>}>
              <TokenAmount value={next.tokens} unit={symbol} />, <Trans>buyers: {next.buyers}</Trans>
            </Fact>
            <Fact label={<Trans>Buyers without an address that counts</Trans>}>
              <Trans>
                {next.lacking}, told of this round: {next.told}
              </Trans>
            </Fact>
          </>
        ) : null}
        <Published file={round.file} />
        <Live distributor={round.distributor} look={round.look} />
      </Facts>
      {round.file ? (
        <div className="mt-4 flex flex-wrap gap-3">
          <a
            href={apiUrl({ path: roundFilePath(round.number) })}
            download
            className={buttonLook({ variant: 'secondary', size: 'sm' })}
          >
            <Trans>Download the list</Trans>
          </a>
          <a href={claimFilePath} download className={buttonLook({ variant: 'secondary', size: 'sm' })}>
            <Trans>Download claim.html</Trans>
          </a>
        </div>
      ) : null}
      {round.state === 'announced' ? <Steps number={round.number} /> : null}
      {round.state === 'frozen' ? <RoundContract number={round.number} /> : null}
    </Band>
  )
}

function Published({ file }: Pick<Round, 'file'>) {
  const symbol = useSymbol()
  if (!file) return null
  return (
    <>
      <Fact label={<Trans>Frozen</Trans>}>
        <DateTime value={file.frozenAt} />
      </Fact>
      <Fact label={<Trans>Tokens</Trans>}>
        <TokenAmount value={file.tokens} unit={symbol} />, <Trans>buyers: {file.rows}</Trans>
      </Fact>
      <Fact label={<Trans>Purchased, bonus, granted</Trans>}>
        <TokenAmount value={file.purchasedTokens} /> · <TokenAmount value={file.bonusTokens} /> ·{' '}
        <TokenAmount value={file.grantedTokens} />
      </Fact>
      <Fact label={<Trans>Merkle root</Trans>}>
        <span className="figures">{file.root}</span>
      </Fact>
      <Fact label="SHA-256">
        <span className="figures">{file.sha256}</span>
      </Fact>
    </>
  )
}

function Live({ distributor, look }: Pick<Round, 'distributor' | 'look'>) {
  const symbol = useSymbol()
  if (!distributor || !look) return null
  return (
    <>
      <Fact label={<Trans>Live since</Trans>}>
        <DateTime value={distributor.liveAt} />
      </Fact>
      <Fact label={<Trans>Distributor</Trans>}>
        <span className="figures wrap-anywhere">{distributor.address}</span>
      </Fact>
      <Fact label={<Trans>Seen whole in the final block</Trans>}>
        <span className="figures wrap-anywhere">
          {distributor.height} {distributor.blockHash}
        </span>
        {distributor.secondNode ? null : (
          <span className="block text-faint">
            <Trans>by one node: no second one is configured</Trans>
          </span>
        )}
      </Fact>
      <Fact label={<Trans>Hash of the code there</Trans>}>
        <span className="figures wrap-anywhere">{distributor.codeHash}</span>
      </Fact>
      <Fact label={<Trans>Held there, claimed</Trans>}>
        <TokenAmount value={look.held} unit={symbol} /> · <TokenAmount value={look.claimed} unit={symbol} />
        <span className="block text-faint">
          <Trans>
            Final block {look.height}, looked at <DateTime value={look.lookedAt} />
          </Trans>
        </span>
        {look.fault ? (
          <strong className="block text-danger">
            <Trans>This does not cover the list.</Trans>
          </strong>
        ) : null}
        {look.failingSince ? (
          <strong className="block text-danger">
            <Trans>
              No look has succeeded since <DateTime value={look.failingSince} />.
            </Trans>
          </strong>
        ) : null}
      </Fact>
    </>
  )
}

function Steps({ number }: { number: number }) {
  const { t } = useLingui()
  const [asks, setAsks] = useState<'freeze' | 'cancel' | null>(null)
  const close = () => setAsks(null)
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      <Button size="sm" onClick={() => setAsks('freeze')}>
        <Trans>Freeze…</Trans>
      </Button>
      <Button size="sm" variant="secondary" onClick={() => setAsks('cancel')}>
        <Trans>Cancel the round…</Trans>
      </Button>
      {asks === 'freeze' ? (
        <ConfirmChange
          title={t`Freeze round ${number}?`}
          confirm={t`Freeze`}
          run={() => call(operatorRoundRoutes.freeze, { params: { number } })}
          touches={touched.rounds}
          done={() => toast.success(t`The round is frozen and its list published.`)}
          onClose={close}
        >
          <Trans>
            Its buyers, tokens and addresses can never change again, and its orders can't be taken back.
          </Trans>
        </ConfirmChange>
      ) : null}
      {asks === 'cancel' ? (
        <ConfirmChange
          title={t`Cancel round ${number}?`}
          confirm={t`Cancel the round`}
          cancel={t`Keep it`}
          run={() => call(operatorRoundRoutes.cancel, { params: { number } })}
          touches={touched.rounds}
          done={() => toast.success(t`The round is cancelled.`)}
          onClose={close}
        >
          <Trans>No tokens were allocated. Buyers who got a mail get none about the end.</Trans>
        </ConfirmChange>
      ) : null}
    </div>
  )
}
