import { Trans } from '@lingui/react/macro'
import { Check, Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { useCopy } from '../ui/CopyButton.tsx'

export function AddressCard({ address, label }: { address: string; label: ReactNode }) {
  const [copied, copy] = useCopy(address)
  if (!address)
    return (
      <p className="py-4">
        <Trans>Address not specified</Trans>
      </p>
    )
  return (
    <button type="button" onClick={copy} className="group w-full min-w-0 rounded-md py-3 text-left">
      <span className="text-sm text-soft">{label}</span>
      <span className="mt-1 flex items-center justify-between gap-3">
        <span className="figures min-w-0 break-all group-hover:underline">{address}</span>
        {copied ? (
          <Check aria-hidden="true" className="size-4 shrink-0 text-success" />
        ) : (
          <Copy aria-hidden="true" className="size-4 shrink-0 text-soft" />
        )}
      </span>
      <span role="status" className="sr-only">
        {copied ? <Trans>Copied</Trans> : null}
      </span>
    </button>
  )
}
