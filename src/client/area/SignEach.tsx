import { type ReactNode, useState } from 'react'
import { SendCall } from './SendCall.tsx'

interface Call<What extends string> {
  readonly what: What
  readonly to: string
  readonly value: string
  readonly data: string
  /** The account that has to send it, where no other may. */
  readonly from?: string
}

/** The same step for another key or amount is another one. */
const keyOf = ({ to, value, data }: Call<string>) => `${to} ${value} ${data}`

/** A wallet of this browser signs one transaction after the other; each has to be mined before the wallet can judge the next. */
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
  /** Shown once all are mined. */
  whenDone?: ReactNode
  /** Shown below what is to be signed. */
  children?: ReactNode
}) {
  const [done, setDone] = useState<readonly string[]>([])
  // What the chain no longer asks for is forgotten: the same may be asked for again later.
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
