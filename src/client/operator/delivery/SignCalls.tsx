import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { RoundDistributor, UnsignedCall } from '../../../shared/api/rounds.ts'
import { SendCall } from '../../area/SendCall.tsx'
import { useCallNames } from './call-names.ts'

/** Has a wallet of this browser sign one transaction after the other; each has to be mined before the wallet can judge the next. */
export function SignCalls({
  shown: { calls, chainId },
  look,
}: {
  shown: RoundDistributor
  look: () => unknown
}) {
  const names = useCallNames()
  const [done, setDone] = useState<readonly UnsignedCall['what'][]>([])
  const next = calls.find(({ what }) => !done.includes(what))
  if (!next)
    return (
      <p role="status" className="text-soft">
        <Trans>All is signed and mined. The server looks at the chain again.</Trans>
      </p>
    )
  const mined = () => {
    setDone((before) => [...before, next.what])
    look()
  }
  return (
    <div className="flex flex-col gap-2">
      <p className="font-semibold">{names[next.what]}</p>
      <SendCall key={next.what} call={{ chainId, ...next }} onMined={mined} />
    </div>
  )
}
