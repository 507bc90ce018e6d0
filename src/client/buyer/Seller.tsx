import { Trans, useLingui } from '@lingui/react/macro'
import { localPath } from '../../shared/languages.ts'
import { contactLink } from '../contact-link.ts'
import { paths } from '../paths.ts'
import { useCampaign } from './queries.ts'

/** The seller's contact; an e-mail address is a link whose subject is `about`. */
function Contact({ contact, about }: { contact: string; about?: string }) {
  const href = contactLink(contact, about)
  return href ? (
    <a href={href} className="wrap-anywhere underline underline-offset-4 hover:no-underline">
      {contact}
    </a>
  ) : (
    contact
  )
}

/** Whom a buyer asks about an order: the mail names the order. */
export function AskAboutOrder({ number: n }: { number: number }) {
  const { t } = useLingui()
  const seller = useCampaign().data?.settings.seller
  if (!seller?.contact) return null
  const contact = <Contact contact={seller.contact} about={t`Order #${n}`} />
  return (
    <p className="mt-3 text-sm text-soft">
      <Trans>
        Questions about this order? Write to {seller.name} and name order #{n}: {contact}
      </Trans>
    </p>
  )
}

/** The foot of every page of the buyer's area: the seller, their contact and what they publish. */
export function SellerFoot() {
  const { i18n, t } = useLingui()
  const seller = useCampaign().data?.settings.seller
  const links = [
    { path: paths.terms, text: t`Terms` },
    { path: paths.risks, text: t`Risks` },
    { path: paths.updates, text: t`Updates` },
  ]
  return (
    <div className="flex flex-wrap gap-x-5 gap-y-1">
      {seller?.name ? (
        <span>
          <Trans>Sold by {seller.name}.</Trans>
        </span>
      ) : null}
      {seller?.contact ? <Contact contact={seller.contact} /> : null}
      {links.map(({ path, text }) => (
        <a key={path} href={localPath(i18n.locale, path)} className="hover:underline">
          {text}
        </a>
      ))}
    </div>
  )
}
