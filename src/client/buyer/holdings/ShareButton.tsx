import { Trans, useLingui } from '@lingui/react/macro'
import { Share2 } from 'lucide-react'
import { buttonLook } from '../../ui/Button.tsx'
import { toast } from '../../ui/Toast.tsx'

/** Renders nothing if the browser has no share dialog; use it with a `CopyButton`. */
export function ShareButton({ url, title }: { url: string; title: string }) {
  const { t } = useLingui()
  if (typeof navigator.share !== 'function') return null
  const copyInstead = async () => {
    try {
      await navigator.clipboard.writeText(url)
      toast.info(t`This device did not share the link. It is copied instead.`)
    } catch {
      toast.error(t`Could not share`, t`Select the text and copy it by hand.`)
    }
  }
  const share = () =>
    navigator.share({ title, url }).catch((error: unknown) => {
      // A closed dialog is not a failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) return copyInstead()
    })
  return (
    <button
      type="button"
      onClick={() => void share()}
      className={buttonLook({ variant: 'secondary', size: 'sm' })}
    >
      <Share2 aria-hidden="true" className="size-4" />
      <Trans>Share</Trans>
    </button>
  )
}
