import { Trans, useLingui } from '@lingui/react/macro'
import { cx } from 'class-variance-authority'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'react-router'
import { type OperatorCampaign, operatorCampaignRoutes } from '../../../shared/api/campaign.ts'
import type { CampaignSettings } from '../../../shared/campaign-settings.ts'
import { campaignSettings } from '../../../shared/campaign-settings-inputs.ts'
import { type Name, pickText } from '../../../shared/languages.ts'
import { ConfirmForm } from '../../area/ConfirmForm.tsx'
import { Conflict } from '../../area/Conflict.tsx'
import { call } from '../../area/call.ts'
import { useNamedPart } from '../../area/named-part.ts'
import { rulesOf } from '../../area/rules.ts'
import { useUnsaved } from '../../area/unsaved.ts'
import { useUrlState } from '../../area/url-state.ts'
import { useEdit } from '../../area/use-edit.ts'
import type { Form } from '../../area/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { FormError } from '../../ui/Field.tsx'
import { formatAmount } from '../../ui/numbers.tsx'
import { isNamedWhole, settingName } from '../../ui/setting-names.ts'
import { TabFrame, TabPanel } from '../../ui/Tabs.tsx'
import { toast } from '../../ui/Toast.tsx'
import { partName } from '../field-name.ts'
import { useRefusal } from '../session.ts'
import { hasText } from '../TextFields.tsx'
import { touched } from '../touched.ts'
import { useAuditWords } from '../use-audit-words.ts'
import { AmountParts } from './AmountParts.tsx'
import { BuyersPart } from './BuyersPart.tsx'
import { DeliveryPart } from './DeliveryPart.tsx'
import { FaqPart } from './FaqPart.tsx'
import { FramesPart } from './FramesPart.tsx'
import { LevelParts } from './LevelParts.tsx'
import { PreviewDialog, usePreview } from './Preview.tsx'
import type { PartProps } from './part-props.ts'
import { ReferralPart } from './ReferralPart.tsx'
import { RetentionPart, Shortened } from './RetentionPart.tsx'
import { campaignRefusal } from './refusals.ts'
import { SafetyAndLookPart } from './SafetyAndLookPart.tsx'
import { SellerParts } from './SellerParts.tsx'
import { SettingsFile } from './SettingsFile.tsx'
import { ShareParts } from './ShareParts.tsx'
import { settingDifferences } from './setting-differences.ts'
import { isSettingTab, type SettingTab, settingTabs, tabOf } from './setting-tabs.ts'
import { TimesPart } from './TimesPart.tsx'
import { VoicesPart } from './VoicesPart.tsx'

type Setting = keyof CampaignSettings

function tidied(settings: CampaignSettings): CampaignSettings {
  const levels = settings.levels.map((level) => ({
    ...level,
    perks: level.perks.filter(({ text }) => hasText(text)),
  }))
  return { ...settings, levels }
}

function changedSettings(before: CampaignSettings, after: CampaignSettings): Setting[] {
  return (Object.keys(after) as Setting[]).filter(
    (setting) => JSON.stringify(before[setting]) !== JSON.stringify(after[setting]),
  )
}

const rules = rulesOf(campaignSettings)

/** The chosen tab, else that of the part named in the address. */
function useTab() {
  const url = useUrlState()
  const { hash, key } = useLocation()
  const named = hash ? tabOf(hash.slice(1)) : undefined
  const inAddress = url.get('tab')
  const [tab, setTab] = useState<string>(named ?? (isSettingTab(inAddress) ? inAddress : 'stages'))
  const [followed, setFollowed] = useState(key)
  // Another click on a link has another key.
  if (key !== followed) {
    setFollowed(key)
    if (named) setTab(named)
  }
  useNamedPart()
  const choose = (next: string) => {
    setTab(next)
    url.set({ tab: next === 'stages' ? null : next })
  }
  return [tab, choose] as const
}

/** Saving first shows the changes. */
export function SettingsForm({ campaign, stages }: { campaign: OperatorCampaign; stages: ReactNode }) {
  const { t, i18n } = useLingui()
  const [tab, chooseTab] = useTab()
  const refusal = useRefusal()('campaign:write')
  const form = useEdit({
    thing: campaign,
    valuesOf: ({ settings }) => settings,
    rules,
    asks: true,
    send: (settings, { revision }) =>
      call(operatorCampaignRoutes.update, { body: { revision, settings: tidied(settings) } }),
    below: 'settings',
    stays: (saved) => saved,
    touches: touched.campaign,
    done: () => toast.success(t`The campaign was saved.`),
    words: (error) => campaignRefusal(i18n, error),
  })
  const { base, values } = form
  const preview = usePreview(form, tidied)
  const changed = changedSettings(base.settings, tidied(values))
  // The tabs are part of the query string.
  useUnsaved(changed.length > 0, { spansSearch: true })

  // Take over a newer version if nothing was typed; otherwise the server compares revisions.
  if (campaign.revision > base.revision && changed.length === 0) form.startOver(campaign)

  return (
    <TabFrame
      tabs={useTabNames(
        changed,
        form.errors.map(({ path }) => path),
      )}
      value={tab}
      onValueChange={chooseTab}
    >
      <TabPanel value="stages">{stages}</TabPanel>
      <form {...form.formProps} className="scroll-mt-4">
        <SettingsConflict form={form} />
        <FormError>{form.failure}</FormError>
        <fieldset disabled={refusal !== undefined} className="min-w-0">
          <legend className="sr-only">
            <Trans>Settings</Trans>
          </legend>
          <Parts form={form} />
        </fieldset>
        <FilePart form={form} saved={base.settings} isChanged={changed.length > 0} />
        <SaveBar form={form} changed={changed} onDiscard={() => form.reset(base.settings)}>
          <Button
            variant="secondary"
            size="sm"
            disabledReason={refusal}
            loading={preview.isPending}
            onClick={preview.ask}
          >
            <Trans>Preview</Trans>
          </Button>
        </SaveBar>
        <ConfirmForm form={form} title={t`Save these changes?`} confirm={() => t`Save`}>
          {(asked) => <Changes before={base.settings} after={asked} />}
        </ConfirmForm>
      </form>
      {preview.draft ? <PreviewDialog settings={preview.draft} onClose={preview.close} /> : null}
    </TabFrame>
  )
}

function FilePart({
  form,
  saved,
  isChanged,
}: {
  form: Pick<Form<CampaignSettings>, 'reset'>
  saved: CampaignSettings
  isChanged: boolean
}) {
  const { t } = useLingui()
  const refusal = useRefusal()('campaign:write')
  const unsaved = isChanged ? t`Save or discard first what you changed.` : undefined
  return (
    <div className="flex flex-wrap gap-2 border-t border-line py-6">
      <SettingsFile saved={saved} onRead={form.reset} refusal={refusal ?? unsaved} />
    </div>
  )
}

/** Marks the name of a tab with unsaved values or errors. */
function useTabNames(changed: readonly string[], wrong: readonly string[]) {
  const { t } = useLingui()
  const names: Record<SettingTab, string> = {
    stages: t`Stages`,
    token: t`Token and seller`,
    supply: t`Supply and limits`,
    levels: t`Levels and rewards`,
    buyers: t`Buyers and delivery`,
    texts: t`Texts`,
    running: t`Running the sale`,
  }
  return settingTabs.map((value) => {
    const isWrong = wrong.some((path) => tabOf(path) === value)
    const isChanged = changed.some((path) => tabOf(path) === value)
    const mark = isWrong ? t`to fix` : isChanged ? t`not saved` : undefined
    const label = (
      <span className="inline-flex items-center gap-2">
        {names[value]}
        {mark ? (
          <span
            role="img"
            aria-label={mark}
            title={mark}
            className={cx('size-2 rounded-full', isWrong ? 'bg-danger' : 'bg-accent')}
          />
        ) : null}
      </span>
    )
    return { value, label }
  })
}

function Parts({ form }: PartProps) {
  return (
    <>
      <TabPanel value="token">
        <SellerParts form={form} />
      </TabPanel>
      <TabPanel value="supply">
        <AmountParts form={form} />
        <ShareParts form={form} />
      </TabPanel>
      <TabPanel value="levels">
        <LevelParts form={form} />
        <ReferralPart form={form} />
      </TabPanel>
      <TabPanel value="buyers">
        <BuyersPart form={form} />
        <DeliveryPart form={form} />
      </TabPanel>
      <TabPanel value="texts">
        <FaqPart form={form} />
        <VoicesPart form={form} />
      </TabPanel>
      <TabPanel value="running">
        <TimesPart form={form} />
        <RetentionPart form={form} />
        <FramesPart form={form} />
        <SafetyAndLookPart form={form} />
      </TabPanel>
    </>
  )
}

function SaveBar({
  form: { errors, isPending },
  changed,
  onDiscard,
  children,
}: {
  form: Pick<Form<CampaignSettings>, 'errors' | 'isPending'>
  changed: readonly Setting[]
  onDiscard: () => void
  children: ReactNode
}) {
  const { t, i18n } = useLingui()
  const refusal = useRefusal()('campaign:write')
  const dirty = changed.length > 0
  const namesOf = (paths: readonly string[]) =>
    [...new Set(paths.map((path) => settingName(i18n, path)))].join(', ')
  return (
    <div
      data-bottom-bar=""
      className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center gap-x-2 gap-y-2 border-t border-line-strong bg-paper px-4 py-3 max-sm:[&>:nth-last-child(-n+2)]:grow max-sm:[&>:nth-last-child(2)]:h-11 max-sm:[&>:nth-last-child(2)]:px-2 sm:-mx-8 sm:px-8"
    >
      <p role="status" className="min-w-0 flex-1 basis-32 text-sm text-soft sm:basis-48">
        {errors.length > 0 ? (
          <span className="text-danger">
            <Trans>To fix before saving:</Trans> {namesOf(errors.map(({ path }) => path))}
          </span>
        ) : dirty ? (
          <Trans>Not saved: {namesOf(changed)}</Trans>
        ) : (
          <Trans>Everything is saved.</Trans>
        )}
      </p>
      {dirty ? (
        <Button variant="ghost" size="sm" className="max-sm:-mr-2" onClick={onDiscard}>
          <Trans>Discard</Trans>
        </Button>
      ) : null}
      {children}
      <Button
        type="submit"
        disabledReason={refusal ?? (dirty ? undefined : t`Nothing was changed.`)}
        loading={isPending}
        className="max-sm:px-3 max-sm:text-sm"
      >
        <Trans>Save the settings</Trans>
      </Button>
    </div>
  )
}

/** Shows an item that only one side has by its name. */
function useShownValue(): (path: string, value: unknown) => string {
  const { t, i18n } = useLingui()
  const inWords = useAuditWords()
  return (path, value) => {
    if (typeof value === 'boolean') return value ? t`on` : t`off`
    if (typeof value === 'string' && /^-?\d+\.\d+$/.test(value)) return formatAmount(value, i18n.locale, 18)
    const item = value as { name?: Name; text?: Name; question?: Name } | null | undefined
    const name = typeof item === 'object' ? (item?.name ?? item?.text ?? item?.question) : undefined
    return name ? pickText(name, i18n.locale).text : inWords(path, value, 'setting')
  }
}

function SettingsConflict({
  form: { values, theirValues, takeTheirs, keepMine },
}: {
  form: {
    values: CampaignSettings
    theirValues: CampaignSettings | undefined
    takeTheirs: () => void
    keepMine: () => void
  }
}) {
  const { i18n } = useLingui()
  const shown = useShownValue()
  if (theirValues === undefined) return null
  return (
    <Conflict
      differences={settingDifferences(tidied(values), theirValues).map(({ path, before, after }) => ({
        key: path,
        label: (
          <>
            {settingName(i18n, path)}
            <PlaceInSetting path={path} settings={theirValues} />
          </>
        ),
        mine: shown(path, before),
        theirs: shown(path, after),
      }))}
      onTheirs={takeTheirs}
      onMine={keepMine}
    />
  )
}

function Changes({ before, after }: { before: CampaignSettings; after: CampaignSettings }) {
  const { i18n } = useLingui()
  const shown = useShownValue()
  return (
    <>
      <ul className="list-disc pl-5">
        {settingDifferences(before, tidied(after)).map(({ path, before: was, after: is }) => (
          <li key={path} className="wrap-anywhere">
            <strong className="text-ink">{settingName(i18n, path)}</strong>
            <PlaceInSetting path={path} settings={after} />: <del>{shown(path, was)}</del> →{' '}
            <span className="text-ink">{shown(path, is)}</span>
          </li>
        ))}
      </ul>
      <Shortened before={before.retention} after={after.retention} />
      <p className="mt-3">
        <Trans>Everybody sees it at once; what buyers rely on is dated on the transparency page.</Trans>
      </p>
    </>
  )
}

function PlaceInSetting({ path, settings }: { path: string; settings: CampaignSettings }) {
  const { i18n } = useLingui()
  if (isNamedWhole(i18n, path)) return null
  const [setting, ...rest] = path.split('.')
  const items = settings[setting as Setting]
  const item = Array.isArray(items) ? (items[Number(rest[0])] as { name?: Name; key?: string }) : undefined
  const { name, key } = item ?? {}
  const own = name ? pickText(name, i18n.locale).text : key
  const inWords = rest.map((_, at) => partName(i18n, [setting, ...rest.slice(0, at + 1)].join('.')))
  const words = item && own ? [own, ...inWords.slice(1)] : inWords
  return words.length > 0 ? <span className="text-soft"> {words.join(' · ')}</span> : null
}
