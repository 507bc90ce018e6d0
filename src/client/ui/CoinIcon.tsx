import { cx } from 'class-variance-authority'
import { useState } from 'react'
import { isOnServer } from '../document-facts.ts'

/** The coin's own icon, or the neutral coin where there is none. Decorative: its code always stands beside it. */
export function CoinIcon({
  code,
  className,
  early = false,
}: {
  code: string
  className?: string
  /** One of the few that the page begins with: the browser fetches it before the scripts. */
  early?: boolean
}) {
  const [missing, setMissing] = useState(false)
  // Pictures that only adorn come behind the scripts.
  if (isOnServer && !early) return <span className={cx('inline-block shrink-0', className ?? 'size-8')} />
  return (
    <img
      src={missing ? '/coin.svg' : `/crypto/${encodeURIComponent(code.toLowerCase())}.svg`}
      onError={() => setMissing(true)}
      alt=""
      width={32}
      height={32}
      loading="lazy"
      decoding="async"
      fetchPriority="low"
      className={cx('shrink-0', className ?? 'size-8')}
    />
  )
}
