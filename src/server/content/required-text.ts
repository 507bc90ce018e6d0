import type { LocalText } from '../../shared/campaign-settings.ts'
import { isBlank } from '../../shared/languages.ts'
import { refuse } from '../refusal.ts'

export function requireText(text: LocalText, field: string): void {
  if (isBlank(text)) refuse('text_required', { field })
}
