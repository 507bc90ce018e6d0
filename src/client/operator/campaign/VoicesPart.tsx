import { useLingui } from '@lingui/react/macro'
import { Band } from '../../area/Page.tsx'
import { Switch } from '../../ui/Choice.tsx'
import type { PartProps } from './part-props.ts'
import { useSettingName } from './use-setting-name.ts'

export function VoicesPart({ form }: PartProps) {
  const { t } = useLingui()
  const nameOf = useSettingName()
  return (
    <Band title={t`Announcements`} id="comments">
      <div className="flex flex-col gap-5">
        <Switch
          checked={form.values.comments}
          onCheckedChange={(comments) => form.set({ comments })}
          hint={t`In plain text, by accounts with a confirmed address. Somebody has to look at the reported ones: Content, Comments. Switched off, none of them is shown.`}
        >
          {nameOf('comments')}
        </Switch>
        <Switch
          checked={form.values.followers}
          onCheckedChange={(followers) => form.set({ followers })}
          hint={t`The owner of an address confirms it by a link, and gets at most one mail for each announcement, five minutes after it came out; each mail has a way out.`}
        >
          {nameOf('followers')}
        </Switch>
      </div>
    </Band>
  )
}
