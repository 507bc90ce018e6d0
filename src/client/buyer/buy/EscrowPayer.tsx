import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { type AddressProblem, checkAddress } from '../../../shared/addresses.ts'
import type { PublicCurrency } from '../../../shared/api/currencies.ts'
import { networkName } from '../../../shared/networks.ts'
import { useChange } from '../../area/use-change.ts'
import { WalletButtons } from '../../area/WalletButtons.tsx'
import { addressOf, type BrowserWallet, saidNo, wordsOf } from '../../browser-wallet.ts'
import { Field, Input } from '../../ui/Field.tsx'
import { useAddressProblems } from '../address-problems.ts'

/** By a wallet of this browser or typed. */
export function EscrowPayer({
  network,
  payer,
  onPayer,
}: {
  network: PublicCurrency['network']
  payer: string
  /** Called with a valid account, or with an empty string. */
  onPayer: (payer: string) => void
}) {
  const { t } = useLingui()
  const [typed, setTyped] = useState(payer)
  const [problem, setProblem] = useState<AddressProblem | null>(null)
  const [isLeft, setLeft] = useState(false)
  const isTold = problem === 'private_key' || isLeft || typed.length >= 42
  const problems = useAddressProblems(networkName(network))
  const take = (next: string) => {
    const found = next === '' ? null : checkAddress(network, next)
    setTyped(found === 'private_key' ? '' : next)
    setProblem(found)
    onPayer(found ? '' : next)
  }
  const connect = useChange({
    run: async (wallet: BrowserWallet) => {
      const address = await addressOf(wallet)
      if (address) take(address)
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
      <Field label={t`Account that pays`} error={problem && isTold ? problems[problem] : undefined}>
        <Input
          value={typed}
          onChange={(event) => take(event.target.value.trim())}
          onBlur={() => setLeft(true)}
          className="figures text-sm"
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
    </section>
  )
}
