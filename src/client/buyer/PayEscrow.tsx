import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type OrderCall, orderEscrowRoutes, type SignedQuote } from '../../shared/api/escrows.ts'
import type { BuyerOrder, OrderEscrow } from '../../shared/api/orders.ts'
import { localPath } from '../../shared/languages.ts'
import { call } from '../area/call.ts'
import { Band } from '../area/Page.tsx'
import { keyOf, read } from '../area/reading.ts'
import { SignEach } from '../area/SignEach.tsx'
import { useChange } from '../area/use-change.ts'
import { WalletButtons } from '../area/WalletButtons.tsx'
import { addressOf, type BrowserWallet, saidNo, signData, wordsOf } from '../browser-wallet.ts'
import { errorText, refusalCode } from '../errors.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { CallList } from '../ui/CallList.tsx'
import { Notice } from '../ui/states.tsx'
import { toast } from '../ui/Toast.tsx'
import { EscrowTerms } from './EscrowTerms.tsx'

const LOOK_MS = 15_000

function useCallNames(): Record<OrderCall['what'], string> {
  const { t } = useLingui()
  return {
    'approve-none': t`Take the escrow's older leave back`,
    approve: t`Let the escrow take this amount`,
    pay: t`Pay into the escrow`,
  }
}

/** The server signs the quote, the payer's wallet sends it. */
export function PayEscrow({ order }: { order: BuyerOrder }) {
  const [signed, setSigned] = useState<SignedQuote>()
  const sign = useChange({
    run: () => call(orderEscrowRoutes.sign, { params: { token: order.token } }),
    touches: [],
    done: setSigned,
  })
  // After a reload a paid order is not offered for payment again.
  const said = useEscrowState(order.token).data?.order
  if (said !== undefined && said !== 'none') return <IsPaid />
  if (signed) return <Sending signed={signed} token={order.token} onPermit={setSigned} />
  return (
    <div className="flex flex-col items-start gap-2">
      <Button loading={sign.isPending} onClick={() => sign.mutate()}>
        <Trans>Pay with the wallet</Trans>
      </Button>
      <p className="measure text-sm text-soft">
        <Trans>
          If your wallet has sent it already, wait for the block: the escrow takes this payment once, and a
          second transaction only costs its fee.
        </Trans>
      </p>
    </div>
  )
}

function IsPaid() {
  return (
    <Notice>
      <Trans>The payment is in a block. This page changes once the site has seen it.</Trans>
    </Notice>
  )
}

interface SendingProps {
  signed: SignedQuote
  token: string
  onPermit: (signed: SignedQuote) => void
}

function Sending({ signed, token, onPermit }: SendingProps) {
  const [byTransaction, setByTransaction] = useState(false)
  return signed.permit === null || byTransaction ? (
    <SendCalls signed={signed} />
  ) : (
    <div className="flex flex-col items-start gap-3">
      <SignPermit signed={signed} token={token} onPermit={onPermit} />
      <Button variant="ghost" size="sm" onClick={() => setByTransaction(true)}>
        <Trans>Let it by a transaction instead</Trans>
      </Button>
    </div>
  )
}

/** The payer signs a permit for the amount, which the payment transaction carries. */
function SignPermit({ signed: { chainId, payer, permit }, token, onPermit }: SendingProps) {
  const { t } = useLingui()
  const sign = useChange({
    run: async (wallet: BrowserWallet) => {
      const address = await addressOf(wallet)
      if (!address) return
      if (address.toLowerCase() !== payer.toLowerCase()) {
        toast.error(t`Choose the account ${payer} in your wallet: no other can send this.`)
        return
      }
      const signature = await signData(wallet, address, { chainId, data: permit ?? '' })
      onPermit(await call(orderEscrowRoutes.permit, { params: { token }, body: { signature } }))
    },
    touches: [],
    words: (error) => (refusalCode(error) ? errorText(error) : wordsOf(error)),
    onFail: (error) => (saidNo(error) ? 'told' : undefined),
  })
  return (
    <>
      <p className="font-semibold">
        <Trans>Sign that the escrow may take this amount: it costs no fee</Trans>
      </p>
      <WalletButtons isPending={sign.isPending} onChoose={(wallet) => sign.mutate(wallet)} />
    </>
  )
}

function SendCalls({ signed: { calls, chainId, payer } }: Pick<SendingProps, 'signed'>) {
  const names = useCallNames()
  const client = useQueryClient()
  const nameOf = (what: OrderCall['what']) => names[what]
  return (
    <SignEach
      calls={calls.map((one) => ({ ...one, from: payer }))}
      chainId={chainId}
      nameOf={nameOf}
      onMined={() => client.invalidateQueries({ queryKey: keyOf(orderEscrowRoutes.show) })}
      whenDone={<IsPaid />}
    >
      <CallList
        calls={calls}
        chainId={chainId}
        nameOf={nameOf}
        title={<Trans>Send it with another wallet, as from a Safe</Trans>}
      />
    </SignEach>
  )
}

export function EscrowBand({ order, escrow }: { order: BuyerOrder; escrow: OrderEscrow }) {
  return (
    <Band title={<Trans>Escrow</Trans>}>
      <div className="measure flex flex-col gap-3">
        <EscrowState order={order} escrow={escrow} />
        <EscrowTerms escrow={escrow} />
      </div>
    </Band>
  )
}

const useEscrowState = (token: string) =>
  useQuery({
    ...read(orderEscrowRoutes.show, { params: { token } }),
    refetchInterval: LOOK_MS,
    retry: false,
  })

function EscrowState({ order, escrow }: { order: BuyerOrder; escrow: OrderEscrow }) {
  const state = useEscrowState(order.token)
  if (!state.data)
    return state.isError ? (
      <p className="text-sm text-soft">
        <Trans>The network does not answer just now, so the escrow's state can't be shown.</Trans>
      </p>
    ) : null
  const { order: said, round, height } = state.data
  return (
    <p className="font-semibold" role="status">
      <Said said={said} round={round} payer={escrow.payer} />{' '}
      <span className="font-normal text-soft">
        <Trans>Block {height}</Trans>
      </span>
    </p>
  )
}

function Said({ said, round, payer }: { said: string; round: string; payer: string }) {
  const { i18n } = useLingui()
  if (said === 'none') return <Trans>The escrow has no payment for this order.</Trans>
  if (said === 'refunded') return <Trans>Refunded: the escrow has sent the money back.</Trans>
  const link = `${localPath(i18n.locale, paths.claim)}?address=${payer}`
  if (said === 'cancelled' || round === 'refunding')
    return (
      <Trans>
        Cancelled or overdue: the money lies in the escrow for you. Anybody can have it sent:{' '}
        <a href={link} className="underline">
          send it back
        </a>
      </Trans>
    )
  if (round === 'delivered')
    return (
      <Trans>
        Delivered: the tokens are yours along their schedule.{' '}
        <a href={link} className="underline">
          Claim them
        </a>
      </Trans>
    )
  return <Trans>Escrowed: the money lies in the contract until the tokens are delivered.</Trans>
}
