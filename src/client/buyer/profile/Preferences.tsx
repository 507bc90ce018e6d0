import { Trans, useLingui } from '@lingui/react/macro'
import type { Profile } from '../../../shared/api/account.ts'
import { factsOf, localPath } from '../../../shared/languages.ts'
import { useLanguageChange } from '../../area/language.ts'
import { Band } from '../../area/Page.tsx'
import { TextField } from '../../area/TextField.tsx'
import { useChange } from '../../area/use-change.ts'
import { useForm } from '../../area/use-form.ts'
import { documentFacts } from '../../document-facts.ts'
import { isLocale, type Locale } from '../../i18n.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Switch } from '../../ui/Choice.tsx'
import { Field, NativeSelect } from '../../ui/Field.tsx'
import { keptOr, useKept } from '../kept-form.ts'
import { late } from '../late-rules.ts'
import { sendProfile, useProfileChange } from './update-profile.ts'

export function Preferences({ user }: { user: Profile }) {
  const { t, i18n } = useLingui()
  const update = useChange({ ...useProfileChange(), run: sendProfile })
  const saved = { nickname: user.nickname ?? '' }
  const form = useForm({
    ...useProfileChange(),
    rules: late('profile'),
    initial: keptOr('nickname', saved),
    send: sendProfile,
    atField: { nickname_taken: 'nickname' },
  })
  useKept('nickname', form.values, saved)
  return (
    <>
      <LanguageBand language={user.language} />
      <Band title={<Trans>Counting of visits</Trans>}>
        <p className="text-soft">
          <a
            href={`${localPath(i18n.locale, paths.privacy)}#counting`}
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

function LanguageBand({ language }: { language: Locale }) {
  const changeLanguage = useLanguageChange()
  return (
    <Band title={<Trans>Language</Trans>}>
      <Field label={<Trans>Language of your pages and mails</Trans>} className="max-w-xs">
        <NativeSelect
          value={language}
          onChange={(event) => void changeLanguage(event.target.value as Locale)}
        >
          {documentFacts()
            .languages.filter(isLocale)
            .map((locale) => (
              <option key={locale} value={locale} lang={locale}>
                {factsOf(locale).name}
              </option>
            ))}
        </NativeSelect>
      </Field>
    </Band>
  )
}
