import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { operatorCurrencyRoutes } from '../../../shared/api/currencies.ts'
import { type EscrowContract, escrowRoutes, type OperatorEscrow } from '../../../shared/api/escrows.ts'
import { pickText } from '../../../shared/languages.ts'
import { networkName } from '../../../shared/networks.ts'
import { ConfirmChange } from '../../area/ConfirmChange.tsx'
import { call } from '../../area/call.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { Band, Fact, Facts } from '../../area/Page.tsx'
import { read } from '../../area/reading.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { Status } from '../../ui/Status.tsx'
import { toast } from '../../ui/Toast.tsx'
import { currenciesQuery, useSymbol } from '../queries.ts'
import { touched } from '../touched.ts'
import { CallsToSign } from './CallsToSign.tsx'
import { ContractSteps } from './ContractSteps.tsx'
import { EscrowForm } from './EscrowForm.tsx'

const LOOK_MS = 10_000

export function Escrows() {
  const { t } = useLingui()
  const [adds, setAdds] = useState(false)
  const [replaces, setReplaces] = useState(false)
  const query = useQuery(read(escrowRoutes.list))
  return (
    <Band
      title={t`Escrows`}
      lead={t`A stage can be paid into a contract that gives its money to the seller only against all tokens of its buyers, and otherwise back.`}
      action={
        <Button size="sm" onClick={() => setAdds(true)}>
          <Trans>Fix the terms of an escrow</Trans>
        </Button>
      }
    >
      <Loaded query={query}>
        {({ items, quoteKey }) => (
          <div className="flex flex-col gap-8">
            {quoteKey ? (
              <div className="flex flex-wrap items-center gap-4">
                <p className="text-sm text-soft">
                  <Trans>
                    Quotes are signed by <span className="figures wrap-anywhere">{quoteKey}</span>
                  </Trans>
                </p>
                <Button size="sm" variant="secondary" onClick={() => setReplaces(true)}>
                  <Trans>Replace the quote key…</Trans>
                </Button>
              </div>
            ) : null}
            {items.map((escrow) => (
              <Escrow key={escrow.number} escrow={escrow} />
            ))}
          </div>
        )}
      </Loaded>
      {adds ? <EscrowForm onClose={() => setAdds(false)} /> : null}
      {replaces ? <ReplaceKey onClose={() => setReplaces(false)} /> : null}
    </Band>
  )
}

function ReplaceKey({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  return (
    <ConfirmChange
      title={t`Replace the quote key?`}
      confirm={t`Replace it now`}
      danger
      run={() => call(escrowRoutes.key)}
      touches={touched.escrows}
      done={() => toast.success(t`The new key signs from now on.`)}
      onClose={onClose}
    >
      <Trans>
        The old key signs nothing any more, at once. No order is paid into an escrow until its seller has
        signed the transaction that names the new key there; it is shown below each escrow.
      </Trans>
    </ConfirmChange>
  )
}

const tones = { announced: 'now', withdrawn: 'neutral', in_force: 'success' } as const

function Escrow({ escrow }: { escrow: OperatorEscrow }) {
  const { t, i18n } = useLingui()
  const symbol = useSymbol()
  const { number, state, network } = escrow
  const states = { announced: t`terms fixed`, withdrawn: t`withdrawn`, in_force: t`in force` }
  return (
    <section className="border-t border-line pt-5">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h3 className="text-lg font-semibold">
          <Trans>
            Escrow {number}, {pickText(escrow.stage, i18n.locale).text}
          </Trans>
        </h3>
        <Status tone={tones[state]}>{states[state]}</Status>
      </div>
      <Facts>
        <Fact label={<Trans>Network</Trans>}>{networkName(network)}</Fact>
        <Fact label={<Trans>It stands or will stand at</Trans>}>
          <span className="figures wrap-anywhere">{escrow.address}</span>
        </Fact>
        <Fact label={<Trans>Most tokens</Trans>}>
          <TokenAmount value={escrow.capTokens} unit={symbol} />
        </Fact>
        <Fact label={<Trans>Tokens are locked first</Trans>}>{escrow.locksFirst ? t`yes` : t`no`}</Fact>
        <Fact label={<Trans>Payments end</Trans>}>
          <DateTime value={escrow.closesAt} />
        </Fact>
        <Fact label={<Trans>Delivered at the latest</Trans>}>
          <DateTime value={escrow.deliverBy} />
        </Fact>
        <Fact label={<Trans>Seller's account</Trans>}>
          <span className="figures wrap-anywhere">{escrow.seller}</span>
        </Fact>
        <Fact label={<Trans>Proceeds go to</Trans>}>
          <span className="figures wrap-anywhere">{escrow.treasury}</span>
        </Fact>
        <Fact label={<Trans>Accepts</Trans>}>{escrow.currencies.join(', ')}</Fact>
      </Facts>
      {state === 'withdrawn' ? null : <Contract escrow={escrow} />}
      {state === 'in_force' ? <Accepted codes={escrow.currencies} /> : null}
    </section>
  )
}

/** An operator's wallet deploys and funds the escrow; a final block activates it. */
function Contract({ escrow }: { escrow: OperatorEscrow }) {
  const options = { params: { number: escrow.number } }
  const query = useQuery({ ...read(escrowRoutes.contract, options), refetchInterval: LOOK_MS })
  return (
    <div className="mt-5">
      <Loaded query={query}>
        {(shown) => (
          <div className="flex flex-col gap-4">
            <Progress shown={shown} />
            {shown.calls.length > 0 ? <Signing escrow={escrow} shown={shown} look={query.refetch} /> : null}
            {escrow.state === 'announced' ? <Deciding number={escrow.number} shown={shown} /> : null}
          </div>
        )}
      </Loaded>
    </div>
  )
}

function Progress({ shown }: { shown: EscrowContract }) {
  const { t } = useLingui()
  const { latest, final } = shown
  return (
    <ContractSteps
      shown={shown}
      steps={[
        [t`Made`, latest.fault !== 'escrow_not_made' && latest.fault !== 'escrow_token_unknown'],
        [t`Tokens locked`, latest.isLocked],
        [t`Seen in a final block`, final.fault === null],
      ]}
    />
  )
}

function Signing({
  escrow: { number, seller },
  shown,
  look,
}: {
  escrow: OperatorEscrow
  shown: EscrowContract
  look: () => unknown
}) {
  const { t } = useLingui()
  const names: Record<string, string> = {
    factory: t`Make the factory of escrows, once a chain`,
    make: t`Make the escrow`,
    'set-key': t`Name the quote key in it, by the seller's account`,
    approve: t`Let the escrow take its tokens`,
    lock: t`Lock the tokens in it`,
  }
  // The contract accepts the key only from the seller.
  const calls = shown.calls.map((one) => (one.what === 'set-key' ? { ...one, from: seller } : one))
  return (
    <CallsToSign
      name={`Escrow ${number}`}
      calls={calls}
      chainId={shown.chainId}
      nameOf={(what) => names[what] ?? what}
      onMined={look}
      lead={
        <Trans>
          Your own wallet signs the rest, and pays the network’s fee; the server has no key that moves
          anything. The maker of the escrow has no rights in it. The tokens come from the wallet that locks
          them.
        </Trans>
      }
    />
  )
}

function Deciding({ number, shown: { final, address } }: { number: number; shown: EscrowContract }) {
  const { t } = useLingui()
  const [asks, setAsks] = useState<'enter' | 'withdraw'>()
  const params = { params: { number } }
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" disabledReason={final.message} onClick={() => setAsks('enter')}>
        <Trans>Put in force…</Trans>
      </Button>
      <Button size="sm" variant="secondary" onClick={() => setAsks('withdraw')}>
        <Trans>Withdraw the terms…</Trans>
      </Button>
      {asks === 'enter' ? (
        <ConfirmChange
          title={t`Put escrow ${number} in force?`}
          confirm={t`Put in force`}
          run={() => call(escrowRoutes.enter, params)}
          touches={touched.escrows}
          done={() => toast.success(t`The escrow is in force.`)}
          onClose={() => setAsks(undefined)}
        >
          <Trans>
            Block {final.height}, which is final, shows it at{' '}
            <span className="figures wrap-anywhere">{address}</span>. The server looks again now. This can't
            be taken back.
          </Trans>
        </ConfirmChange>
      ) : null}
      {asks === 'withdraw' ? (
        <ConfirmChange
          title={t`Withdraw the terms of escrow ${number}?`}
          confirm={t`Withdraw`}
          danger
          run={() => call(escrowRoutes.withdraw, params)}
          touches={touched.escrows}
          done={() => toast.success(t`The terms are withdrawn.`)}
          onClose={() => setAsks(undefined)}
        >
          <Trans>
            A contract that was made with them stays on the chain and is never paid. Tokens that are locked in
            it go to its treasury once it is over.
          </Trans>
        </ConfirmChange>
      ) : null}
    </div>
  )
}

/** Each currency can be switched until it has an order. */
function Accepted({ codes }: { codes: readonly string[] }) {
  const currencies = useQuery(currenciesQuery).data ?? []
  const [asks, setAsks] = useState<{ code: string; inEscrow: boolean }>()
  return (
    <ul className="mt-5 flex flex-col gap-2">
      {currencies
        .filter(({ code }) => codes.includes(code))
        .map(({ code, inEscrow }) => (
          <li key={code} className="flex flex-wrap items-center gap-3">
            <span className="font-semibold">{code}</span>
            <span className="text-soft">
              {inEscrow ? <Trans>paid into the escrow</Trans> : <Trans>paid to addresses</Trans>}
            </span>
            <Button size="sm" variant="secondary" onClick={() => setAsks({ code, inEscrow: !inEscrow })}>
              {inEscrow ? <Trans>Back to addresses…</Trans> : <Trans>Into the escrow…</Trans>}
            </Button>
          </li>
        ))}
      {asks ? <SwitchCurrency {...asks} onClose={() => setAsks(undefined)} /> : null}
    </ul>
  )
}

function SwitchCurrency({
  code,
  inEscrow,
  onClose,
}: {
  code: string
  inEscrow: boolean
  onClose: () => void
}) {
  const { t } = useLingui()
  return (
    <ConfirmChange
      title={inEscrow ? t`Have ${code} paid into the escrow?` : t`Have ${code} paid to addresses again?`}
      confirm={t`Switch it`}
      run={() => call(operatorCurrencyRoutes.escrow, { params: { code }, body: { inEscrow } })}
      touches={touched.currencies}
      done={() => toast.success(t`${code} is switched.`)}
      onClose={onClose}
    >
      <Trans>Only a currency without any order can be switched.</Trans>
    </ConfirmChange>
  )
}
