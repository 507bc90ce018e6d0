import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { AccessRoutes } from './access-routes.ts'
import { type Asked, setProve, type WholeProof } from './call.ts'

const StepUpDialog = lazy(async () => ({ default: (await import('./StepUpDialog.tsx')).StepUpDialog }))

/** Mounted once in the shell. */
export function StepUp({ routes }: { routes: AccessRoutes }) {
  const [open, setOpen] = useState(false)
  const [asked, setAsked] = useState<Asked>()
  const answer = useRef<((proved: WholeProof | boolean) => void) | undefined>(undefined)

  useEffect(() => {
    setProve(
      (next) =>
        new Promise((resolve) => {
          answer.current?.(false)
          answer.current = resolve
          setOpen(true)
          setAsked(next)
        }),
    )
    return () => setProve(async () => false)
  }, [])

  const close = (proved: WholeProof | boolean) => {
    setOpen(false)
    answer.current?.(proved)
    answer.current = undefined
  }
  return asked ? (
    <Suspense fallback={null}>
      <StepUpDialog routes={routes} asked={asked} open={open} onClose={close} />
    </Suspense>
  ) : null
}
