import type { CampaignSettings } from '../../../shared/campaign-settings.ts'
import type { Fields } from '../../area/form-fields.ts'

export interface PartProps {
  form: Fields<CampaignSettings>
}
