import { Trans, useLingui } from '@lingui/react/macro'
import { Download, Upload } from 'lucide-react'
import { useRef } from 'react'
import type { CampaignSettings } from '../../../shared/campaign-settings.ts'
import { campaignSettings, settingsAfter } from '../../../shared/campaign-settings-inputs.ts'
import { rulesOf } from '../../area/rules.ts'
import { saveFile } from '../../area/save-file.ts'
import type { Locale } from '../../i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/Toast.tsx'

const format = 'presale-settings'
const bytesMax = 500_000

/**
 * An imported file is checked and fills the form without saving. The logo stays, because it is an upload of
 * this installation.
 */
export function SettingsFile({
  saved,
  onRead,
  refusal,
}: {
  saved: CampaignSettings
  onRead: (settings: CampaignSettings) => void
  refusal: string | undefined
}) {
  const { t, i18n } = useLingui()
  const chooser = useRef<HTMLInputElement>(null)
  const write = () =>
    saveFile(
      `${saved.symbol.toLowerCase()}-settings.json`,
      'application/json',
      `${JSON.stringify({ format, settings: saved }, null, 2)}\n`,
    )
  const take = async (file: File | undefined) => {
    if (!file) return
    const read = file.size > bytesMax ? undefined : settingsIn(await file.text())
    if (!read) return toast.error(t`This is no file of settings.`)
    // Settings that an older file lacks keep their values.
    const taken = settingsAfter(saved, read)
    const settings = { ...taken, brand: { ...taken.brand, logoUploadId: saved.brand.logoUploadId } }
    const checked = rulesOf(campaignSettings).now(settings, i18n.locale as Locale)
    if ('errors' in checked) {
      const [first] = checked.errors
      return toast.error(t`The file was not used.`, `${first?.path}: ${first?.message}`)
    }
    onRead(checked.data)
    toast.success(t`The file is in the form. Saving shows its changes.`)
  }
  return (
    <>
      <Button variant="secondary" size="sm" onClick={write}>
        <Download aria-hidden="true" className="size-4" />
        <Trans>Settings as a file</Trans>
      </Button>
      <Button variant="secondary" size="sm" disabledReason={refusal} onClick={() => chooser.current?.click()}>
        <Upload aria-hidden="true" className="size-4" />
        <Trans>Read settings from a file</Trans>
      </Button>
      <input
        ref={chooser}
        type="file"
        accept="application/json,.json"
        hidden
        aria-label={t`File of settings`}
        onChange={(event) => {
          void take(event.target.files?.[0])
          event.target.value = ''
        }}
      />
    </>
  )
}

/** Undefined if the file is of another kind. */
function settingsIn(text: string): { brand: object } | undefined {
  try {
    const file = JSON.parse(text) as { format?: unknown; settings?: { brand?: unknown } } | null
    const settings = file?.format === format ? file.settings : undefined
    return typeof settings?.brand === 'object' && settings.brand ? (settings as { brand: object }) : undefined
  } catch {
    return undefined
  }
}
