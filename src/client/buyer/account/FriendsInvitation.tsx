import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { REFERRAL_COOKIE, referralRules } from '../../../shared/referral.ts'
import { InItsPlace } from '../../area/InItsPlace.tsx'
import { documentFacts } from '../../document-facts.ts'
import { Percent } from '../../ui/numbers.tsx'
import { Notice } from '../../ui/states.tsx'
import { useCampaign } from '../queries.ts'

export function FriendsInvitation() {
  const terms = useCampaign().data?.settings.referral
  const [link, setLink] = useState(documentFacts().isInvited ? 'here' : 'none')
  if (!terms || link === 'none') return null
  const forget = () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the other way to remove a cookie is not in every browser yet
    document.cookie = `${REFERRAL_COOKIE}=; Max-Age=0; Path=/`
    setLink('forgotten')
  }
  if (link === 'forgotten')
    return (
      <InItsPlace isAnswer>
        <Trans>The link is forgotten: your orders count for nobody.</Trans>
      </InItsPlace>
    )
  return (
    <Notice tone="neutral">
      <p className="font-semibold">
        <Trans>You came by a friend's link</Trans>
      </p>
      <p>
        <Trans>
          The person who gave it to you gets <Percent value={terms.percent} /> of the base tokens of your
          orders, out of the share for bonuses and grants. It is credited once an order is final, or{' '}
          {referralRules.handDays} days after an approval by hand. You pay the same and get the same as
          everybody. They learn that an order counted, never who you are.
        </Trans>
      </p>
      <button type="button" className="mt-2 underline underline-offset-4" onClick={forget}>
        <Trans>Sign up without the link</Trans>
      </button>
    </Notice>
  )
}
