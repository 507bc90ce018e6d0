import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { WalletCall } from '../../browser-wallet.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { QR_CHARACTERS_MAX, QrCode } from '../../ui/QrCode.tsx'

/** A transaction for wallets that are not in this browser. */
export function CallElsewhere({
  call: { to, data, chainId },
  title,
  children,
}: {
  call: WalletCall
  title: ReactNode
  children: ReactNode
}) {
  const { t } = useLingui()
  return (
    <details className="w-full">
      <summary className="cursor-pointer text-sm text-soft">{title}</summary>
      <p className="measure mt-3 text-sm text-soft">{children}</p>
      <p className="figures mt-3 text-sm wrap-anywhere">
        <Trans>
          To {to}, value 0, chain id {chainId}
        </Trans>
      </p>
      <pre className="figures my-3 max-h-40 overflow-auto border border-line bg-sunk p-3 text-xs whitespace-pre-wrap wrap-anywhere">
        {data}
      </pre>
      <div className="flex flex-wrap items-start gap-4">
        <CopyButton text={data} what={t`Copy the data`}>
          <Trans>Copy the data</Trans>
        </CopyButton>
        {data.length > QR_CHARACTERS_MAX ? null : (
          <QrCode text={data} title={t`The data of the claim`} size={220} />
        )}
      </div>
    </details>
  )
}
