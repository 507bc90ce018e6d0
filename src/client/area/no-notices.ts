import { useLingui } from '@lingui/react/macro'
import type { NoNotices } from './push.ts'

export function useNoNotices(): Record<NoNotices, string> {
  const { t } = useLingui()
  return {
    unknown: t`This browser knows no notices. On some phones and tablets the site has to be added to the home screen first.`,
    denied: t`This browser may show no notices of this site. You can allow them in its settings.`,
    no_address: t`The push service of this browser gives no address. Try again later or in another browser.`,
  }
}
