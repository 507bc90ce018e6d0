import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type RateSource, type RateSourceList, rateSourceRoutes } from '../../../shared/api/rate-sources.ts'
import { ConfirmChange } from '../../area/ConfirmChange.tsx'
import { call } from '../../area/call.ts'
import { type Column, DataTable } from '../../area/DataTable.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { Band } from '../../area/Page.tsx'
import { RowActions, RowButton } from '../../area/RowActions.tsx'
import { read, refreshMs } from '../../area/reading.ts'
import { Button } from '../../ui/Button.tsx'
import { RelativeTime } from '../../ui/numbers.tsx'
import { Status } from '../../ui/Status.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useRefusal } from '../session.ts'
import { touched } from '../touched.ts'
import { AskedSource, NameSource } from './NameSource.tsx'
import { SourcePrice, useSourceProblem } from './source-words.tsx'

type Doing = { what: 'ask' | 'name' | 'remove' | 'leave-out'; source: RateSource } | { what: 'add' }

export function RateSources() {
  const { t } = useLingui()
  const [doing, setDoing] = useState<Doing>()
  const query = useQuery({ ...read(rateSourceRoutes.list), refetchInterval: refreshMs })
  const columns = useColumns(setDoing)
  const refusal = useRefusal()('currencies:write')
  const onClose = () => setDoing(undefined)
  return (
    <Band
      title={t`Rate sources`}
      action={
        <Button
          size="sm"
          variant="secondary"
          disabledReason={refusal}
          onClick={() => setDoing({ what: 'add' })}
        >
          <Trans>Add a rate source</Trans>
        </Button>
      }
    >
      <Loaded query={query}>
        {(list) => (
          <>
            <Lead list={list} />
            <DataTable
              caption={t`Rate sources`}
              rows={list.items}
              keyOf={({ name }) => name}
              columns={columns}
            />
          </>
        )}
      </Loaded>
      {doing?.what === 'add' ? <NameSource onClose={onClose} /> : null}
      {doing?.what === 'name' ? <NameSource present={doing.source} onClose={onClose} /> : null}
      {doing?.what === 'ask' ? <AskedSource name={doing.source.name} onClose={onClose} /> : null}
      {doing?.what === 'remove' ? <RemoveSource source={doing.source} onClose={onClose} /> : null}
      {doing?.what === 'leave-out' ? <LeaveOut source={doing.source} onClose={onClose} /> : null}
    </Band>
  )
}

function Lead({ list: { readAt, followed, refreshAsks } }: { list: RateSourceList }) {
  return (
    <div className="measure mb-4 flex flex-col gap-2 text-sm text-soft">
      <p>
        <Trans>
          A rate is the median of the sources that agree within 2 %, at least two of them. Rates that are
          absent, not positive or older than five minutes do not count, and one source alone moves no rate.
        </Trans>
      </p>
      <p>
        {followed.length > 0 ? (
          <Trans>They are asked every minute for {followed.join(', ')}.</Trans>
        ) : (
          <Trans>No currency follows them: they are asked only when somebody presses a button.</Trans>
        )}{' '}
        {readAt ? (
          <Trans>
            Last read <RelativeTime value={readAt} />.
          </Trans>
        ) : null}
      </p>
      <p>
        {refreshAsks ? (
          <Trans>
            Update Crypto Rates asks {refreshAsks} alone, because the environment of the server names it.
          </Trans>
        ) : (
          <Trans>Update Crypto Rates asks all of them, and changes no rate on which they do not agree.</Trans>
        )}
      </p>
    </div>
  )
}

function useColumns(onDo: (doing: Doing) => void): Column<RateSource>[] {
  const { t } = useLingui()
  const refusal = useRefusal()('currencies:write')
  return [
    {
      label: t`Rate source`,
      unlabelled: true,
      className: 'max-sm:justify-start! max-sm:pb-2!',
      cell: (source) => <SourceName source={source} />,
    },
    { label: t`Named by`, cell: (source) => <Origin source={source} /> },
    { label: t`State`, cell: (source) => <SourceState source={source} /> },
    { label: t`Last said`, cell: (source) => <Said source={source} /> },
    {
      label: t`Actions`,
      actions: true,
      cell: (source) => (
        <RowActions>
          {source.silence ? null : (
            <RowButton
              aria-label={t`Ask ${source.name}`}
              disabledReason={refusal}
              onClick={() => onDo({ what: 'ask', source })}
            >
              <Trans>Ask…</Trans>
            </RowButton>
          )}
          {source.source === 'page' ? (
            <>
              <RowButton
                aria-label={t`Replace ${source.name}`}
                disabledReason={refusal}
                onClick={() => onDo({ what: 'name', source })}
              >
                <Trans>Replace…</Trans>
              </RowButton>
              <RowButton
                aria-label={t`Remove ${source.name}`}
                disabledReason={refusal}
                onClick={() => onDo({ what: 'remove', source })}
              >
                <Trans>Remove…</Trans>
              </RowButton>
            </>
          ) : null}
          {source.source === 'program' ? (
            <RowButton disabledReason={refusal} onClick={() => onDo({ what: 'leave-out', source })}>
              {source.silence ? <Trans>Ask it again…</Trans> : <Trans>Leave out…</Trans>}
            </RowButton>
          ) : null}
        </RowActions>
      ),
    },
  ]
}

const kindNames = { coingecko: 'CoinGecko', kraken: 'Kraken', coinbase: 'Coinbase', chainlink: 'Chainlink' }

function SourceName({ source: { id, kind, host } }: { source: RateSource }) {
  return (
    <span>
      <strong className={id === null ? undefined : 'figures wrap-anywhere'}>
        {id === null ? kindNames[kind] : host}
      </strong>
      <span className="block text-xs text-soft wrap-anywhere">
        {id === null ? (host ?? '') : <Trans>answers as {kindNames[kind]}</Trans>}
      </span>
    </span>
  )
}

function Origin({ source: { source, setBy, setAt } }: { source: RateSource }) {
  if (source === 'environment') return <Trans>the environment of the server</Trans>
  if (source === 'chain') return <Trans>the followed node of Ethereum</Trans>
  if (source === 'program') return <Trans>the program</Trans>
  return (
    <>
      {setBy} {setAt ? <RelativeTime value={setAt} className="block text-xs text-soft" /> : null}
    </>
  )
}

function SourceState({ source: { silence, said, source, setBy } }: { source: RateSource }) {
  const { t } = useLingui()
  const notAsked = t({ message: 'not asked', context: 'of a source of rates' })
  if (silence === 'left_out')
    return (
      <>
        <Status>{notAsked}</Status>
        <span className="block text-xs text-soft">
          {source === 'environment' ? t`set in the environment` : t`left out by ${setBy ?? '—'}`}
        </span>
      </>
    )
  if (silence === 'same_voice')
    return (
      <>
        <Status tone="danger">{notAsked}</Status>
        <span className="block text-xs text-soft">{t`Another source answers below the same domain.`}</span>
      </>
    )
  if (silence === 'sealed')
    return (
      <>
        <Status tone="danger">{notAsked}</Status>
        <span className="block text-xs text-soft">
          {t`Its address can't be opened with the present key: name it again.`}
        </span>
      </>
    )
  if (said.length === 0) return <Status>{t`not asked yet`}</Status>
  if (said.some(({ used }) => used)) return <Status tone="success">{t`counts`}</Status>
  return <Status tone="danger">{t`counts for nothing`}</Status>
}

function Said({ source: { said } }: { source: RateSource }) {
  const problemText = useSourceProblem()
  if (said.length === 0) return <>—</>
  return (
    <ul className="text-xs">
      {said.map(({ code, priceUsd, at, used, problem }) => (
        <li key={code}>
          <strong>{code}</strong> {priceUsd === null ? null : <SourcePrice value={priceUsd} />}
          {priceUsd !== null && at ? (
            <span className="text-soft">
              {' · '}
              <RelativeTime value={at} mayLieAhead />
            </span>
          ) : null}
          {used ? null : (
            <span className="text-soft wrap-anywhere">
              {priceUsd === null ? ' ' : ' · '}
              {problemText(problem)}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

function RemoveSource({ source: { id, name }, onClose }: { source: RateSource; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <ConfirmChange
      title={t`Remove ${name}?`}
      confirm={t`Remove`}
      run={() => call(rateSourceRoutes.remove, { params: { id: id ?? 0 } })}
      touches={touched.rateSources}
      done={() => toast.success(t`The rate source was removed.`)}
      onClose={onClose}
    >
      <Trans>
        With fewer than two sources that agree, a currency that follows them can't be bought once its rate is
        too old.
      </Trans>
    </ConfirmChange>
  )
}

function LeaveOut({ source: { kind, silence }, onClose }: { source: RateSource; onClose: () => void }) {
  const { t } = useLingui()
  const name = kindNames[kind]
  const leftOut = silence === null
  return (
    <ConfirmChange
      title={leftOut ? t`Leave ${name} out?` : t`Ask ${name} again?`}
      confirm={leftOut ? t`Leave out` : t`Ask again`}
      run={async () =>
        kind === 'chainlink'
          ? undefined
          : call(rateSourceRoutes.leaveOut, { params: { name: kind }, body: { leftOut } })
      }
      touches={touched.rateSources}
      done={() =>
        toast.success(
          leftOut ? t`${name} is no longer asked.` : t`${name} is asked from the next reading on.`,
        )
      }
      onClose={onClose}
    >
      {leftOut ? (
        <Trans>
          With fewer than two sources that agree, a currency that follows them can't be bought once its rate
          is too old.
        </Trans>
      ) : (
        <Trans>Its rate counts again once another source agrees with it.</Trans>
      )}
    </ConfirmChange>
  )
}
