import { Trans, useLingui } from '@lingui/react/macro'
import { contactLink } from '../../shared/contact-link.ts'
import { useCampaign } from './queries.ts'

/** The mail names the order. */
export function AskAboutOrder({ number: n }: { number: number }) {
  // Not compiled: smaller than its memo code.
  'use no memo'
  const { t } = useLingui()
  const { contact, name } = useCampaign().data?.settings.seller ?? {}
  if (!contact) return null
  const link = (
    <a href={contactLink(contact, t`Order #${n}`)} className="underline">
      {contact}
    </a>
  )
  return (
    <p className="mt-3 text-sm text-soft">
      <Trans>
        Questions about this order? Write to {name} and name order #{n}: {link}
      </Trans>
    </p>
  )
}
