import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Dialog } from '../ui/Dialog.tsx'

export function ShownOnce({
  title,
  description,
  text,
  what,
  onClose,
}: {
  title: string
  /** Left out: says that the secret is shown only now. */
  description?: string
  text: string
  /** Names the copied thing. Left out: `Copy`. */
  what?: string
  onClose: () => void
}) {
  const { t } = useLingui()
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      dismissible={false}
      title={title}
      description={description ?? t`It is shown only now. Keep it where secrets are kept.`}
      footer={
        <>
          <CopyButton text={text} what={what ?? t`Copy`}>
            <Trans>Copy</Trans>
          </CopyButton>
          <Button onClick={onClose}>
            <Trans>Done</Trans>
          </Button>
        </>
      }
    >
      <p className="figures wrap-anywhere select-all">{text}</p>
    </Dialog>
  )
}
