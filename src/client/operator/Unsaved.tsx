import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useBlocker } from 'react-router'
import { hasUnsaved, losesUnsaved } from '../area/unsaved.ts'
import { buttonLook } from '../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../ui/Dialog.tsx'
import { setSessionOver } from './leave.ts'
import { paths } from './paths.ts'

/** Asks before the page is left; keeps the page if the session ends. */
export function Unsaved() {
  return (
    <>
      <Leaving />
      <SessionOver />
    </>
  )
}

function Leaving() {
  const { t } = useLingui()
  const blocker = useBlocker(({ currentLocation, nextLocation }) =>
    losesUnsaved(currentLocation, nextLocation),
  )
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (hasUnsaved()) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title={t`Leave without saving?`}
      danger
      confirm={t`Leave`}
      cancel={t`Stay`}
      onConfirm={() => blocker.proceed?.()}
    >
      <Trans>Your changes here are not saved.</Trans>
    </ConfirmDialog>
  )
}

/** The form stays; a login opens in a new tab. */
function SessionOver() {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  useEffect(() => setSessionOver(() => setOpen(true)), [])
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      size="sm"
      title={t`Your session has ended`}
      footer={
        <a
          href={`${paths.refused}&next=${encodeURIComponent(paths.account)}`}
          target="_blank"
          rel="noopener"
          className={buttonLook()}
          onClick={() => setOpen(false)}
        >
          <Trans>Log in in another tab</Trans>
        </a>
      }
    >
      <Trans>
        Your changes were not saved; they are still in the form. Log in in another tab, come back, and save it
        again.
      </Trans>
    </Dialog>
  )
}
