import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import type { z } from 'zod'
import type { operatorCampaign } from '../../shared/api/campaign-schemas.ts'
import type { Name } from '../../shared/languages.ts'
import type { Right } from '../../shared/roles.ts'
import { LocalText } from '../area/LocalText.tsx'
import { DateTime } from '../ui/numbers.tsx'
import { settingName } from '../ui/setting-names.ts'
import { paths } from './paths.ts'
import { campaignQuery } from './queries.ts'
import { ReviewAndOpen } from './ReviewAndOpen.tsx'
import { useRefusal } from './session.ts'

type Campaign = z.output<typeof operatorCampaign>

interface Step {
  paths: readonly string[]
  place: string
  right: Right
  words: string
  hint: ReactNode
}

const legal = (kind: string) => `${paths.content}?tab=legal&text=${kind}`

function useSteps(): Step[] {
  const { t } = useLingui()
  return [
    {
      paths: ['name'],
      place: `${paths.campaign}#name`,
      right: 'campaign:write',
      words: t`Name the token`,
      hint: t`Its name and symbol stand on every page.`,
    },
    {
      paths: ['seller.name', 'seller.contact'],
      place: `${paths.campaign}#seller`,
      right: 'campaign:write',
      words: t`Say who sells`,
      hint: t`A name and a contact, shown to everybody.`,
    },
    {
      paths: ['delivery.network', 'delivery.date'],
      place: `${paths.campaign}#delivery`,
      right: 'campaign:write',
      words: t`Publish the delivery plan`,
      hint: t`A network, and a date or a vesting plan.`,
    },
    {
      paths: ['priceUsd'],
      place: paths.price,
      right: 'currencies:write',
      words: t`Set the price`,
      hint: t`Dollars for one token.`,
    },
    {
      paths: ['stages'],
      place: `${paths.campaign}#stages`,
      right: 'campaign:write',
      words: t({ message: 'Add a stage', context: 'step of the set-up' }),
      hint: t`A goal, a start and an end: orders are taken in between.`,
    },
    {
      paths: ['currencies'],
      place: `${paths.currencies}#add-currency`,
      right: 'currencies:write',
      words: t({ message: 'Add a currency', context: 'step of the set-up' }),
      hint: t`The currencies that buyers pay with, and the addresses that they pay to.`,
    },
    {
      paths: ['legal.terms'],
      place: legal('terms'),
      right: 'content:write',
      words: t`Publish the terms`,
      hint: t`There is a draft to begin with.`,
    },
    {
      paths: ['legal.risks'],
      place: legal('risks'),
      right: 'content:write',
      words: t`Publish the risk notice`,
      hint: t`There is a draft to begin with.`,
    },
    {
      paths: ['legal.privacy'],
      place: legal('privacy'),
      right: 'content:write',
      words: t`Publish the privacy policy`,
      hint: t`Buyers agree to it when they register. A draft is there to begin with.`,
    },
  ]
}

/** The list disappears once all steps are done and an order was approved. */
export function SetUp() {
  const { t } = useLingui()
  const { data: campaign } = useQuery(campaignQuery)
  const steps = useSteps()
  if (!campaign) return null
  const open = [...campaign.missing, ...campaign.advised]
  if (open.length === 0 && campaign.locked) return null
  const done = steps.filter((step) => !step.paths.some((path) => open.includes(path))).length
  return (
    <section aria-label={t`Set-up`} className="mb-6 border-l-4 border-now bg-now-soft px-4 py-3 text-sm">
      <h2 className="text-base font-semibold">
        {campaign.missing.length > 0 ? (
          <Trans>
            Set up the sale: {done} of {steps.length} steps done
          </Trans>
        ) : (
          <Trans>The sale has everything it needs</Trans>
        )}
      </h2>
      {campaign.missing.length === 0 ? <Ready campaign={campaign} /> : null}
      {campaign.missing.length === 0 && campaign.pausedAt && !campaign.locked ? (
        <div className="mt-3">
          <ReviewAndOpen campaign={campaign} />
        </div>
      ) : null}
      {open.length > 0 ? (
        <ol className="mt-2 grid gap-x-6 gap-y-2 lg:grid-cols-2">
          {steps.map((step) => (
            <StepLine key={step.paths[0]} step={step} campaign={campaign} />
          ))}
        </ol>
      ) : null}
      {campaign.locked ? null : (
        <p className="mt-3 text-soft">
          <Trans>
            Supply, caps, shares and levels have values to begin with. Read{' '}
            <Link className="underline" to={`${paths.campaign}#hardCapUsd`}>
              them all
            </Link>{' '}
            before you sell: from the first order on they change only in the buyers' favour.
          </Trans>
        </p>
      )}
    </section>
  )
}

export function NextStep() {
  const { t } = useLingui()
  const { pathname, search } = useLocation()
  const { data: campaign } = useQuery(campaignQuery)
  const steps = useSteps()
  if (!campaign || campaign.locked) return null
  const open = steps.filter((step) =>
    step.paths.some((path) => campaign.missing.includes(path) || campaign.advised.includes(path)),
  )
  const [next] = open
  const done = steps.length - open.length
  // Don't suggest another step while this page is the open one.
  if (!next || done === 0 || open.some(({ place }) => place === pathname + search)) return null
  return (
    <p className="mb-6 border-l-4 border-now bg-now-soft px-4 py-3 text-sm">
      <Trans>
        Set up the sale: {done} of {steps.length} steps done
      </Trans>
      {'. '}
      {t({ message: 'Next:', context: 'step of the set-up' })}{' '}
      <Link className="font-semibold underline underline-offset-2" to={next.place}>
        {next.words}
      </Link>
    </p>
  )
}

function StepLine({ step, campaign }: { step: Step; campaign: Campaign }) {
  const { t, i18n } = useLingui()
  const refusal = useRefusal()(step.right)
  const isMissing = (settings: readonly string[]) => step.paths.some((path) => settings.includes(path))
  const isNeeded = isMissing(campaign.missing)
  const isAdvised = isMissing(campaign.advised)
  const Icon = isNeeded ? CircleAlert : isAdvised ? CircleDashed : CircleCheck
  const state = isNeeded ? t`needed` : isAdvised ? t`advised` : t`done`
  const missing = step.paths.filter((path) => campaign.missing.includes(path))
  // If all of them are missing, the hint already says so.
  const left = missing.length < step.paths.length ? missing : []
  return (
    <li className="flex gap-2">
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0">
        <p>
          <Link className="font-semibold underline underline-offset-2" to={step.place}>
            {step.words}
          </Link>{' '}
          <span className="text-soft">({state})</span>
        </p>
        {isNeeded || isAdvised ? (
          <p className="text-soft">
            {step.hint}{' '}
            {left.length > 0 ? (
              <Trans>Missing: {left.map((path) => settingName(i18n, path)).join(', ')}.</Trans>
            ) : null}{' '}
            {refusal}
          </p>
        ) : null}
      </div>
    </li>
  )
}

function Ready({ campaign }: { campaign: Campaign }) {
  const stage =
    campaign.stages.find(({ state }) => state === 'open') ??
    campaign.stages.find(({ state }) => state === 'upcoming')
  const shown = (name: Name) => <LocalText text={name} />
  return (
    <p className="mt-1">
      {campaign.pausedAt ? (
        campaign.locked ? (
          <Trans>The sale is paused.</Trans>
        ) : (
          <Trans>The sale is not open: no order is taken until you open it.</Trans>
        )
      ) : stage?.state === 'open' ? (
        <Trans>Orders are taken now, in “{shown(stage.name)}”.</Trans>
      ) : stage ? (
        <Trans>
          Orders are taken from <DateTime value={stage.startsAt} /> on, in “{shown(stage.name)}”.
        </Trans>
      ) : (
        <Trans>No stage is open.</Trans>
      )}{' '}
      <a className="underline" href="/" target="_blank" rel="noreferrer">
        <Trans>Look at the site as a visitor</Trans>
      </a>
    </p>
  )
}
