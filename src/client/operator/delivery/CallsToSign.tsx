import { Trans } from '@lingui/react/macro'
import { type ComponentProps, lazy, type ReactNode, Suspense, useState } from 'react'
import type { SignEach as Signing } from '../../area/SignEach.tsx'
import { saveFile } from '../../area/save-file.ts'
import { Button } from '../../ui/Button.tsx'
import { CallList } from '../../ui/CallList.tsx'
import { Skeleton } from '../../ui/Spinner.tsx'

const SignEach = lazy(() => import('../../area/SignEach.tsx').then((part) => ({ default: part.SignEach })))

interface ToSign extends Omit<ComponentProps<typeof Signing>, 'whenDone' | 'children'> {
  readonly name: string
  readonly lead: ReactNode
}

export function CallsToSign({ name, lead, ...signing }: ToSign) {
  const { calls, chainId, nameOf } = signing
  const [signs, setSigns] = useState(false)
  return (
    <div className="flex flex-col gap-3">
      <p className="measure text-soft">{lead}</p>
      <div className="flex flex-wrap gap-2">
        {signs ? null : (
          <Button size="sm" onClick={() => setSigns(true)}>
            <Trans>Sign with a wallet of this browser</Trans>
          </Button>
        )}
        <Button size="sm" variant="secondary" onClick={() => saveCalls(name, signing)}>
          <Trans>Download for a Safe or a hardware wallet</Trans>
        </Button>
      </div>
      {signs ? (
        <Suspense fallback={<Skeleton className="h-12" />}>
          <SignEach
            {...signing}
            whenDone={
              <p role="status" className="text-soft">
                <Trans>All is signed and mined. The server looks at the chain again.</Trans>
              </p>
            }
          />
        </Suspense>
      ) : null}
      <CallList
        calls={calls}
        chainId={chainId}
        nameOf={nameOf}
        title={<Trans>Transactions to sign: {calls.length}</Trans>}
      />
    </div>
  )
}

/** Writes the format of Safe's Transaction Builder. */
function saveCalls(name: string, { chainId, calls }: Pick<ToSign, 'chainId' | 'calls'>) {
  const file = {
    version: '1.0',
    chainId: String(chainId),
    createdAt: Date.now(),
    meta: { name, description: calls.map(({ what }) => what).join(', ') },
    transactions: calls.map(({ to, value, data }) => ({ to, value, data })),
  }
  const fileName = `${name.toLowerCase().replaceAll(' ', '-')}-transactions.json`
  saveFile(fileName, 'application/json', JSON.stringify(file, null, 2))
}
