import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { type Profile } from '../../../shared/api/account.ts'
import { Band } from '../../area/Page.tsx'
import { errorText, refusalCode } from '../../errors.ts'
import { type Locale, localeNames, locales } from '../../i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { Switch } from '../../ui/Choice.tsx'
import { Field, Input, NativeSelect } from '../../ui/Field.tsx'
import { useCheckedForm } from '../forms.ts'
import { useLanguageChange } from '../language.ts'
import { useProfileUpdate } from './update-profile.ts'

/** Language, and whether and how one appears on the leaderboard. */
export function Preferences({ user }: { user: Profile }) {
  const { t } = useLingui()
  const changeLanguage = useLanguageChange()
  const update = useProfileUpdate()
  const [nickname, setNickname] = useState(user.nickname ?? '')
  const { form, problems, check, refused, show } = useCheckedForm()
  const rename = useProfileUpdate((error) => {
    const taken = refusalCode(error) === 'nickname_taken'
    if (taken) show({ nickname: errorText(error) })
    return taken || refused(error)
  })
  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    const checked = await check(({ profileInput }) => profileInput, { nickname })
    if (checked && !rename.isPending) rename.mutate(checked)
  }
  return (
    <>
      <Band title={<Trans>Language</Trans>}>
        <Field label={<Trans>Language of your pages and mails</Trans>} className="max-w-xs">
          <NativeSelect
            value={user.language}
            onChange={(event) => changeLanguage(event.target.value as Locale)}
          >
            {locales.map((locale) => (
              <option key={locale} value={locale} lang={locale}>
                {localeNames[locale]}
              </option>
            ))}
          </NativeSelect>
        </Field>
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
          <form
            ref={form}
            noValidate
            className="flex flex-wrap items-start gap-3"
            onSubmit={(event) => void submit(event)}
          >
            <Field
              label={<Trans>Nickname</Trans>}
              optional={<Trans>optional</Trans>}
              error={problems['nickname']}
              className="flex-1 basis-56"
            >
              <Input
                name="nickname"
                value={nickname}
                onChange={(event) => setNickname(event.target.value)}
                maxLength={30}
                dir="auto"
                placeholder={t`none`}
              />
            </Field>
            <Button type="submit" variant="secondary" loading={rename.isPending} className="mt-[1.625rem]">
              <Trans>Save</Trans>
            </Button>
          </form>
        </div>
      </Band>
    </>
  )
}
