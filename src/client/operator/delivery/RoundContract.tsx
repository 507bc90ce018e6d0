import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { operatorRoundRoutes, type RoundDistributor } from '../../../shared/api/rounds.ts'
import { networkName } from '../../../shared/networks.ts'
import { ConfirmChange } from '../../area/ConfirmChange.tsx'
import { call } from '../../area/call.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { Fact, Facts } from '../../area/Page.tsx'
import { read } from '../../area/reading.ts'
import { saveFile } from '../../area/save-file.ts'
import { TextField } from '../../area/TextField.tsx'
import { useForm } from '../../area/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { TokenAmount } from '../../ui/numbers.tsx'
import { Skeleton } from '../../ui/Spinner.tsx'
import { Status, type Tone } from '../../ui/Status.tsx'
import { Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useSymbol } from '../queries.ts'
import { touched } from '../touched.ts'
import { useCallNames } from './call-names.ts'

// What speaks with wallets is fetched by who wants to sign in this browser.
const SignCalls = lazy(() => import('./SignCalls.tsx').then((part) => ({ default: part.SignCalls })))

const LOOK_MS = 10_000

/** From a published list to a live round: the contract is made and funded by an operator's own wallet, and seen in a final block. */
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

/** How far it is: made, funded, final. */
function Progress({ shown: { latest, final, lacksDeployer } }: { shown: RoundDistributor }) {
  const { t } = useLingui()
  const isMade = latest.fault !== 'distributor_missing'
  const isWhole = latest.fault === null
  const isWrong = isMade && !isWhole && latest.fault !== 'distributor_not_funded'
  const steps: [label: ReactNode, isDone: boolean][] = [
    [t`Made`, isMade && !isWrong],
    [t`Funded`, isWhole],
    [t`Seen in a final block`, final.fault === null],
  ]
  const next = steps.findIndex(([, isDone]) => !isDone)
  const toneOf = (index: number, isDone: boolean): Tone => {
    if (isDone) return 'success'
    if (index !== next) return 'neutral'
    return isWrong ? 'danger' : 'now'
  }
  return (
    <>
      <ol className="flex flex-wrap gap-x-4 gap-y-2">
        {steps.map(([label, isDone], index) => (
          <li key={index}>
            <Status tone={toneOf(index, isDone)}>{label}</Status>
          </li>
        ))}
      </ol>
      {isWrong || (final.fault && !isWhole) ? (
        <Notice tone={isWrong ? 'danger' : 'now'}>{latest.message}</Notice>
      ) : null}
      {isWhole && final.fault ? (
        <Notice>
          <Trans>
            Block {latest.height} shows it, and the chain is final up to block {final.height}. Some minutes
            later the first is final too; this page looks again by itself.
          </Trans>
        </Notice>
      ) : null}
      {lacksDeployer ? (
        <Notice tone="danger">
          <Trans>
            This chain lacks the keyless deployer, and a contract that was made otherwise can't be trusted:
            bring the deployer to this chain first. Anybody can, by its published transaction.
          </Trans>
        </Notice>
      ) : null}
    </>
  )
}

interface SigningProps {
  number: number
  shown: RoundDistributor
  look: () => unknown
}

/** What is left to be signed: in this browser, or elsewhere from a file. */
function Signing({ number, shown, look }: SigningProps) {
  const [signs, setSigns] = useState(false)
  return (
    <div className="flex flex-col gap-3">
      <p className="measure text-soft">
        <Trans>
          Your own wallet signs what is left, and pays the network’s fee; the server has no key. Whoever makes
          the contract has no right in it. It is funded by the wallet that holds the tokens.
        </Trans>
      </p>
      <CallList shown={shown} />
      <div className="flex flex-wrap gap-2">
        {signs ? null : (
          <Button size="sm" onClick={() => setSigns(true)}>
            <Trans>Sign with a wallet of this browser</Trans>
          </Button>
        )}
        <Button size="sm" variant="secondary" onClick={() => saveCalls(number, shown)}>
          <Trans>Download for a Safe or a hardware wallet</Trans>
        </Button>
      </div>
      {signs ? (
        <Suspense fallback={<Skeleton className="h-12" />}>
          <SignCalls shown={shown} look={look} />
        </Suspense>
      ) : null}
    </div>
  )
}

/** As Safe's Transaction Builder reads it; what any other wallet needs stands in it as well. */
function saveCalls(number: number, { chainId, calls }: RoundDistributor) {
  const file = {
    version: '1.0',
    chainId: String(chainId),
    createdAt: Date.now(),
    meta: { name: `Delivery round ${number}`, description: calls.map(({ what }) => what).join(', ') },
    transactions: calls.map(({ to, value, data }) => ({ to, value, data })),
  }
  saveFile(`delivery-round-${number}-transactions.json`, 'application/json', JSON.stringify(file, null, 2))
}

function CallList({ shown: { calls, chainId } }: { shown: RoundDistributor }) {
  const { t } = useLingui()
  const names = useCallNames()
  return (
    <details>
      <summary className="cursor-pointer font-semibold">
        <Trans>Transactions to sign: {calls.length}</Trans>
      </summary>
      <ol className="mt-3 flex flex-col gap-4">
        {calls.map(({ what, to, value, data }, index) => (
          <li key={what}>
            <p className="font-semibold">
              {index + 1}. {names[what]}
            </p>
            <p className="figures text-sm wrap-anywhere text-soft">
              <Trans>
                To {to}, value {value}, chain id {chainId}
              </Trans>
            </p>
            <CopyButton text={data} what={t`Copy the data`}>
              <Trans>Copy the data</Trans>
            </CopyButton>
          </li>
        ))}
      </ol>
    </details>
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
            <span className="figures wrap-anywhere">{address}</span>, and all tokens in it. It is looked at
            again now. This can't be taken back.
          </Trans>
        </ConfirmChange>
      ) : null}
    </>
  )
}

/** For a contract that the other one of the two makers made. */
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
