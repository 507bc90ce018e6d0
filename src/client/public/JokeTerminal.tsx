import { Trans, useLingui } from '@lingui/react/macro'
import { usePath } from './frame.tsx'

/** Works without its script. */
export function JokeTerminal() {
  const path = usePath()
  const { lines, words } = useJoke()
  return (
    <main
      id="main"
      data-island="joke"
      data-lines={JSON.stringify(lines)}
      data-words={JSON.stringify(words)}
      className="grid flex-1 place-items-center bg-black p-6 text-white"
    >
      <h1 className="sr-only">
        <Trans>Admin panel (a joke)</Trans>
      </h1>
      <button
        type="button"
        data-open
        className="figures rounded-md border border-white px-6 py-4 text-lg hover:bg-white hover:text-black focus-visible:outline-white"
      >
        <Trans>Admin panel</Trans>
      </button>
      <div hidden data-terminal tabIndex={-1} className="w-full max-w-3xl outline-none">
        <div role="log" aria-live="polite" data-log className="figures grid gap-1 text-sm leading-relaxed" />
        <p data-red className="display mt-6 h-24 text-8xl text-[oklch(0.7_0.2_27)]" aria-hidden="true" />
        <div hidden data-after className="mt-6 flex flex-wrap items-center gap-4">
          <p data-hint className="text-sm" />
          <a href={path('/')} className="under text-sm">
            <Trans>Go home</Trans>
          </a>
        </div>
        <button
          type="button"
          data-mute
          aria-pressed="false"
          className="fixed top-16 end-4 rounded-md border border-white px-4 py-2 text-sm hover:bg-white hover:text-black focus-visible:outline-white"
        >
          <Trans>Mute</Trans>
        </button>
      </div>
      <noscript>
        <p className="fixed inset-x-0 bottom-8 text-center">
          <Trans>This was a joke. It read nothing and sent nothing, and there is no admin panel here.</Trans>
        </p>
      </noscript>
    </main>
  )
}

function useJoke() {
  const { t } = useLingui()
  const lines = [
    t`Waking up the hamster…`,
    t`Hamster asks for five more minutes. Granted.`,
    t`Polishing 100 small coins, on both sides.`,
    t`Counting to one million. Lost count at eleven.`,
    t`Asking the rubber duck for permission. The duck says nothing.`,
    t`Taking silence as a yes.`,
    t`Opening the big red door. It is painted on.`,
    t`Looking for the any key.`,
    t`Downloading more weather.`,
    t`Teaching the sloth to type. Ready by autumn.`,
    t`Turning it off and on again. It is a lamp.`,
    t`Calibrating the sandwich.`,
    t`Sandwich is 3% off centre. Acceptable.`,
    t`Consulting the horoscope of the server: Taurus.`,
    t`Buying a hat for the firewall.`,
    t`The firewall looks great.`,
    t`Asking Ito whether it knows the password. Ito knows a song.`,
    t`Ito sings. We ask Ito to stop.`,
    t`Reticulating noodles.`,
    t`Soup is ready.`,
  ]
  const words = {
    closing: t`This was a joke. It read nothing and sent nothing, and there is no admin panel here.`,
    red: t`SOUP!`,
    hint: t`Press any key to start over.`,
  }
  return { lines, words }
}
