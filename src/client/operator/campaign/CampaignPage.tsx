import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { Loaded } from '../../area/Loaded.tsx'
import { Page } from '../../area/Page.tsx'
import { Notice } from '../../ui/states.tsx'
import { PauseSwitch } from '../PauseSwitch.tsx'
import { campaignQuery } from '../queries.ts'
import { SetUp } from '../SetUp.tsx'
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
            <ScrollToHash />
            <SetUp />
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

/** The parts exist only once the campaign is read, later than the address named one of them; its first field gets the focus. */
function ScrollToHash() {
  const { hash, key } = useLocation()
  useEffect(() => {
    // Another click on the same link is another key.
    const part = key && hash ? document.getElementById(hash.slice(1)) : null
    part?.scrollIntoView({ block: 'start' })
    part?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true })
  }, [hash, key])
  return null
}
