import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { FollowStep } from '../../shared/public-pages.ts'
import { usePath } from './frame.tsx'

/** Works without scripts. */
export function FollowForm() {
  const path = usePath()
  return (
    <form action={path('/updates/follow')} method="post" className="mt-6 max-w-sm">
      <label htmlFor="follow-email" className="text-sm font-semibold">
        <Trans>Get them by mail</Trans>
      </label>
      <div className="mt-1 flex gap-2">
        <input
          id="follow-email"
          name="email"
          type="email"
          required
          maxLength={254}
          autoComplete="email"
          aria-describedby="follow-note"
          className="min-h-11 w-full min-w-0 flex-1 border border-line-strong bg-raised px-3"
        />
        <button type="submit" className="press">
          <Trans>Follow</Trans>
        </button>
      </div>
      <p id="follow-note" className="mt-2 text-sm text-soft">
        <Trans>
          At most one mail for each announcement, once you confirm by a link. Each mail has a way out, and the
          address serves nothing else.
        </Trans>
      </p>
    </form>
  )
}

export function FollowPage({ step }: { step: FollowStep }) {
  const path = usePath()
  return (
    <div className="wrap max-w-3xl py-12 lg:py-20">
      <StepText step={step} />
      <p className="mt-8">
        <a href={path('/updates')} className="under text-sm">
          <Trans>All announcements</Trans>
        </a>
      </p>
    </div>
  )
}

function StepText({ step }: { step: FollowStep }) {
  const path = usePath()
  switch (step.is) {
    case 'asked':
      return (
        <Said title={<Trans>Look into your mail</Trans>}>
          <Trans>
            If this address does not follow yet, a mail with a link is on its way to it. You get no other mail
            before you confirm by that link.
          </Trans>
        </Said>
      )
    case 'confirm':
      return (
        <Said title={<Trans>Get announcements by mail?</Trans>}>
          <Trans>At most one mail for each announcement. Each has a way out.</Trans>
          <Press action={path(`/updates/follow/${step.key}`)}>
            <Trans>Yes, send them</Trans>
          </Press>
        </Said>
      )
    case 'confirmed':
      return (
        <Said title={<Trans>You follow the announcements</Trans>}>
          <Trans>The next one comes by mail, a few minutes after it stands here.</Trans>
        </Said>
      )
    case 'leave':
      return (
        <Said title={<Trans>No more mails?</Trans>}>
          <Trans>The address is forgotten at once.</Trans>
          <Press action={path(`/updates/leave/${step.key}`)}>
            <Trans>Stop the mails</Trans>
          </Press>
        </Said>
      )
    case 'left':
      return (
        <Said title={<Trans>You get no more mails</Trans>}>
          <Trans>The address that this link belonged to is forgotten here.</Trans>
        </Said>
      )
    case 'expired':
      return (
        <Said title={<Trans>This link has run out</Trans>}>
          <Trans>
            It serves for seven days, and only the newest one of an address. Ask for another on the page of
            the announcements.
          </Trans>
        </Said>
      )
    default:
      return <Said title={<Trans>That was not taken</Trans>}>{step.sentence}</Said>
  }
}

function Said({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <>
      <h1 className="display text-title">{title}</h1>
      <div className="mt-4 text-lg">{children}</div>
    </>
  )
}

function Press({ action, children }: { action: string; children: ReactNode }) {
  return (
    <form action={action} method="post" className="mt-6">
      <button type="submit" name="List-Unsubscribe" value="One-Click" className="press press-hot">
        {children}
      </button>
    </form>
  )
}
