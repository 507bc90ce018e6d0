import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import {
  type BrowserWallet,
  feeByAny,
  feeText,
  findWallets,
  saidNo,
  type WalletCall,
  wordsOf,
} from '../browser-wallet.ts'
import { sendAndWait } from '../send-and-wait.ts'
import { toast } from '../ui/Toast.tsx'
import { useChange } from './use-change.ts'
import { WalletButtons } from './WalletButtons.tsx'

/** Shows the progress until the call is mined. */
export function SendCall({
  call,
  from: wanted,
  onSent,
  onMined,
}: {
  call: WalletCall
  from?: string
  /** Called before the transaction is mined. */
  onSent?: (hash: string) => void
  onMined: () => void
}) {
  const { t } = useLingui()
  const [hash, setHash] = useState<string>()
  const leaving = useRef(new AbortController())
  useEffect(() => {
    leaving.current = new AbortController()
    return () => leaving.current.abort()
  }, [])
  const send = useChange({
    run: async (wallet: BrowserWallet) => {
      const { signal } = leaving.current
      const tell = (sentAs: string) => {
        setHash(sentAs)
        onSent?.(sentAs)
      }
      const { hash: sent, isOther, isDone } = await sendAndWait(wallet, call, wanted, tell, signal)
      if (signal.aborted) return
      setHash(undefined)
      if (isDone) onMined()
      else if (isOther) toast.error(t`Choose the account ${wanted} in your wallet: no other can send this.`)
      else if (sent) toast.error(t`The transaction was mined and did nothing: ${sent}`)
    },
    touches: [],
    words: wordsOf,
    onFail: (error) => (saidNo(error) ? 'told' : undefined),
  })
  // A double click arrives before the button shows that it is pending.
  const isSending = useRef(false)
  const choose = (wallet: BrowserWallet) => {
    if (isSending.current) return
    isSending.current = true
    send.mutate(wallet, {
      onSettled: () => {
        isSending.current = false
      },
    })
  }
  return (
    <div className="flex flex-col gap-2">
      <Fee call={call} from={wanted} />
      <WalletButtons isPending={send.isPending} onChoose={choose} />
      {hash ? (
        <p role="status" className="text-sm text-soft">
          <Trans>
            Sent, and waits for a block: <span className="figures wrap-anywhere">{hash}</span>
          </Trans>
        </p>
      ) : null}
    </div>
  )
}

/** The estimated network fee, before a wallet is opened. */
function Fee({ call, from }: { call: WalletCall; from: string | undefined }) {
  const { i18n } = useLingui()
  const { chainId, to, data, value } = call
  const fee = useQuery({
    queryKey: ['fee of a call', chainId, to, data, value, from],
    queryFn: async () => (await feeByAny(await findWallets(), call, from)) ?? null,
    gcTime: 0,
    retry: false,
  })
  if (fee.isPending) return null
  return (
    <p className="text-sm text-soft">
      {fee.data ? (
        <Trans>The network’s fee is about {feeText(fee.data, i18n.locale)} of its own coin now.</Trans>
      ) : (
        <Trans>Your wallet shows the network’s fee before you sign.</Trans>
      )}
    </p>
  )
}
