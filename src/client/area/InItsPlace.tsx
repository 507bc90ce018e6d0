import type { ReactNode } from 'react'

const takeFocus = (element: HTMLElement | null) => element?.focus()

/** What comes where the button that was pressed goes: `isAnswer` gives it the focus, so that it is read out and Tab goes on from there. */
export function InItsPlace({ isAnswer, children }: { isAnswer: boolean; children: ReactNode }) {
  return (
    <div tabIndex={-1} ref={isAnswer ? takeFocus : undefined}>
      {children}
    </div>
  )
}
