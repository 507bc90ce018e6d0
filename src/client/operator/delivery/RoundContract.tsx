import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { operatorRoundRoutes, type RoundDistributor, type UnsignedCall } from '../../../shared/api/rounds.ts'
import { networkName } from '../../../shared/networks.ts'
import { ConfirmChange } from '../../area/ConfirmChange.tsx'
import { call } from '../../area/call.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { Fact, Facts } from '../../area/Page.tsx'
import { read } from '../../area/reading.ts'
import { TextField } from '../../area/TextField.tsx'
import { useForm } from '../../area/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { TokenAmount } from '../../ui/numbers.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useSymbol } from '../queries.ts'
import { touched } from '../touched.ts'
import { CallsToSign } from './CallsToSign.tsx'
import { ContractSteps } from './ContractSteps.tsx'

const LOOK_MS = 10_000

/** An operator's wallet deploys and funds the contract; a final block makes the round live. */
export function RoundContract({ number }: { number: number }) {
  const [given, setGiven] = useState('')
  const options = { params: { number }, query: given ? { address: given } : {} }
  const query = useQuery({ ...read(operatorRoundRoutes.distributor, options), refetchInterval: LOOK_MS })
  return (
    <section className="mt-6 border-t border-line pt-5">
      <h3 className="mb-3 text-lg font-semibold">
        <Trans>The contract that hands out the tokens</Trans>
      </h3>
      <Loaded query={query}>
        {(shown) => (
          <div className="flex flex-col gap-5">
            <Shown shown={shown} />
            <Progress shown={shown} />
            {shown.calls.length > 0 ? <Signing number={number} shown={shown} look={query.refetch} /> : null}
            <div>
              <GoLive number={number} shown={shown} />
            </div>
          </div>
        )}
      </Loaded>
      <OtherAddress given={given} onGiven={setGiven} />
    </section>
  )
}

function Shown({
  shown: { network, chainId, address, expected, isFactoryToken, latest },
}: {
  shown: RoundDistributor
}) {
  const symbol = useSymbol()
  return (
    <Facts>
      <Fact label={<Trans>Network, chain id</Trans>}>
        {networkName(network)}, <span className="figures">{chainId}</span>
      </Fact>
      <Fact
        label={address === expected ? <Trans>It stands or will stand at</Trans> : <Trans>Looked at</Trans>}
      >
        <span className="figures wrap-anywhere">{address}</span>
      </Fact>
      <Fact label={<Trans>Tokens in it now</Trans>}>
        <TokenAmount value={latest.balance} unit={symbol} />
      </Fact>
      <Fact label={<Trans>Token contract</Trans>}>
        {isFactoryToken ? (
          <Trans>made by the token factory, so its code is known</Trans>
        ) : (
          <Trans>not made by the token factory: its own code decides whether the tokens can be moved</Trans>
        )}
      </Fact>
    </Facts>
  )
}

function Progress({ shown }: { shown: RoundDistributor }) {
  const { t } = useLingui()
  const { latest, final } = shown
  const isMade = latest.fault !== 'distributor_missing'
  const isWhole = latest.fault === null
  const isWrong = isMade && !isWhole && latest.fault !== 'distributor_not_funded'
  return (
    <ContractSteps
      shown={shown}
      isWrong={isWrong}
      steps={[
        [t`Made`, isMade && !isWrong],
        [t`Funded`, isWhole],
        [t`Seen in a final block`, final.fault === null],
      ]}
    />
  )
}

/** Signs the remaining transactions; the one with the tokens funds the contract. */
function Signing({ number, shown, look }: { number: number; shown: RoundDistributor; look: () => unknown }) {
  const { t } = useLingui()
  const names: Record<UnsignedCall['what'], string> = {
    factory: t`Make the factory of distributors, once a chain`,
    make: t`Make the distributor`,
    approve: t`Let the distributor take the tokens`,
    fund: t`Bring the tokens and open the claims`,
  }
  return (
    <CallsToSign
      name={`Delivery round ${number}`}
      calls={shown.calls}
      chainId={shown.chainId}
      nameOf={(what) => names[what as UnsignedCall['what']]}
      onMined={look}
      lead={
        <Trans>
          Your own wallet signs the rest, and pays the network’s fee; the server has no key. The maker of the
          contract has no rights in it. It is funded by the wallet that holds the tokens.
        </Trans>
      }
    />
  )
}

function GoLive({ number, shown: { address, final } }: { number: number; shown: RoundDistributor }) {
  const { t } = useLingui()
  const [asks, setAsks] = useState(false)
  return (
    <>
      <Button size="sm" disabledReason={final.message} onClick={() => setAsks(true)}>
        <Trans>Go live…</Trans>
      </Button>
      {asks ? (
        <ConfirmChange
          title={t`Make round ${number} live?`}
          confirm={t`Go live`}
          run={() => call(operatorRoundRoutes.goLive, { params: { number }, body: { address } })}
          touches={touched.rounds}
          done={() => toast.success(t`The round is live.`)}
          onClose={() => setAsks(false)}
        >
          <Trans>
            Block {final.height}, which is final, shows the published code, token, root and times at{' '}
            <span className="figures wrap-anywhere">{address}</span>, and all tokens in it. The server looks
            again now. This can't be taken back.
          </Trans>
        </ConfirmChange>
      ) : null}
    </>
  )
}

/** Asks for the address if the other of the two factories deployed the contract. */
function OtherAddress({ given, onGiven }: { given: string; onGiven: (address: string) => void }) {
  const form = useForm({
    initial: { address: given },
    send: async ({ address }: { address: string }) => onGiven(address.trim()),
    touches: [],
    done: () => undefined,
  })
  return (
    <details className="mt-5">
      <summary className="cursor-pointer text-sm text-soft">
        <Trans>It was made elsewhere</Trans>
      </summary>
      <form {...form.formProps} className="mt-3 flex max-w-3xl flex-col items-start gap-3">
        <TextField
          form={form}
          name="address"
          label={<Trans>Address of the contract</Trans>}
          hint={
            <Trans>
              The keyless deployer or the factory has to have made it, with the values of the list and its
              hash.
            </Trans>
          }
          fieldClassName="w-full"
          className="figures text-sm"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
        />
        <Button type="submit" size="sm" variant="secondary">
          <Trans>Look there</Trans>
        </Button>
      </form>
    </details>
  )
}
