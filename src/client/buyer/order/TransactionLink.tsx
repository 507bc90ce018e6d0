import { useLingui } from '@lingui/react/macro'
import { CopyButton } from '../../ui/CopyButton.tsx'

/** Linked to the explorer if the chain has one, else to copy. */
export function TransactionLink({
  id,
  url,
  short = false,
}: {
  id: string
  url: string | null
  short?: boolean
}) {
  const { t } = useLingui()
  // A payment seen only as a balance has no transaction of its own.
  const shown = short && id.length > 24 ? `${id.slice(0, 10)}…${id.slice(-6)}` : id
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      {url ? (
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          title={id}
          className="figures min-w-0 break-all underline underline-offset-4"
        >
          {shown}
        </a>
      ) : (
        <span title={id} className="figures min-w-0 break-all">
          {shown}
        </span>
      )}
      {short ? <CopyButton text={id} what={t`Copy the transaction id`} className="shrink-0" /> : null}
    </span>
  )
}
