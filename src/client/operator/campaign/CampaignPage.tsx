import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Notice } from '../../ui/states.tsx'
import { campaignQuery } from '../data.ts'
import { PauseSwitch } from '../overview/PauseSwitch.tsx'
import { Loaded, Page } from '../page.tsx'
import { places } from '../places.ts'
import { settingName } from '../setting-names.ts'
import { SettingsForm } from './SettingsForm.tsx'
import { Stages } from './Stages.tsx'

/** Every setting of the sale, its stages and the pause; what is missing before it can open stands on top. */
export function CampaignPage() {
  const { t } = useLingui()
  const query = useQuery(campaignQuery)
  return (
    <Page title={t`Campaign`} action={<PauseSwitch />}>
      <Loaded query={query}>
        {(campaign) => (
          <>
            <Missing missing={campaign.missing} />
            {campaign.locked ? (
              <div className="mb-6">
                <Notice tone="neutral">
                  <Trans>
                    Orders have been approved. From now on caps and goals never rise, an end moves once, level
                    bonuses only rise and thresholds only fall. Every change is dated and shown on the
                    transparency page.
                  </Trans>
                </Notice>
              </div>
            ) : null}
            <Stages campaign={campaign} />
            <SettingsForm campaign={campaign} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Where each missing thing is entered. */
function placeOf(path: string): string {
  if (path.startsWith('legal.')) return `${places.content}?tab=legal`
  if (path === 'currencies') return places.crypto
  if (path === 'priceUsd') return places.price
  return `#${path.split('.')[0]}`
}

function Missing({ missing }: { missing: readonly string[] }) {
  const { i18n } = useLingui()
  if (missing.length === 0) return null
  return (
    <div className="mb-6 border-l-4 border-now bg-now-soft px-4 py-3 text-sm">
      <p className="font-semibold">
        <Trans>The sale can't open yet. Missing:</Trans>
      </p>
      <ul className="mt-1 list-disc pl-5">
        {missing.map((path) => {
          const place = placeOf(path)
          const words = settingName(i18n, path)
          return (
            <li key={path}>
              {place.startsWith('#') ? (
                <a className="underline" href={place}>
                  {words}
                </a>
              ) : (
                <Link className="underline" to={place}>
                  {words}
                </Link>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
