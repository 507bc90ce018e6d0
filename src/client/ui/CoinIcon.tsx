import { cx } from 'class-variance-authority'
import { useState } from 'react'
import { isOnServer } from '../document-facts.ts'

/** The icon is decorative, because the code is always beside it. */
export function CoinIcon({
  code,
  className,
  early = false,
}: {
  code: string
  className?: string
  early?: boolean
}) {
  const [missing, setMissing] = useState(false)
  // Decorative pictures load after the scripts.
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
