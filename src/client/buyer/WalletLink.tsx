import { Trans } from '@lingui/react/macro'
import { ExternalLink } from 'lucide-react'
import { buttonLook } from '../ui/Button.tsx'

export function WalletLink({ uri }: { uri: string | null }) {
  if (!uri) return null
  return (
    <a href={uri} className={buttonLook({ variant: 'secondary', size: 'sm' })}>
      <ExternalLink aria-hidden="true" className="size-4" />
      <Trans>Open in a wallet</Trans>
    </a>
  )
}
