import { Trans, useLingui } from '@lingui/react/macro'
import { cx } from 'class-variance-authority'
import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { buttonLook } from './Button.tsx'
import { toast } from './Toast.tsx'

/** `copied` stays true for 2 s. */
export function useCopy(text: string): [copied: boolean, copy: () => void] {
  const { t } = useLingui()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => {
    const failed = () => toast.error(t`Could not copy`, t`Select the text and copy it by hand.`)
    // Missing on plain http except on localhost.
    if (!navigator.clipboard) return failed()
    navigator.clipboard.writeText(text).then(() => setCopied(true), failed)
  }
  return [copied, copy]
}

/** `what` names the content for screen readers ("Copy address"). */
export function CopyButton({
  text,
  what,
  children,
  className,
}: {
  text: string
  what: string
  children?: ReactNode
  className?: string
}) {
  const [copied, copy] = useCopy(text)
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={children ? undefined : what}
      className={cx(buttonLook({ variant: 'ghost', size: children ? 'sm' : 'icon-sm' }), className)}
    >
      {copied ? <Check className="size-4 text-success" /> : <Copy className="size-4" />}
      {children}
      <span role="status" className="sr-only">
        {copied ? <Trans>Copied</Trans> : null}
      </span>
    </button>
  )
}
