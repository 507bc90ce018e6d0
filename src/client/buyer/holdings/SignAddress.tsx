import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { type DeliveryAddress, deliveryRoutes } from '../../../shared/api/delivery.ts'
import type { ReplyOf } from '../../../shared/api/route.ts'
import { networkName } from '../../../shared/networks.ts'
import { call } from '../../area/call.ts'
import { TextField } from '../../area/TextField.tsx'
import { useChange } from '../../area/use-change.ts'
import { useForm } from '../../area/use-form.ts'
import { WalletButtons } from '../../area/WalletButtons.tsx'
import { addressOf, type BrowserWallet, saidNo, signText } from '../../browser-wallet.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { toast } from '../../ui/Toast.tsx'
import { touched } from '../touched.ts'

type SigningText = ReplyOf<typeof deliveryRoutes.challenge>
interface Props {
  chain: NonNullable<DeliveryAddress['chain']>
  onDone: () => void
}

/** Proves an address: signed by a wallet of this browser, or elsewhere and pasted. */
export function SignAddress({ chain, onDone }: Props) {
  const [elsewhere, setElsewhere] = useState(false)
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      {elsewhere ? (
        <SignElsewhere chain={chain} onDone={onDone} />
      ) : (
        <>
          <BrowserWallets onDone={onDone} />
          <div>
            <Button variant="ghost" size="sm" onClick={() => setElsewhere(true)}>
              <Trans>Sign in another wallet and paste the signature</Trans>
            </Button>
          </div>
        </>
      )}
    </div>
  )
}

function BrowserWallets({ onDone }: Pick<Props, 'onDone'>) {
  const { t } = useLingui()
  const sign = useChange({
    run: async (wallet: BrowserWallet) => {
      const address = await addressOf(wallet)
      if (!address) return
      const { nonce, message } = await call(deliveryRoutes.challenge, { body: { address } })
      const signature = await signText(wallet, address, message)
      await call(deliveryRoutes.prove, { body: { nonce, signature } })
      toast.success(t`The address is proved`)
      onDone()
    },
    touches: touched.deliveryAddress,
    onFail: (error) => (saidNo(error) ? 'told' : undefined),
  })
  return <WalletButtons isPending={sign.isPending} onChoose={(wallet) => sign.mutate(wallet)} />
}

function SignElsewhere({ chain, onDone }: Props) {
  const [text, setText] = useState<SigningText>()
  const name = networkName(chain.network)
  const form = useForm({
    initial: { address: '' },
    send: ({ address }: { address: string }) => call(deliveryRoutes.challenge, { body: { address } }),
    touches: [],
    done: setText,
    atField: 'address',
  })
  if (text) return <PasteSignature text={text} onDone={onDone} />
  return (
    <form {...form.formProps} className="flex flex-col items-start gap-4">
      <TextField
        form={form}
        name="address"
        label={<Trans>Your address on {name}</Trans>}
        fieldClassName="w-full"
        className="figures text-sm"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
      />
      <Button type="submit" loading={form.isPending}>
        <Trans>Show the text to sign</Trans>
      </Button>
    </form>
  )
}

function PasteSignature({ text: { nonce, message }, onDone }: Pick<Props, 'onDone'> & { text: SigningText }) {
  const { t } = useLingui()
  const form = useForm({
    initial: { signature: '' },
    send: ({ signature }: { signature: string }) =>
      call(deliveryRoutes.prove, { body: { nonce, signature: signature.trim() } }),
    touches: touched.deliveryAddress,
    done: () => {
      toast.success(t`The address is proved`)
      onDone()
    },
    atField: 'signature',
  })
  return (
    <form {...form.formProps} className="flex flex-col items-start gap-4">
      <pre className="figures max-w-full border border-line bg-sunk p-4 text-sm whitespace-pre-wrap wrap-anywhere">
        {message}
      </pre>
      <CopyButton text={message} what={t`Copy the text`}>
        <Trans>Copy the text</Trans>
      </CopyButton>
      <TextField
        form={form}
        name="signature"
        label={<Trans>Signature</Trans>}
        fieldClassName="w-full"
        className="figures text-sm"
        autoComplete="off"
        spellCheck={false}
      />
      <Button type="submit" loading={form.isPending}>
        <Trans>Prove the address</Trans>
      </Button>
    </form>
  )
}
