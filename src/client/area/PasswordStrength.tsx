import { useLingui } from '@lingui/react/macro'
import { cx } from 'class-variance-authority'
import { useEffect, useState } from 'react'
import { accountRoutes } from '../../shared/api/account.ts'
import { passwordMax, passwordMin } from '../../shared/password-min.ts'
import {
  type PasswordStrength as Judged,
  strengthMin,
  type Weakness,
} from '../../shared/password-strength.ts'
import { api } from '../api.ts'

/** Delay before a typed password is judged. */
const PAUSE_MS = 600

/** `hints` holds facts about the person. Shows nothing if the server can't be reached. */
export function PasswordStrength({ password, hints = [] }: { password: string; hints?: readonly string[] }) {
  const { t } = useLingui()
  const judged = useJudged(password, hints)
  const words = useWords(judged)
  const strength = judged?.strength ?? 0
  const isTaken = strength >= strengthMin
  return (
    <div className={password === '' ? 'hidden' : 'flex flex-col gap-1.5'}>
      <div
        role="meter"
        aria-label={t`Strength of the password`}
        aria-valuemin={0}
        aria-valuemax={4}
        aria-valuenow={strength}
        aria-valuetext={words || t`Not judged yet`}
        className="grid grid-cols-4 gap-1"
      >
        {[1, 2, 3, 4].map((step) => (
          <span
            key={step}
            className={cx(
              'h-1.5 rounded-sm',
              judged && step <= Math.max(1, strength) ? (isTaken ? 'bg-success' : 'bg-danger') : 'bg-line',
            )}
          />
        ))}
      </div>
      <p aria-live="polite" className="min-h-5 text-sm text-soft">
        {words}
      </p>
    </div>
  )
}

function useJudged(password: string, hints: readonly string[]): Judged | undefined {
  const [judged, setJudged] = useState<Judged & { password: string }>()
  const known = JSON.stringify(hints.map((hint) => hint.slice(0, 120)))
  useEffect(() => {
    if (password.length < passwordMin || password.length > passwordMax) return
    const control = new AbortController()
    const timer = setTimeout(() => {
      const body = { password, hints: JSON.parse(known) as string[] }
      api(accountRoutes.judgePassword, { body, signal: control.signal })
        .then((reply) => setJudged({ ...reply, password }))
        .catch(() => undefined)
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [password, known])
  return judged?.password === password ? judged : undefined
}

function useWords(judged: Judged | undefined): string {
  const { t } = useLingui()
  if (!judged) return ''
  if (judged.why === null) return judged.strength > strengthMin ? t`Strong.` : t`Good.`
  const why: Record<Weakness, string> = {
    common: t`Too weak: many people have this password, or one like it.`,
    personal: t`Too weak: it holds your name, address or login.`,
    keyboard: t`Too weak: attackers try keys that lie side by side early.`,
    sequence: t`Too weak: rows such as “abcd”, “1234” or “qwerty” are tried early.`,
    repeat: t`Too weak: what repeats is hardly longer than its part.`,
    date: t`Too weak: dates and years are tried early.`,
    word: t`Too weak: attackers try single words early. Add more words that have nothing to do with it.`,
    name: t`Too weak: names are tried early. Add words that have nothing to do with them.`,
    guessable: t`Too weak: attackers try its parts early. Add another word or two.`,
  }
  return why[judged.why]
}
