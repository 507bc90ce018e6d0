import { useLingui } from '@lingui/react/macro'
import { Link } from 'react-router'
import { referralRoutes } from '../../../shared/api/referral.ts'
import type { ReferralRefusal } from '../../../shared/referral.ts'
import { List, useList } from '../../area/List.tsx'
import { Page } from '../../area/Page.tsx'
import { DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { OrderLink } from '../OrderLink.tsx'
import { paths } from '../paths.ts'
import { useSymbol } from '../queries.ts'

export function ReferralsPage() {
  const { t } = useLingui()
  const symbol = useSymbol()
  const why = useRefusalNames()
  const list = useList(referralRoutes.decisions, { limit: 20 })
  return (
    <Page
      title={t`Friends' orders`}
      lead={t`The orders of referred buyers that are final, and the reward for each. The terms are a setting of the campaign.`}
    >
      <List
        list={list}
        empty={t`No order of a friend is final yet.`}
        caption={t`Friends' orders`}
        keyOf={({ orderId, at }) => `${orderId} ${at}`}
        columns={[
          { label: t`Order`, cell: ({ orderId }) => <OrderLink id={orderId} strong /> },
          { label: t`Bought by`, cell: ({ friendId, friend }) => <User id={friendId} reference={friend} /> },
          {
            label: t`Brought by`,
            cell: ({ referrerId, referrer }) => <User id={referrerId} reference={referrer} />,
          },
          {
            label: t`Credited`,
            numeric: true,
            cell: ({ tokens }) => (tokens === null ? '—' : <TokenAmount value={tokens} unit={symbol} />),
          },
          {
            label: t`Explanation`,
            cell: ({ refusal, reversedAt, isKept }) =>
              refusal
                ? reversedAt
                  ? t`taken back: ${why[refusal]}`
                  : why[refusal]
                : reversedAt
                  ? t`taken back with the order`
                  : isKept
                    ? t`the order was taken back; the tokens were in a round's list already`
                    : '',
          },
          { label: t`Decided`, cell: ({ at }) => <DateTime value={at} /> },
        ]}
      />
    </Page>
  )
}

function User({ id, reference }: { id: number; reference: string }) {
  return (
    <Link className="figures underline underline-offset-2" to={paths.user(id)}>
      {reference}
    </Link>
  )
}

function useRefusalNames(): Record<ReferralRefusal, string> {
  const { t } = useLingui()
  return {
    account_gone: t`an account was deleted`,
    same_mailbox: t`both accounts are of one mailbox`,
    same_device: t`both signed in with one browser`,
    same_address: t`both named one address for tokens or refunds`,
    ring: t`the friend is one person with who brought the referrer`,
    country_excluded: t`a country without rewards`,
    taken_over: t`somebody else had registered the friend’s address`,
    country_unknown: t`the friend named no country, and some are without rewards`,
    limit_reached: t`a limit was reached`,
    supply_reached: t`the share for bonuses and grants was used up`,
  }
}
