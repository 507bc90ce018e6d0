import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { useBlocker } from 'react-router'
import type { z } from 'zod'
import { operatorCampaignRoutes } from '../../../shared/api/campaign.ts'
import type { operatorCampaign } from '../../../shared/api/campaign-schemas.ts'
import type { CampaignSettings } from '../../../shared/campaign-settings.ts'
import { campaignSettings } from '../../../shared/campaign-settings-inputs.ts'
import { Conflict, plain } from '../../area/Conflict.tsx'
import { call, currentOf } from '../../area/call.ts'
import { useChange } from '../../area/use-change.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { FormError } from '../../ui/Field.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useSchemaForm } from '../form.ts'
import { useRefusal } from '../session.ts'
import { settingName } from '../setting-names.ts'
import { touched } from '../touched.ts'
import { AmountParts } from './AmountParts.tsx'
import { LevelParts } from './LevelParts.tsx'
import { OtherParts } from './OtherParts.tsx'
import { campaignRefusal } from './refusals.ts'
import { SellerParts } from './SellerParts.tsx'
import { ShareParts } from './ShareParts.tsx'

type Campaign = z.output<typeof operatorCampaign>

/** What the parts of the form need: the values, how to change them, and what is wrong with a path. */
export interface PartProps {
  values: CampaignSettings
  set: (change: Partial<CampaignSettings>) => void
  error: (path: string) => string | undefined
}

/** Perks that were left empty in both languages are not perks. */
function tidied(settings: CampaignSettings): CampaignSettings {
  const levels = settings.levels.map((level) => ({
    ...level,
    perks: level.perks.filter((perk) => perk.en.trim() !== '' || perk.ru.trim() !== ''),
  }))
  return { ...settings, levels }
}

function changedKeys(a: CampaignSettings, b: CampaignSettings): (keyof CampaignSettings)[] {
  return (Object.keys(b) as (keyof CampaignSettings)[]).filter(
    (key) => JSON.stringify(a[key]) !== JSON.stringify(b[key]),
  )
}

/** All settings in one form; saving says first what will change. */
export function SettingsForm({ campaign }: { campaign: Campaign }) {
  const { t, i18n } = useLingui()
  const refusal = useRefusal()('campaign:write')
  const element = useRef<HTMLFormElement>(null)
  const [base, setBase] = useState(campaign)
  const [theirs, setTheirs] = useState<Campaign>()
  const [asked, setAsked] = useState<CampaignSettings>()
  const [failure, setFailure] = useState<string>()
  const form = useSchemaForm(campaignSettings, campaign.settings)
  const changed = changedKeys(base.settings, tidied(form.values))
  const dirty = changed.length > 0

  // A newer version is taken up as long as nothing was typed; otherwise saving compares the revisions.
  if (campaign.revision > base.revision && !dirty) {
    setBase(campaign)
    form.reset(campaign.settings)
  }

  const save = useChange({
    run: (settings: CampaignSettings) =>
      call(operatorCampaignRoutes.update, { body: { revision: base.revision, settings } }),
    touches: touched.campaign,
    done: (saved) => {
      toast.success(t`The campaign was saved.`)
      setBase(saved)
      form.reset(saved.settings)
      setAsked(undefined)
      setFailure(undefined)
    },
    failed: false,
    onFail: (error) => {
      setAsked(undefined)
      const current = currentOf<Campaign>(error)
      setTheirs(current)
      if (!form.refuse(error) && !current) setFailure(campaignRefusal(i18n, error))
      element.current?.scrollIntoView({ block: 'start' })
    },
  })

  const submit = () => {
    setFailure(undefined)
    const settings = form.check(element.current)
    if (settings && dirty && !refusal) setAsked(tidied(settings))
  }
  const parts: PartProps = { values: form.values, set: form.set, error: form.error }
  return (
    <form
      ref={element}
      noValidate
      className="scroll-mt-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {theirs ? (
        <Conflict
          differences={changedKeys(theirs.settings, form.values).map((key) => ({
            key,
            label: settingName(i18n, key),
            mine: plain(form.values[key]),
            theirs: plain(theirs.settings[key]),
          }))}
          onTheirs={() => {
            setBase(theirs)
            form.reset(theirs.settings)
            setTheirs(undefined)
          }}
          onMine={() => {
            setBase(theirs)
            setTheirs(undefined)
          }}
        />
      ) : null}
      <FormError>{failure}</FormError>
      <fieldset disabled={refusal !== undefined} className="min-w-0">
        <legend className="sr-only">
          <Trans>Settings</Trans>
        </legend>
        <SellerParts {...parts} />
        <AmountParts {...parts} />
        <ShareParts {...parts} />
        <LevelParts {...parts} />
        <OtherParts {...parts} />
      </fieldset>
      <div className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center gap-3 border-t border-line-strong bg-paper px-4 py-3 sm:-mx-8 sm:px-8">
        <p role="status" className="min-w-0 flex-1 text-sm text-soft">
          {form.errors.length > 0 ? (
            <span className="text-danger">
              <Trans>To mend before saving:</Trans>{' '}
              {[...new Set(form.errors.map(({ path }) => settingName(i18n, path)))].join(', ')}
            </span>
          ) : dirty ? (
            <Trans>Not saved: {changed.map((key) => settingName(i18n, key)).join(', ')}</Trans>
          ) : (
            <Trans>Everything is saved.</Trans>
          )}
        </p>
        {dirty ? (
          <Button variant="ghost" onClick={() => form.reset(base.settings)}>
            <Trans>Discard</Trans>
          </Button>
        ) : null}
        <Button
          type="submit"
          disabledReason={refusal ?? (dirty ? undefined : t`Nothing was changed.`)}
          loading={save.isPending}
        >
          <Trans>Save the settings</Trans>
        </Button>
      </div>
      <ConfirmDialog
        open={asked !== undefined}
        onOpenChange={(open) => !open && setAsked(undefined)}
        title={t`Save these changes?`}
        confirm={t`Save`}
        loading={save.isPending}
        onConfirm={() => asked && save.mutate(asked)}
      >
        <ul className="list-disc pl-5">
          {changed.map((key) => (
            <li key={key} className="wrap-anywhere">
              <strong className="text-ink">{settingName(i18n, key)}</strong>
              {typeof form.values[key] === 'string' ? (
                <>
                  : <del>{plain(base.settings[key])}</del> →{' '}
                  <span className="text-ink">{plain(form.values[key])}</span>
                </>
              ) : null}
            </li>
          ))}
        </ul>
        <p className="mt-3">
          <Trans>Everybody sees it at once; what buyers rely on is dated on the transparency page.</Trans>
        </p>
      </ConfirmDialog>
      <Leaving dirty={dirty} />
    </form>
  )
}

/** Asks before what was typed is lost. */
function Leaving({ dirty }: { dirty: boolean }) {
  const { t } = useLingui()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => dirty && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!dirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [dirty])
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title={t`Leave without saving?`}
      danger
      confirm={t`Leave`}
      cancel={t`Stay`}
      onConfirm={() => blocker.proceed?.()}
    >
      <Trans>What you changed here is not saved.</Trans>
    </ConfirmDialog>
  )
}
