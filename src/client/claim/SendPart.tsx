import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { BrowserWallet } from '../browser-wallet.ts'
import { sendAndWait } from '../send-and-wait.ts'
import { CopyButton } from '../ui/CopyButton.tsx'
import { QR_CHARACTERS_MAX } from '../ui/QrCode.tsx'
import { QrPicture } from '../ui/QrPicture.tsx'
import { Notice } from '../ui/states.tsx'
import { useTask } from './use-task.ts'
import { FaultOfWallet, Wallets } from './Wallets.tsx'

interface Sending {
  readonly call: { readonly chainId: number; readonly to: string; readonly data: string }
  readonly label: ReactNode
  /** The same for wallets that are not in this browser. */
  readonly elsewhere: ReactNode
  readonly lead: ReactNode
  /** The one account that can send it; left out: anybody. */
  readonly onlyFrom?: string
  readonly onMined: () => void
}

type Sent = { hash: string; isUndone: boolean } | { wrong: string }

/** A transaction that a wallet of this browser sends, or that is taken elsewhere as text or a code. */
export function SendPart({ call, label, elsewhere, lead, onlyFrom, onMined }: Sending) {
  const [sent, setSent] = useState<Sent>()
  const send = useTask(async (wallet: BrowserWallet) => {
    setSent(undefined)
    const { hash, isOther, isDone } = await sendAndWait(wallet, call, onlyFrom, (known) =>
      setSent({ hash: known, isUndone: false }),
    )
    if (isOther) return setSent({ wrong: onlyFrom ?? '' })
    if (!hash) return
    setSent(isDone ? undefined : { hash, isUndone: true })
    onMined()
  })
  return (
    <>
      <Wallets
        isMain
        label={label}
        call={call}
        onlyFrom={onlyFrom}
        isRunning={send.isRunning}
        onChoose={send.run}
      />
      {sent && 'wrong' in sent ? (
        <Notice tone="danger">
          <Trans>Only the account that paid can send this: {sent.wrong}</Trans>
        </Notice>
      ) : null}
      {sent && 'hash' in sent ? (
        <p role="status" className="text-sm wrap-anywhere">
          {sent.isUndone ? (
            <Trans>The transaction was mined and did nothing: {sent.hash}</Trans>
          ) : (
            <Trans>Sent, and waits for a block: {sent.hash}</Trans>
          )}
        </p>
      ) : null}
      <FaultOfWallet fault={send.fault} />
      <Elsewhere call={call} title={elsewhere} lead={lead} />
    </>
  )
}

/** The call for wallets that are not in this browser. */
function Elsewhere({
  call: { to, data, chainId },
  title,
  lead,
}: Pick<Sending, 'call' | 'lead'> & { title: ReactNode }) {
  const { t } = useLingui()
  return (
    <details>
      <summary className="cursor-pointer text-sm">{title}</summary>
      <p className="mt-3 text-sm text-soft">{lead}</p>
      <p className="figures mt-3 text-sm wrap-anywhere">
        <Trans>
          To {to}, value 0, chain id {chainId}
        </Trans>
      </p>
      <pre className="figures my-3 max-h-40 overflow-auto border border-line bg-sunk p-3 text-xs whitespace-pre-wrap wrap-anywhere">
        {data}
      </pre>
      <div className="flex flex-wrap items-start gap-4">
        <CopyButton text={data} what={t`Copy the data`}>
          <Trans>Copy the data</Trans>
        </CopyButton>
        {data.length > QR_CHARACTERS_MAX ? null : (
          <QrPicture text={data} title={t`The data of the transaction`} size={220} />
        )}
      </div>
    </details>
  )
}
