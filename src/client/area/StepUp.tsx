import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { AccessRoutes } from './access-routes.ts'
import { setProve } from './call.ts'

/** Who is asked for a proof has time for its script. */
const StepUpDialog = lazy(async () => ({ default: (await import('./StepUpDialog.tsx')).StepUpDialog }))

/** Asks for the password or the second factor when the server wants fresh proof; mounted once in the shell. */
export function StepUp({ routes }: { routes: AccessRoutes }) {
  const [open, setOpen] = useState(false)
  const [wasOpened, setWasOpened] = useState(false)
  const answer = useRef<((proved: boolean) => void) | undefined>(undefined)

  useEffect(() => {
    setProve(
      () =>
        new Promise((resolve) => {
          answer.current?.(false)
          answer.current = resolve
          setOpen(true)
          setWasOpened(true)
        }),
    )
    return () => setProve(async () => false)
  }, [])

  const close = (proved: boolean) => {
    setOpen(false)
    answer.current?.(proved)
    answer.current = undefined
  }
  return wasOpened ? (
    <Suspense fallback={null}>
      <StepUpDialog routes={routes} open={open} onClose={close} />
    </Suspense>
  ) : null
}
