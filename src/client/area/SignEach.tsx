import { type ReactNode, useState } from 'react'
import { SendCall } from './SendCall.tsx'

interface Call<What extends string> {
  readonly what: What
  readonly to: string
  readonly value: string
  readonly data: string
  /** The only account that may send the call. */
  readonly from?: string
}

const keyOf = ({ to, value, data }: Call<string>) => `${to} ${value} ${data}`

/** Signs in turn: each call must be mined before the wallet can estimate the next. */
export function SignEach<What extends string>({
  calls,
  chainId,
  nameOf,
  onMined,
  whenDone = null,
  children,
}: {
  calls: readonly Call<What>[]
  chainId: number
  nameOf: (what: What) => ReactNode
  onMined?: () => unknown
  whenDone?: ReactNode
  children?: ReactNode
}) {
  const [done, setDone] = useState<readonly string[]>([])
  // Forget a step that the chain no longer needs; it may be needed again later.
  const waited = done.filter((key) => calls.some((call) => keyOf(call) === key))
  if (waited.length !== done.length) setDone(waited)
  const next = calls.find((call) => !done.includes(keyOf(call)))
  if (!next) return whenDone
  return (
    <div className="flex flex-col gap-3">
      <p className="font-semibold">{nameOf(next.what)}</p>
      <SendCall
        key={keyOf(next)}
        {...(next.from ? { from: next.from } : {})}
        call={{ chainId, to: next.to, value: next.value, data: next.data }}
        onMined={() => {
          setDone((before) => [...before, keyOf(next)])
          onMined?.()
        }}
      />
      {children}
    </div>
  )
}
