import { useLingui } from '@lingui/react/macro'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '../ui/Button.tsx'

/** The pressed button keeps the focus. */
export function MoveButtons({
  title,
  place,
  last,
  loading = false,
  onMove,
}: {
  title: string
  place: number
  last: number
  loading?: boolean
  onMove: (to: number) => void
}) {
  const { t } = useLingui()
  const buttons = useRef<HTMLSpanElement>(null)
  const pressed = useRef<'up' | 'down'>(undefined)
  // oxlint-disable-next-line react/exhaustive-deps -- the effect follows the place
  useEffect(() => {
    buttons.current?.querySelector<HTMLElement>(`[data-way="${pressed.current}"]`)?.focus()
    pressed.current = undefined
  }, [place])
  const move = (way: 'up' | 'down') => {
    pressed.current = way
    onMove(way === 'up' ? place - 1 : place + 1)
  }
  return (
    <span ref={buttons} className="flex gap-1">
      <Button
        variant="ghost"
        size="icon-sm"
        data-way="up"
        aria-label={t`Move “${title}” up`}
        loading={loading}
        disabledReason={place === 0 ? t`It is the first.` : undefined}
        onClick={() => move('up')}
      >
        <ArrowUp aria-hidden="true" className="size-4" />
      </Button>
      <Button
        variant="ghost"
        size="icon-sm"
        data-way="down"
        aria-label={t`Move “${title}” down`}
        loading={loading}
        disabledReason={place === last ? t`It is the last.` : undefined}
        onClick={() => move('down')}
      >
        <ArrowDown aria-hidden="true" className="size-4" />
      </Button>
    </span>
  )
}
