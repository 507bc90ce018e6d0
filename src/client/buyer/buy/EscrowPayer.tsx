import { Trans, useLingui } from '@lingui/react/macro'
import { useChange } from '../../area/use-change.ts'
import { WalletButtons } from '../../area/WalletButtons.tsx'
import { addressOf, type BrowserWallet, saidNo, wordsOf } from '../../browser-wallet.ts'
import { Field, Input } from '../../ui/Field.tsx'

/** Asks for the account that pays into the escrow: a wallet of this browser names it, or it is typed. */
export function EscrowPayer({ payer, onPayer }: { payer: string; onPayer: (payer: string) => void }) {
  const { t } = useLingui()
  const connect = useChange({
    run: async (wallet: BrowserWallet) => {
      const address = await addressOf(wallet)
      if (address) onPayer(address)
    },
    touches: [],
    words: wordsOf,
    onFail: (error) => (saidNo(error) ? 'told' : undefined),
  })
  return (
    <section className="mt-4 flex flex-col gap-3 border-t border-line pt-4">
      <p className="text-sm text-soft">
        <Trans>
          This currency is paid into an escrow. Connect the wallet that will pay: its account alone can, and
          it gets the tokens, or the money back. An account of an exchange can't make this payment.
        </Trans>
      </p>
      <WalletButtons isPending={connect.isPending} onChoose={(wallet) => connect.mutate(wallet)} />
      <Field label={t`Account that pays`} hint={t`0x and 40 letters and figures.`}>
        <Input
          value={payer}
          onChange={(event) => onPayer(event.target.value.trim())}
          className="figures text-sm"
          autoComplete="off"
          spellCheck={false}
          maxLength={42}
        />
      </Field>
    </section>
  )
}
