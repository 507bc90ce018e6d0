import type { ReactNode } from 'react'

const takeFocus = (element: HTMLElement | null) => element?.focus()

/** Replaces a pressed button. `isAnswer` focuses it for screen readers and Tab. */
export function InItsPlace({ isAnswer, children }: { isAnswer: boolean; children: ReactNode }) {
  return (
    <div tabIndex={-1} ref={isAnswer ? takeFocus : undefined}>
      {children}
    </div>
  )
}
