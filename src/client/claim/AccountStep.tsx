import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { checkAddress } from '../../shared/addresses.ts'
import { addressOf, type BrowserWallet } from '../browser-wallet.ts'
import { Field, Input } from '../ui/Field.tsx'
import { Step } from './parts.tsx'
import { useTask } from './use-task.ts'
import { FaultOfWallet, Wallets } from './Wallets.tsx'

/** True for a valid address, with its checksum if it has one. */
export const isAddress = (account: string) => account !== '' && checkAddress('ethereum', account) === null

export function AccountStep({
  account,
  label,
  onChange,
  children,
}: {
  account: string
  label: ReactNode
  onChange: (account: string) => void
  children?: ReactNode
}) {
  const { t } = useLingui()
  const take = useTask(async (wallet: BrowserWallet) => {
    const own = await addressOf(wallet)
    if (own) onChange(own)
  })
  const problem = account === '' ? null : checkAddress('ethereum', account)
  return (
    <Step number={2} title={<Trans>Address</Trans>}>
      <Field
        label={label}
        error={
          problem === 'private_key'
            ? t`This looks like a private key. It is never needed here. Move its coins to a new wallet.`
            : problem
              ? t`This is no address: it has to be 0x and 40 digits or letters from a to f, without a mistake in them.`
              : undefined
        }
      >
        <Input
          value={account}
          onChange={({ target }) => onChange(target.value)}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          className="figures text-sm"
        />
      </Field>
      <Wallets
        label={<Trans>Take the address from a wallet</Trans>}
        isRunning={take.isRunning}
        onChoose={take.run}
      />
      <FaultOfWallet fault={take.fault} />
      {children}
    </Step>
  )
}
