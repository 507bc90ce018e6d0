import { Trans, useLingui } from '@lingui/react/macro'
import { ExternalLink } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { operatorCampaignRoutes } from '../../../shared/api/campaign.ts'
import type { CampaignSettings } from '../../../shared/campaign-settings.ts'
import { defaultLanguage, factsOf, type PublicLocale } from '../../../shared/languages.ts'
import { ApiError } from '../../api.ts'
import { call } from '../../area/call.ts'
import { useChange } from '../../area/use-change.ts'
import { type Form, issuesBelow } from '../../area/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { paths } from '../paths.ts'

/** Preview widths in pixels. */
const widths = { phone: 390, desktop: 1280 }
type Width = keyof typeof widths

/** Errors appear at their fields. */
export function usePreview(
  form: Pick<Form<CampaignSettings, CampaignSettings>, 'check' | 'refuse'>,
  tidied: (settings: CampaignSettings) => CampaignSettings,
) {
  const [draft, setDraft] = useState<CampaignSettings>()
  const checking = useChange({
    run: (settings: CampaignSettings) =>
      call(operatorCampaignRoutes.preview, { body: { settings: tidied(settings) } }),
    touches: [],
    done: ({ settings }) => setDraft(settings),
    onFail: (error) => {
      const issues = error instanceof ApiError ? issuesBelow(error, 'settings') : []
      if (issues.length === 0) return undefined
      form.refuse(issues)
      return 'told'
    },
  })
  return {
    draft,
    isPending: checking.isPending,
    ask: () => form.check(checking.mutate),
    close: () => setDraft(undefined),
  }
}

/** In each of the draft's languages. */
export function PreviewDialog({ settings, onClose }: { settings: CampaignSettings; onClose: () => void }) {
  const { t, i18n } = useLingui()
  const [language, setLanguage] = useState<PublicLocale>(
    settings.languages.find((one) => one === i18n.locale) ?? defaultLanguage,
  )
  const [width, setWidth] = useState<Width>('desktop')
  const names: Record<Width, string> = { phone: t`Phone`, desktop: t`Desktop` }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="full"
      title={t`Preview`}
      description={t`The landing page with the settings as typed. Looking saves nothing; stages and figures are those of now.`}
    >
      <div className="mb-4 flex flex-wrap items-center gap-x-6 gap-y-3">
        <Choices
          label={t`Width`}
          value={width}
          onChange={setWidth}
          options={(['desktop', 'phone'] as const).map((value) => ({ value, label: names[value] }))}
        />
        {settings.languages.length > 1 ? (
          <Choices
            label={t`Language`}
            value={language}
            onChange={setLanguage}
            options={settings.languages.map((value) => ({ value, label: factsOf(value).name, lang: value }))}
          />
        ) : null}
        <Sent settings={settings} language={language} target="_blank">
          <Button type="submit" variant="secondary" size="sm">
            <ExternalLink aria-hidden="true" className="size-4" />
            <Trans>Open in a new tab</Trans>
          </Button>
        </Sent>
      </div>
      <Framed key={language} settings={settings} language={language} width={widths[width]} />
    </Dialog>
  )
}

function Choices<Value extends string>({
  label,
  value,
  onChange,
  options,
}: {
  label: string
  value: Value
  onChange: (value: Value) => void
  options: readonly { value: Value; label: string; lang?: string }[]
}) {
  return (
    <fieldset className="flex flex-wrap items-center gap-2">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <Button
          key={option.value}
          size="sm"
          variant={option.value === value ? 'primary' : 'secondary'}
          aria-pressed={option.value === value}
          lang={option.lang}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </Button>
      ))}
    </fieldset>
  )
}

const frameName = 'preview'

function Sent({
  settings,
  language,
  target,
  children,
  isSentAtOnce = false,
}: {
  settings: CampaignSettings
  language: PublicLocale
  target: string
  children?: ReactNode
  isSentAtOnce?: boolean
}) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (isSentAtOnce) form.current?.submit()
  }, [isSentAtOnce])
  return (
    <form ref={form} method="post" action={`${paths.login}/preview`} target={target}>
      <input type="hidden" name="draft" value={JSON.stringify({ settings })} />
      <input type="hidden" name="language" value={language} />
      {children}
    </form>
  )
}

/** Scales the preview down to fit. */
function Framed({
  settings,
  language,
  width,
}: {
  settings: CampaignSettings
  language: PublicLocale
  width: number
}) {
  const { t } = useLingui()
  const room = useRef<HTMLDivElement>(null)
  const [{ wide, high }, setSize] = useState({ wide: 0, high: 0 })
  useEffect(() => {
    if (!room.current) return
    const watching = new ResizeObserver(([entry]) => {
      if (entry) setSize({ wide: entry.contentRect.width, high: entry.contentRect.height })
    })
    watching.observe(room.current)
    return () => watching.disconnect()
  }, [])
  const scale = wide > 0 ? Math.min(1, wide / width) : 1
  return (
    <div ref={room} className="h-[65dvh] overflow-hidden">
      <div className="mx-auto h-full overflow-hidden border border-line" style={{ width: width * scale }}>
        <iframe
          name={frameName}
          title={t`The landing page with the settings as typed`}
          sandbox="allow-same-origin"
          className="origin-top-left bg-paper"
          style={{ width, height: high / scale, transform: `scale(${scale})` }}
        />
      </div>
      <Sent settings={settings} language={language} target={frameName} isSentAtOnce />
    </div>
  )
}
