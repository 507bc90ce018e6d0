import type { ReactNode } from 'react'

const takeFocus = (element: HTMLElement | null) => element?.focus()

/**
 * Replaces a pressed button. `isAnswer` moves the focus to it, so that a screen reader reads it and Tab
 * continues from there.
 */
export function InItsPlace({ isAnswer, children }: { isAnswer: boolean; children: ReactNode }) {
  return (
    <div tabIndex={-1} ref={isAnswer ? takeFocus : undefined}>
      {children}
    </div>
  )
}
