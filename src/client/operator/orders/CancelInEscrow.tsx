import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { orderEscrowRoutes } from '../../../shared/api/escrows.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { Band, Fact, Facts } from '../../area/Page.tsx'
import { read } from '../../area/reading.ts'
import { CallList } from '../../ui/CallList.tsx'
import { Skeleton } from '../../ui/Spinner.tsx'

const SignEach = lazy(() => import('../../area/SignEach.tsx').then((part) => ({ default: part.SignEach })))

export function CancelInEscrow({ id }: { id: number }) {
  const { t } = useLingui()
  const query = useQuery({ ...read(orderEscrowRoutes.cancelling, { params: { id } }), retry: false })
  const states = { none: t`not paid there`, paid: t`paid`, cancelled: t`cancelled`, refunded: t`refunded` }
  const nameOf = () => t`Cancel the order in the escrow`
  return (
    <Band title={t`Escrow`}>
      <Loaded query={query}>
        {({ contract, order, seller, payer, call, chainId, height }) => (
          <>
            <Facts>
              <Fact label={t`Contract`}>
                <span className="figures wrap-anywhere">{contract}</span>
              </Fact>
              <Fact label={<Trans>Its answer in block {height}</Trans>}>{states[order]}</Fact>
              <Fact label={t`Account that pays`}>
                <span className="figures wrap-anywhere">{payer}</span>
              </Fact>
            </Facts>
            {call ? (
              <div className="mt-4 flex flex-col gap-3">
                <p className="measure text-soft">
                  <Trans>
                    To reject this order its seller ({seller}) cancels it in the contract: the payer has the
                    money back, and the tokens are taken back here once a block as deep as the payment's shows
                    it.
                  </Trans>
                </p>
                <Suspense fallback={<Skeleton className="h-12" />}>
                  <SignEach calls={[call]} chainId={chainId} nameOf={nameOf} onMined={query.refetch} />
                </Suspense>
                <CallList
                  calls={[call]}
                  chainId={chainId}
                  nameOf={nameOf}
                  title={<Trans>Sign it with another wallet</Trans>}
                />
              </div>
            ) : null}
          </>
        )}
      </Loaded>
    </Band>
  )
}
