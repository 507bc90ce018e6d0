import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type BrowserWallet, findWallets } from '../browser-wallet.ts'
import { Button } from '../ui/Button.tsx'
import { Skeleton } from '../ui/Spinner.tsx'

export function WalletButtons({
  isPending,
  onChoose,
}: {
  isPending: boolean
  onChoose: (wallet: BrowserWallet) => void
}) {
  const wallets = useQuery({ queryKey: ['browser wallets'], queryFn: findWallets, gcTime: 0 })
  if (!wallets.data) return <Skeleton className="h-12" />
  if (wallets.data.length === 0)
    return (
      <p className="text-soft">
        <Trans>No wallet answers in this browser.</Trans>
      </p>
    )
  return (
    <div className="flex flex-wrap gap-3">
      {wallets.data.map((wallet) => (
        <Button key={wallet.id} loading={isPending} onClick={() => onChoose(wallet)}>
          {wallet.name}
        </Button>
      ))}
    </div>
  )
}
