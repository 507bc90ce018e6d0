import { useLingui } from '@lingui/react/macro'
import type { ComponentType, ReactNode } from 'react'
import { type Call, CopyData, Recipient } from './call-data.tsx'
import { QR_CHARACTERS_MAX } from './QrCode.tsx'

export function CallElsewhere({
  call,
  title,
  picture: Picture,
  children,
}: {
  call: Call
  title: ReactNode
  /** `QrCode`, or `QrPicture` in a single-file page. */
  picture: ComponentType<{ text: string; title: string; size: number }>
  children: ReactNode
}) {
  const { t } = useLingui()
  const { data } = call
  return (
    <details className="w-full">
      <summary className="cursor-pointer text-sm text-soft">{title}</summary>
      <p className="measure mt-3 text-sm text-soft">{children}</p>
      <p className="figures mt-3 text-sm wrap-anywhere">
        <Recipient call={call} />
      </p>
      <pre className="figures my-3 max-h-40 overflow-auto border border-line bg-sunk p-3 text-xs whitespace-pre-wrap wrap-anywhere">
        {data}
      </pre>
      <div className="flex flex-wrap items-start gap-4">
        <CopyData data={data} />
        {data.length > QR_CHARACTERS_MAX ? null : (
          <Picture text={data} title={t`The data of the transaction`} size={220} />
        )}
      </div>
    </details>
  )
}
