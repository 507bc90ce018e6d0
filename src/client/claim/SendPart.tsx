import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { BrowserWallet } from '../browser-wallet.ts'
import { sendAndWait } from '../send-and-wait.ts'
import { CallElsewhere } from '../ui/CallElsewhere.tsx'
import { QrPicture } from '../ui/QrPicture.tsx'
import { Notice } from '../ui/states.tsx'
import { useTask } from './use-task.ts'
import { FaultOfWallet, Wallets } from './Wallets.tsx'

interface Sending {
  readonly call: { readonly chainId: number; readonly to: string; readonly data: string }
  readonly label: ReactNode
  readonly elsewhere: ReactNode
  readonly lead: ReactNode
  /** The only account that may send it. Left out: anybody. */
  readonly onlyFrom?: string
  readonly onMined: () => void
}

type Sent = { hash: string; isUndone: boolean } | { wrong: string }

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
      <CallElsewhere call={call} title={elsewhere} picture={QrPicture}>
        {lead}
      </CallElsewhere>
    </>
  )
}
