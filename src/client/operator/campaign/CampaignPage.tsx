import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../area/Loaded.tsx'
import { Page } from '../../area/Page.tsx'
import { Notice } from '../../ui/states.tsx'
import { PauseSwitch } from '../PauseSwitch.tsx'
import { campaignQuery } from '../queries.ts'
import { SetUp } from '../SetUp.tsx'
import { SettingsForm } from './SettingsForm.tsx'
import { Stages } from './Stages.tsx'

export function CampaignPage() {
  const { t } = useLingui()
  const query = useQuery(campaignQuery)
  return (
    <Page title={t`Campaign`} action={<PauseSwitch />}>
      <Loaded query={query}>
        {(campaign) => (
          <>
            <SetUp />
            {campaign.locked ? (
              <div className="mb-6">
                <Notice tone="neutral">
                  <Trans>
                    Somebody has ordered. From now on caps and goals are fixed, the end of a stage can move
                    once, level bonuses only rise and thresholds only fall. Every change is dated and shown on
                    the transparency page.
                  </Trans>
                </Notice>
              </div>
            ) : null}
            <SettingsForm campaign={campaign} stages={<Stages campaign={campaign} />} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
