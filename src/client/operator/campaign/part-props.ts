import type { CampaignSettings } from '../../../shared/campaign-settings.ts'
import type { Fields } from '../../area/form-fields.ts'

/** Props of each part of the settings form. */
export interface PartProps {
  form: Fields<CampaignSettings>
}
