import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from 'react-router'
import type { PublicCurrency } from '../../../shared/api/currencies.ts'
import { useTitle } from '../../area/document-title.ts'
import { Band, PageHead } from '../../area/Page.tsx'
import { paths } from '../../paths.ts'
import { buttonLook } from '../../ui/Button.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/Spinner.tsx'
import { Status } from '../../ui/Status.tsx'
import { ErrorState, Notice } from '../../ui/states.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { useCampaign, useCurrencies } from '../queries.ts'

interface ExchangeNetwork {
  name: string
  looksLike: string
  takes: (currency: PublicCurrency) => boolean
}

/** Networks by the names that exchanges give them. An address of BTC may be of either shape. */
const exchangeNetworks: readonly ExchangeNetwork[] = [
  { name: 'BEP2', looksLike: 'bnb1…', takes: () => false },
  { name: 'BEP20', looksLike: '0x…', takes: (currency) => currency.network === 'bsc' },
  { name: 'ERC20', looksLike: '0x…', takes: (currency) => currency.network === 'ethereum' },
  { name: 'TRC20', looksLike: 'T…', takes: (currency) => currency.network === 'tron' },
  { name: 'BTC', looksLike: '1…, 3…', takes: (currency) => currency.network === 'bitcoin' },
  { name: 'BTC SegWit', looksLike: 'bc1…', takes: (currency) => currency.network === 'bitcoin' },
]

/** Paying from an exchange: which networks this sale takes now, and how not to lose the money. */
export function ExchangeGuide() {
  const { t } = useLingui()
  useTitle()
  const currencies = useCurrencies()
  const video = useCampaign().data?.settings.exchangeVideoUrl
  return (
    <>
      <PageHead
        title={<Trans>Paying from an exchange</Trans>}
        lead={
          <Trans>
            An exchange asks on which network to send. Choose the one that the order names, and no other.
          </Trans>
        }
      />
      <Notice tone="danger">
        <strong>
          <Trans>A payment on the wrong network is lost.</Trans>
        </strong>{' '}
        <Trans>Nobody here can bring it back, and the exchange usually can't either.</Trans>
      </Notice>
      <Band title={<Trans>Networks</Trans>} className="mt-6 border-t-0!">
        {currencies.data ? (
          <Table caption={t`Networks and whether this sale accepts them now`} stack>
            <THead>
              <Th>{t`Network`}</Th>
              <Th>{t`An address looks like`}</Th>
              <Th>{t`Accepted for`}</Th>
              <Th>{t`This sale`}</Th>
            </THead>
            <TBody>
              {exchangeNetworks.map((network) => {
                const accepted = currencies.data.filter(
                  (currency) => !currency.unavailable && network.takes(currency),
                )
                return (
                  <Tr key={network.name}>
                    <Td label={t`Network`} className="font-semibold">
                      {network.name}
                    </Td>
                    <Td label={t`An address looks like`} className="figures">
                      {network.looksLike}
                    </Td>
                    <Td label={t`Accepted for`}>
                      {accepted.map((currency) => currency.code).join(', ') || '—'}
                    </Td>
                    <Td label={t`This sale`}>
                      {accepted.length > 0 ? (
                        <Status tone="success">
                          <Trans>accepted now</Trans>
                        </Status>
                      ) : (
                        <Status tone="danger">
                          <Trans>not accepted</Trans>
                        </Status>
                      )}
                    </Td>
                  </Tr>
                )
              })}
            </TBody>
          </Table>
        ) : currencies.isError ? (
          <ErrorState
            title={<Trans>Failed to load data</Trans>}
            onRetry={() => void currencies.refetch()}
            retrying={currencies.isFetching}
          />
        ) : (
          <SkeletonGroup>
            <Skeleton className="h-64" />
          </SkeletonGroup>
        )}
      </Band>
      <Band title={<Trans>Before you send</Trans>}>
        <ul className="measure list-disc space-y-2 pl-6">
          <li>
            <Trans>
              The exchange takes its fee off what you enter. What arrives must be the exact amount of the
              order.
            </Trans>
          </li>
          <li>
            <Trans>Copy the address, paste it, and compare the first and the last characters.</Trans>
          </li>
          <li>
            <Trans>
              An exchange may hold a withdrawal for a check. The rate of the order does not wait for it.
            </Trans>
          </li>
          <li>
            <Trans>For a first payment send a small order. It costs one more fee and one worry less.</Trans>
          </li>
          <li>
            <Trans>
              A refund can go back only to an address that is yours, not to an exchange's shared wallet.
            </Trans>
          </li>
        </ul>
        <p className="mt-4">
          <Link to={paths.howToBuy} className="underline underline-offset-4">
            <Trans>Back to how to buy</Trans>
          </Link>
        </p>
      </Band>
      {video ? <Video url={video} /> : null}
    </>
  )
}

/** A link and no frame: nothing of another host loads here, before the click or after it. */
function Video({ url }: { url: string }) {
  const host = new URL(url).host
  return (
    <Band title={<Trans>Video</Trans>}>
      <div className="flex flex-wrap items-center gap-4">
        <a href={url} target="_blank" rel="noreferrer" className={buttonLook({ variant: 'secondary' })}>
          <Trans>Play the video</Trans>
        </a>
        <p className="text-sm text-soft">
          <Trans>It opens at {host}, which then learns that you watch it.</Trans>
        </p>
      </div>
    </Band>
  )
}
