import { Trans, useLingui } from '@lingui/react/macro'
import type { Profile } from '../../../shared/api/account.ts'
import { useLanguageChange } from '../../area/language.ts'
import { Band } from '../../area/Page.tsx'
import { TextField } from '../../area/TextField.tsx'
import { useChange } from '../../area/use-change.ts'
import { useForm } from '../../area/use-form.ts'
import { type Locale, localeNames, locales } from '../../i18n.ts'
import { localPath, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Switch } from '../../ui/Choice.tsx'
import { Field, NativeSelect } from '../../ui/Field.tsx'
import { late } from '../late-rules.ts'
import { sendProfile, useProfileChange } from './update-profile.ts'

/** The language, and whether and how the buyer appears on the leaderboard. */
export function Preferences({ user }: { user: Profile }) {
  const { t, i18n } = useLingui()
  const changeLanguage = useLanguageChange()
  const update = useChange({ ...useProfileChange(), run: sendProfile })
  const form = useForm({
    ...useProfileChange(),
    rules: late('profile'),
    initial: { nickname: user.nickname ?? '' },
    send: sendProfile,
    atField: { nickname_taken: 'nickname' },
  })
  return (
    <>
      <Band title={<Trans>Language</Trans>}>
        <Field label={<Trans>Language of your pages and mails</Trans>} className="max-w-xs">
          <NativeSelect
            value={user.language}
            onChange={(event) => void changeLanguage(event.target.value as Locale)}
          >
            {locales.map((locale) => (
              <option key={locale} value={locale} lang={locale}>
                {localeNames[locale]}
              </option>
            ))}
          </NativeSelect>
        </Field>
      </Band>
      <Band title={<Trans>Counting of visits</Trans>}>
        <p className="text-soft">
          <a
            href={`${localPath(paths.privacy, i18n.locale)}#counting`}
            className="underline underline-offset-4"
          >
            <Trans>See or change what you answered in this browser</Trans>
          </a>
        </p>
      </Band>
      <Band title={<Trans>Leaderboard</Trans>}>
        <div className="grid max-w-xl gap-5">
          <Switch
            checked={
              update.isPending
                ? (update.variables.showsOnLeaderboard ?? user.showsOnLeaderboard)
                : user.showsOnLeaderboard
            }
            onCheckedChange={(showsOnLeaderboard) => update.mutate({ showsOnLeaderboard })}
            hint={<Trans>With your nickname, or else your e-mail address masked as j•••@g•••.com.</Trans>}
          >
            <Trans>Show me on the leaderboard</Trans>
          </Switch>
          <form {...form.formProps} className="flex flex-wrap items-start gap-3">
            <TextField
              form={form}
              name="nickname"
              label={<Trans>Nickname</Trans>}
              optional={<Trans>optional</Trans>}
              fieldClassName="flex-1 basis-56"
              maxLength={30}
              dir="auto"
              placeholder={t`none`}
            />
            <Button type="submit" variant="secondary" loading={form.isPending} className="mt-[1.625rem]">
              <Trans>Save</Trans>
            </Button>
          </form>
        </div>
      </Band>
    </>
  )
}
