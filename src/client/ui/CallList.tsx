import type { ReactNode } from 'react'
import { type Call, CopyData, Recipient } from './call-data.tsx'

/** Lists the transactions in sending order. */
export function CallList<What extends string>({
  calls,
  chainId,
  nameOf,
  title,
}: {
  calls: readonly (Omit<Call, 'chainId'> & { what: What })[]
  chainId: number
  nameOf: (what: What) => ReactNode
  title: ReactNode
}) {
  return (
    <details>
      <summary className="cursor-pointer text-sm text-soft">{title}</summary>
      <ol className="mt-3 flex flex-col gap-4">
        {calls.map(({ what, ...call }, index) => (
          <li key={what}>
            <p className="font-semibold">
              {index + 1}. {nameOf(what)}
            </p>
            <p className="figures text-sm wrap-anywhere text-soft">
              <Recipient call={{ chainId, ...call }} />
            </p>
            <CopyData data={call.data} />
          </li>
        ))}
      </ol>
    </details>
  )
}
