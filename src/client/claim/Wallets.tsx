import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import {
  type BrowserWallet,
  feeByAny,
  feeText,
  findWallets,
  saidNo,
  type WalletCall,
  wordsOf,
} from '../browser-wallet.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/states.tsx'
import { useTask } from './use-task.ts'

export function Wallets({
  label,
  isRunning,
  isMain = false,
  call,
  onlyFrom,
  onChoose,
}: {
  label: ReactNode
  isRunning: boolean
  isMain?: boolean
  /** The call to estimate, and the only account that may send it. */
  call?: WalletCall
  onlyFrom?: string | undefined
  onChoose: (wallet: BrowserWallet) => void
}) {
  const [wallets, setWallets] = useState<readonly BrowserWallet[]>()
  const { i18n } = useLingui()
  const [fee, setFee] = useState<string>()
  const search = useTask(async () => {
    const found = await findWallets()
    setWallets(found)
    setFee(call && (await feeByAny(found, call, onlyFrom)))
  })
  return (
    <div className="flex flex-col items-start gap-3">
      <Button
        variant={isMain ? 'primary' : 'secondary'}
        className="h-auto! min-h-11 max-w-full py-3 leading-tight! whitespace-normal!"
        loading={search.isRunning || isRunning}
        onClick={() => search.run()}
      >
        {label}
      </Button>
      {wallets?.length === 0 ? (
        <p role="status" className="text-sm text-soft">
          <Trans>
            No wallet answers in this browser. For a file on a disk, extensions need leave: “Allow access to
            file URLs” in the browser’s settings of the extension.
          </Trans>
        </p>
      ) : null}
      {fee ? (
        <p className="text-sm text-soft">
          <Trans>The network’s fee is about {feeText(fee, i18n.locale)} of its own coin now.</Trans>
        </p>
      ) : null}
      <div className="flex flex-wrap gap-3 empty:hidden">
        {wallets?.map((wallet) => (
          <Button key={wallet.id} loading={isRunning} onClick={() => onChoose(wallet)}>
            {wallet.name}
          </Button>
        ))}
      </div>
    </div>
  )
}

/** Renders nothing if the owner declined. */
export function FaultOfWallet({ fault }: { fault: unknown }) {
  if (fault === undefined || saidNo(fault)) return null
  return <Notice tone="danger">{wordsOf(fault)}</Notice>
}
