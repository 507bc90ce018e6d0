import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type DeliveryAddress, deliveryRoutes, type NamedAddress } from '../../../shared/api/delivery.ts'
import { networkName } from '../../../shared/networks.ts'
import { call } from '../../area/call.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { Band, Fact, Facts } from '../../area/Page.tsx'
import { read } from '../../area/reading.ts'
import { useChange } from '../../area/use-change.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { Skeleton } from '../../ui/Spinner.tsx'
import { Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useCampaign } from '../queries.ts'
import { touched } from '../touched.ts'
import { SignAddress } from './SignAddress.tsx'
import { TypeAddress } from './TypeAddress.tsx'

export function WhereTokensGo() {
  return (
    <Band
      id="delivery"
      title={<Trans>Where your tokens go</Trans>}
      lead={
        <Trans>
          An address of your own wallet, on which nobody else holds the key: not of an exchange. You can name
          it now or later, but at least a day before the round in which your tokens are delivered is closed.
          The list of a round is public: it shows addresses and tokens, and no names.
        </Trans>
      }
    >
      <Loaded query={useQuery(read(deliveryRoutes.address))} skeleton={<Skeleton className="h-24" />}>
        {(own) => <Shown own={own} />}
      </Loaded>
    </Band>
  )
}

function Shown({ own }: { own: DeliveryAddress }) {
  const symbol = useCampaign().data?.settings.symbol
  const { chain, current, waiting } = own
  if (!chain)
    return (
      <p className="measure text-soft">
        <Trans>
          The network on which the tokens will be delivered is not chosen yet. You can name an address then.
        </Trans>
      </p>
    )
  const network = networkName(chain.network)
  return (
    <div className="flex flex-col gap-5">
      <Facts>
        <Fact label={<Trans>Address on {network}</Trans>}>
          {current ? <Address named={current} network={network} /> : <Trans>none yet</Trans>}
        </Fact>
        {waiting ? (
          <Fact
            label={
              <Trans>
                From <DateTime value={waiting.countsFrom} />
              </Trans>
            }
          >
            <Address named={waiting} network={network} />
          </Fact>
        ) : null}
        {own.rounds.map((round) => (
          <Fact
            key={round.number}
            label={
              <Trans>
                In round {round.number}, fixed <DateTime value={round.frozenAt} part="date" />
              </Trans>
            }
          >
            <TokenAmount value={round.tokens} unit={symbol} />
            <span className="figures block wrap-anywhere">{round.address}</span>
          </Fact>
        ))}
      </Facts>
      {own.nextFreezeFrom ? (
        <Notice>
          <Trans>
            The next delivery can be fixed from <DateTime value={own.nextFreezeFrom} /> on, with the address
            that counts then. To count by then, an address has to be signed or confirmed by{' '}
            <DateTime value={nameBy(own.nextFreezeFrom, own.changeHours)} />. Without one your tokens stay
            yours and wait for a later delivery.
          </Trans>
        </Notice>
      ) : null}
      {own.elsewhere ? <Elsewhere elsewhere={own.elsewhere} network={network} /> : null}
      <Unsettled own={own} />
      <Naming chain={chain} />
      <p className="measure text-sm text-soft">
        <Trans>
          Anyone may send you your tokens once they are delivered. The seller never asks for some of them
          back, or for a phrase or a key.
        </Trans>
      </p>
    </div>
  )
}

/** The latest time to name an address: later ones don't count when the round can first be finalized. */
function nameBy(freezeFrom: string, hours: number): string {
  return new Date(Date.parse(freezeFrom) - hours * 3_600_000).toISOString()
}

/** An address that was named before the delivery network changed. */
function Elsewhere({
  elsewhere,
  network,
}: {
  elsewhere: NonNullable<DeliveryAddress['elsewhere']>
  network: string
}) {
  const address = <span className="figures wrap-anywhere">{elsewhere.address}</span>
  const other = elsewhere.network && networkName(elsewhere.network)
  return (
    <Notice>
      {other ? (
        <Trans>
          You named {address} for {other}, and your tokens will come on {network}. An address counts only on
          the network that it was named for: name it again here, or another.
        </Trans>
      ) : (
        <Trans>
          You named {address} before it was fixed that your tokens come on {network}. Name it again here, or
          another.
        </Trans>
      )}
    </Notice>
  )
}

function Unsettled({ own: { unconfirmed, waiting, changeHours } }: { own: DeliveryAddress }) {
  return (
    <>
      {unconfirmed ? (
        <Notice action={<Withdraw />}>
          <Trans>
            <span className="figures wrap-anywhere">{unconfirmed.address}</span> counts {changeHours} hours
            after you use the link that was mailed to you.
          </Trans>
        </Notice>
      ) : null}
      {waiting ? (
        <Notice action={<Withdraw />}>
          <Trans>
            An address counts {changeHours} hours after it was signed or confirmed. If you did not name it,
            take it back and change your password.
          </Trans>
        </Notice>
      ) : null}
    </>
  )
}

function Naming({ chain }: { chain: NonNullable<DeliveryAddress['chain']> }) {
  const [way, setWay] = useState<'sign' | 'type' | null>(null)
  const close = () => setWay(null)
  return (
    <>
      {way === null ? (
        <div className="flex flex-wrap gap-3">
          <Button variant="secondary" onClick={() => setWay('sign')}>
            <Trans>Sign with your wallet</Trans>
          </Button>
          <Button variant="secondary" onClick={() => setWay('type')}>
            <Trans>Type an address</Trans>
          </Button>
        </div>
      ) : null}
      {way === 'sign' ? <SignAddress chain={chain} onDone={close} /> : null}
      {way === 'type' ? <TypeAddress network={chain.network} onDone={close} /> : null}
      {way === null ? null : (
        <div>
          <Button variant="ghost" size="sm" onClick={close}>
            <Trans>Change nothing</Trans>
          </Button>
        </div>
      )}
    </>
  )
}

function Address({ named, network }: { named: NamedAddress; network: string }) {
  const proofs: Record<NamedAddress['proof'], ReactNode> = {
    signature: <Trans>proved by its signature</Trans>,
    contract: <Trans>proved by the contract at this address</Trans>,
    typed: <Trans>typed and confirmed by mail</Trans>,
  }
  return (
    <>
      <span className="figures wrap-anywhere">{named.address}</span>
      <span className="block text-faint">{proofs[named.proof]}</span>
      {named.lacksCode ? (
        <span className="block text-danger">
          <Trans>
            A smart account has this address on another network, and none has it on {network}. You can move
            tokens there only once the same account exists on {network}.
          </Trans>
        </span>
      ) : null}
    </>
  )
}

function Withdraw() {
  const { t } = useLingui()
  const withdraw = useChange({
    run: () => call(deliveryRoutes.withdraw),
    touches: touched.deliveryAddress,
    done: () => toast.success(t`Taken back`),
  })
  return (
    <Button variant="secondary" size="sm" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
      <Trans>Take it back</Trans>
    </Button>
  )
}
