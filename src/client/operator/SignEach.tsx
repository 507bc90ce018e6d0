import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { SendCall } from '../area/SendCall.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'

interface Call {
  readonly what: string
  readonly to: string
  readonly value: string
  readonly data: string
  /** The account that has to send it, where no other may. */
  readonly from?: string
}

/** The same step for another key or amount is another one. */
const keyOf = ({ to, value, data }: Call) => `${to} ${value} ${data}`

/** Transactions for a wallet of this browser, one after the other, or to be copied for another one. */
export function SignEach({
  calls,
  chainId,
  nameOf,
  onMined,
}: {
  calls: readonly Call[]
  chainId: number
  nameOf: (what: string) => ReactNode
  onMined: () => unknown
}) {
  const { t } = useLingui()
  const [done, setDone] = useState<readonly string[]>([])
  // What the chain no longer asks for is forgotten: the same may be asked for again later.
  const waited = done.filter((key) => calls.some((call) => keyOf(call) === key))
  if (waited.length !== done.length) setDone(waited)
  const next = calls.find((call) => !done.includes(keyOf(call)))
  return (
    <div className="flex flex-col gap-3">
      {next ? (
        <>
          <p className="font-semibold">{nameOf(next.what)}</p>
          <SendCall
            key={keyOf(next)}
            {...(next.from ? { from: next.from } : {})}
            call={{ chainId, to: next.to, value: next.value, data: next.data }}
            onMined={() => {
              setDone((before) => [...before, keyOf(next)])
              onMined()
            }}
          />
        </>
      ) : null}
      <details>
        <summary className="cursor-pointer text-sm text-soft">
          <Trans>Transactions to sign elsewhere: {calls.length}</Trans>
        </summary>
        <ol className="mt-3 flex flex-col gap-4">
          {calls.map(({ what, to, value, data }) => (
            <li key={what}>
              <p className="font-semibold">{nameOf(what)}</p>
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
    </div>
  )
}
