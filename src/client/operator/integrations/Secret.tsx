import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'

/** Something that is shown once. */
export function Secret({ title, text, onClose }: { title: string; text: string; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      dismissible={false}
      title={title}
      description={t`It is shown only now. Keep it where secrets are kept.`}
      footer={
        <>
          <CopyButton text={text} what={t`Copy`}>
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
