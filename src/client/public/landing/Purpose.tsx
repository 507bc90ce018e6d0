import { Trans } from '@lingui/react/macro'
import { isBlank, pickText } from '../../../shared/languages.ts'
import { Section, usePage } from '../frame.tsx'
import { PlainText } from '../PlainText.tsx'

export function Purpose() {
  const { campaign, locale } = usePage()
  const { purpose } = campaign?.settings ?? {}
  if (!purpose || isBlank(purpose)) return null
  const { text, lang } = pickText(purpose, locale)
  return (
    <Section
      id="purpose"
      title={<Trans>What it is for</Trans>}
      lead={<Trans>In the seller's own words.</Trans>}
    >
      <div lang={lang === locale ? undefined : lang}>
        <PlainText text={text} />
      </div>
    </Section>
  )
}
