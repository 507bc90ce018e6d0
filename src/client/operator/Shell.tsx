import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { Link, ScrollRestoration, useLocation } from 'react-router'
import { operatorSessionRoutes } from '../../shared/api/operator-session.ts'
import { type OperatorPage, operatorPages } from '../../shared/pages.ts'
import { can, type Right } from '../../shared/roles.ts'
import { AreaShell, type SidebarPages } from '../area/AreaShell.tsx'
import { call } from '../area/call.ts'
import { DocumentTitle } from '../area/document-title.ts'
import { useLiveStream } from '../area/live-stream.ts'
import { queryClient } from '../area/query-client.ts'
import { StepUp } from '../area/StepUp.tsx'
import { useChange } from '../area/use-change.ts'
import { Breadcrumb } from '../ui/Breadcrumb.tsx'
import { Button, buttonLook } from '../ui/Button.tsx'
import { TimeZone } from '../ui/numbers.tsx'
import { Notice } from '../ui/states.tsx'
import { CommandPalette } from './CommandPalette.tsx'
import { KeysHelp } from './KeysHelp.tsx'
import { useKeptFocus } from './kept-focus.ts'
import { PausedBand } from './PausedBand.tsx'
import { groups, pages } from './pages.ts'
import { pathOf, paths } from './paths.ts'
import { approvalRequestsQuery, useOperatorZone, usePublicCampaign } from './queries.ts'
import { useOperator, useRoleName } from './session.ts'
import { operatorStream } from './touched.ts'
import { Unsaved } from './Unsaved.tsx'

interface Facts {
  path: string
  right?: Right
  parent?: OperatorPage
}

const allPages = Object.keys(pages) as OperatorPage[]
const factsOf = (page: OperatorPage): Facts => operatorPages[page]

export function Shell() {
  const { role, lacksSecondFactor } = useOperator()
  useKeptFocus()
  useLiveStream(operatorStream, can(role, 'orders:read') && !lacksSecondFactor)
  return (
    <TimeZone value={useOperatorZone()}>
      <AreaShell
        isDemo={usePublicCampaign()?.demo ?? false}
        name={<Trans>Back office</Trans>}
        home={paths.area}
        groups={useSidebarPages()}
        trail={<Trail />}
        owner={<Owner />}
        bands={<Bands />}
        foot={<Foot />}
        mainClassName="max-w-[96rem] py-6 [--head-gap:1.5rem]"
      >
        <StepUp routes={operatorSessionRoutes} />
        {lacksSecondFactor ? null : <CommandPalette />}
        <KeysHelp />
        <Unsaved />
        <ScrollRestoration />
      </AreaShell>
    </TimeZone>
  )
}

function useSidebarPages(): SidebarPages[] {
  const { t, i18n } = useLingui()
  const { role, lacksSecondFactor } = useOperator()
  const waiting = useQuery({ ...approvalRequestsQuery, enabled: !lacksSecondFactor }).data
  if (lacksSecondFactor) return []
  return Object.entries(groups).map(([group, title]) => ({
    label: i18n._(title),
    pages: allPages.flatMap((page) => {
      const { title: name, Icon, group: own } = pages[page]
      if (own !== group || !name || !Icon) return []
      const { right } = factsOf(page)
      const count =
        page === 'approvals' && waiting?.items.length
          ? ` (${waiting.items.length}${waiting.next ? '+' : ''})`
          : ''
      return {
        path: pathOf(page),
        label: i18n._(name) + count,
        Icon,
        refusal: right && !can(role, right) ? t`Not for your role` : undefined,
      }
    }),
  }))
}

function Foot() {
  const zone = useOperatorZone()
  const { version } = useOperator()
  return (
    <footer className="px-4 pb-4 text-right text-xs text-faint sm:px-8">
      <Trans>
        Times are in the operators' zone, UTC{zone}. Press ? for the keys. Version {version}.
      </Trans>
    </footer>
  )
}

function Trail() {
  const { t, i18n } = useLingui()
  const { pathname } = useLocation()
  const below = pathname.replace(/\/$/, '').slice(paths.area.length + 1)
  const page = allPages.find((known) => factsOf(known).path === below)
  const above = allPages.find((known) => factsOf(known).path && below.startsWith(`${factsOf(known).path}/`))
  const nameOf = (known: OperatorPage) => {
    const { title } = pages[known]
    return title ? i18n._(title) : ''
  }
  const linkTo = (known: OperatorPage) => ({
    key: known,
    node: <Link to={pathOf(known)}>{nameOf(known)}</Link>,
  })
  const parent = page ? factsOf(page).parent : above
  const rest = below.slice(below.lastIndexOf('/') + 1)
  const shown = page ?? above
  return (
    <>
      <DocumentTitle page={shown && nameOf(shown)} />
      <Breadcrumb
        trail={[
          { key: 'area', node: <Link to={paths.area}>{t`Operator`}</Link> },
          ...(parent ? [linkTo(parent)] : []),
          ...(page ? [{ key: page, node: nameOf(page) }] : []),
          ...(above && !page ? [{ key: 'rest', node: decodeURIComponent(rest) }] : []),
        ]}
      />
    </>
  )
}

function Owner() {
  const { t } = useLingui()
  const { login, role } = useOperator()
  const nameOf = useRoleName()
  return (
    <>
      <Link
        to={paths.account}
        className={`${buttonLook({ variant: 'ghost', size: 'sm' })} hidden! max-w-56 md:inline-flex!`}
      >
        <span className="truncate">{login}</span>
        <span className="font-normal text-faint">{nameOf(role)}</span>
      </Link>
      <LogOutButton label={t`Log out`} />
    </>
  )
}

function LogOutButton({ label }: { label: string }) {
  const logOut = useChange({
    run: () => call(operatorSessionRoutes.logOut),
    touches: [],
    done: () => {
      queryClient.clear()
      location.assign(paths.login)
    },
  })
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-label={label}
      title={label}
      loading={logOut.isPending}
      onClick={() => logOut.mutate()}
    >
      <LogOut aria-hidden="true" className="size-4.5" />
    </Button>
  )
}

function Bands() {
  const campaign = usePublicCampaign()
  const { role, hasSecondFactor, lacksSecondFactor } = useOperator()
  return (
    <>
      {campaign?.pausedAt && !lacksSecondFactor ? <PausedBand reason={campaign.pauseReason} /> : null}
      {role === 'owner' && !hasSecondFactor && !lacksSecondFactor ? (
        <Notice
          tone="neutral"
          action={
            <Link className="underline" to={paths.account}>
              <Trans>Set it up</Trans>
            </Link>
          }
        >
          <Trans>You are an owner without a second factor. Please switch one on.</Trans>
        </Notice>
      ) : null}
    </>
  )
}
