import type { CampaignSettings } from '../../../shared/campaign-settings.ts'
import type { Fields } from '../../area/form-fields.ts'

/** What each part of the settings form needs. */
export interface PartProps {
  form: Fields<CampaignSettings>
}
