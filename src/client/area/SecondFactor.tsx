import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, type LucideIcon, Smartphone } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { SecondFactor as Factor } from '../../shared/api/own-access.ts'
import { isOnServer } from '../document-facts.ts'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { FormError } from '../ui/Field.tsx'
import { DateTime } from '../ui/numbers.tsx'
import { QrCode } from '../ui/QrCode.tsx'
import { Skeleton } from '../ui/Spinner.tsx'
import { Status } from '../ui/Status.tsx'
import { toast } from '../ui/Toast.tsx'
import type { AccessRoutes } from './access-routes.ts'
import { ConfirmChange } from './ConfirmChange.tsx'
import { call } from './call.ts'
import { Loaded } from './Loaded.tsx'
import { Band } from './Page.tsx'
import { knowsPasskeys, makePasskey } from './passkey.ts'
import { read, type Touched } from './reading.ts'
import { TextField } from './TextField.tsx'
import { useChange } from './use-change.ts'
import { useForm } from './use-form.ts'

interface Access {
  routes: AccessRoutes
  touches: Touched
}

type Passkey = Factor['passkeys'][number]
type Codes = readonly string[]
interface Setup {
  secret: string
  uri: string
}
type Asked = 'totp' | 'codes' | Passkey

export function SecondFactor(access: Access) {
  const { revalidate } = useRevalidator()
  const [setup, setSetup] = useState<Setup>()
  const [codes, setCodes] = useState<Codes>([])
  const [asked, setAsked] = useState<Asked>()
  const query = useQuery(read(access.routes.secondFactor))
  const onChanged = (recoveryCodes: Codes = []) => {
    if (recoveryCodes.length > 0) setCodes(recoveryCodes)
    // The shell's facts about the account may have changed.
    void revalidate()
  }
  return (
    <Band title={<Trans>Second factor</Trans>}>
      <Loaded query={query} skeleton={<Skeleton className="h-20" />}>
        {(factor) => (
          <ul className="border-t border-line">
            <App {...access} isOn={factor.hasTotp} onSetup={setSetup} onOff={() => setAsked('totp')} />
            {factor.passkeys.map((passkey) => (
              <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => setAsked(passkey)} />
            ))}
            <AddPasskey {...access} onAdded={onChanged} />
            {factor.hasTotp || factor.passkeys.length > 0 ? (
              <CodesLeft count={factor.recoveryCodesLeft} onRenew={() => setAsked('codes')} />
            ) : null}
          </ul>
        )}
      </Loaded>
      {setup ? (
        <SetupDialog {...access} setup={setup} onClose={() => setSetup(undefined)} onDone={onChanged} />
      ) : null}
      <RecoveryCodes codes={codes} onClose={() => setCodes([])} />
      {asked ? (
        <Question {...access} asked={asked} onClose={() => setAsked(undefined)} onDone={onChanged} />
      ) : null}
    </Band>
  )
}

function Row({
  Icon,
  title,
  note,
  action,
}: {
  Icon?: LucideIcon
  title?: ReactNode
  note: ReactNode
  action: ReactNode
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 border-b border-line py-4">
      {Icon ? <Icon aria-hidden="true" className="size-6 text-soft" /> : null}
      <div className="min-w-0 flex-1 basis-56">
        {title ? <p className="flex flex-wrap items-center gap-2 font-medium">{title}</p> : null}
        <p className="text-sm text-soft">{note}</p>
      </div>
      {action}
    </li>
  )
}

function App({
  routes,
  touches,
  isOn,
  onSetup,
  onOff,
}: Access & { isOn: boolean; onSetup: (setup: Setup) => void; onOff: () => void }) {
  const begin = useChange({ run: () => call(routes.beginTotp, { body: {} }), touches, done: onSetup })
  return (
    <Row
      Icon={Smartphone}
      title={
        <>
          <Trans>Authenticator app</Trans>
          <Status {...(isOn ? { tone: 'success' } : {})}>
            {isOn ? <Trans>on</Trans> : <Trans>off</Trans>}
          </Status>
        </>
      }
      note={<Trans>Six digits that change every 30 seconds, asked for after the password.</Trans>}
      action={
        isOn ? (
          <Button variant="secondary" size="sm" onClick={onOff}>
            <Trans>Switch off</Trans>
          </Button>
        ) : (
          <Button variant="secondary" size="sm" loading={begin.isPending} onClick={() => begin.mutate()}>
            <Trans>Switch on</Trans>
          </Button>
        )
      }
    />
  )
}

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  return (
    <Row
      Icon={KeyRound}
      title={
        <span>
          <Trans>Passkey</Trans> · <bdi>{passkey.name}</bdi>
        </span>
      }
      note={
        passkey.lastUsedAt ? (
          <Trans>
            last used <DateTime value={passkey.lastUsedAt} />
          </Trans>
        ) : (
          <Trans>never used</Trans>
        )
      }
      action={
        <Button variant="secondary" size="sm" onClick={onRemove}>
          <Trans>Remove</Trans>
        </Button>
      }
    />
  )
}

/** A passkey without a name is named after the day. */
function AddPasskey({ routes, touches, onAdded }: Access & { onAdded: (codes: Codes) => void }) {
  const { t, i18n } = useLingui()
  const [today] = useState(() =>
    new Intl.DateTimeFormat(i18n.locale, { dateStyle: 'medium' }).format(new Date()),
  )
  const form = useForm({
    initial: { name: '' },
    send: async ({ name }: { name: string }) => {
      const answer = await makePasskey(routes)
      return call(routes.addPasskey, { body: { name: name.trim() || today, answer } })
    },
    touches,
    done: ({ recoveryCodes }) => {
      toast.success(t`The passkey was added.`)
      onAdded(recoveryCodes)
    },
    empties: true,
    failed: t`No passkey was added`,
  })
  // The server can't know what the browser supports and draws the usual case.
  const mayKnow = knowsPasskeys || isOnServer
  return (
    <Row
      Icon={KeyRound}
      note={
        mayKnow ? (
          <Trans>A passkey logs in without the password: by fingerprint, face or the device's PIN.</Trans>
        ) : (
          <Trans>This browser knows no passkeys, or the site is not on https.</Trans>
        )
      }
      action={
        mayKnow ? (
          <form {...form.formProps} className="flex flex-wrap items-end gap-3">
            <TextField
              form={form}
              name="name"
              label={t`Name of the new passkey`}
              optional={t`optional`}
              placeholder={today}
              maxLength={60}
              fieldClassName="w-full sm:w-72"
            />
            <Button type="submit" variant="secondary" loading={form.isPending}>
              <Trans>Add a passkey</Trans>
            </Button>
          </form>
        ) : null
      }
    />
  )
}

function CodesLeft({ count, onRenew }: { count: number; onRenew: () => void }) {
  const { t } = useLingui()
  return (
    <Row
      note={t`Recovery codes left: ${count}`}
      action={
        <Button variant="ghost" size="sm" onClick={onRenew}>
          <Trans>New recovery codes</Trans>
        </Button>
      }
    />
  )
}

function Question({
  routes,
  touches,
  asked,
  onClose,
  onDone,
}: Access & { asked: Asked; onClose: () => void; onDone: (codes?: Codes) => void }) {
  const { t } = useLingui()
  const question = { touches, danger: true, onClose }
  if (asked === 'totp')
    return (
      <ConfirmChange
        {...question}
        title={<Trans>Switch the authenticator app off?</Trans>}
        confirm={<Trans>Switch off</Trans>}
        run={() => call(routes.removeTotp, { body: {} })}
        done={() => {
          toast.success(t`The authenticator app is off.`)
          onDone()
        }}
      >
        <Trans>Codes of the authenticator app stop working at once.</Trans>
      </ConfirmChange>
    )
  if (asked === 'codes')
    return (
      <ConfirmChange
        {...question}
        title={<Trans>Make new codes?</Trans>}
        confirm={<Trans>Make new codes</Trans>}
        run={() => call(routes.newRecoveryCodes, { body: {} })}
        done={({ recoveryCodes }) => onDone(recoveryCodes)}
      >
        <Trans>The old codes stop working at once.</Trans>
      </ConfirmChange>
    )
  return (
    <ConfirmChange
      {...question}
      title={<Trans>Remove this factor?</Trans>}
      confirm={<Trans>Remove</Trans>}
      run={() => call(routes.removePasskey, { params: { id: asked.id }, body: {} })}
      done={() => {
        toast.success(t`The passkey was removed.`)
        onDone()
      }}
    >
      <Trans>The passkey “{asked.name}” stops working at once.</Trans>
    </ConfirmChange>
  )
}

function SetupDialog({
  routes,
  touches,
  setup,
  onClose,
  onDone,
}: Access & { setup: Setup; onClose: () => void; onDone: (codes: Codes) => void }) {
  const { t } = useLingui()
  const form = useForm({
    initial: { code: '' },
    send: ({ code }: { code: string }) => call(routes.confirmTotp, { body: { code: code.trim() } }),
    touches,
    done: ({ recoveryCodes }) => {
      toast.success(t`The authenticator app is on.`)
      onClose()
      onDone(recoveryCodes)
    },
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      dismissible={false}
      title={<Trans>Switch on the authenticator app</Trans>}
      description={<Trans>Scan the code with the app, then enter the six digits that it shows.</Trans>}
    >
      <form {...form.formProps} className="grid gap-5">
        <div className="flex flex-wrap items-center gap-5">
          <QrCode text={setup.uri} title={t`QR code for the authenticator app`} size={160} />
          <div className="min-w-0 flex-1 basis-40">
            <p className="text-sm text-soft">
              <Trans>Or type this key:</Trans>
            </p>
            <div className="flex items-center gap-1">
              <span className="figures text-sm break-all">{setup.secret}</span>
              <CopyButton text={setup.secret} what={t`Copy the key`} className="shrink-0" />
            </div>
          </div>
        </div>
        <FormError>{form.failure}</FormError>
        <TextField
          form={form}
          name="code"
          label={<Trans>Code</Trans>}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={8}
          className="figures tracking-widest"
        />
        <Button
          type="submit"
          className="justify-self-end"
          loading={form.isPending}
          disabled={form.values.code.trim().length < 6}
        >
          <Trans>Switch on</Trans>
        </Button>
      </form>
    </Dialog>
  )
}

/** Shown once, because the server stores only hashes. */
function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <Dialog
      open={codes.length > 0}
      onOpenChange={(open) => !open && onClose()}
      dismissible={false}
      title={<Trans>Recovery codes</Trans>}
      description={
        <Trans>
          Each works once, from tomorrow on, when the second factor is out of reach. They are shown only now:
          keep them off this device.
        </Trans>
      }
      footer={
        <>
          <CopyButton text={codes.join('\n')} what={t`Copy the codes`}>
            <Trans>Copy the codes</Trans>
          </CopyButton>
          <Button onClick={onClose}>
            <Trans>I have kept them</Trans>
          </Button>
        </>
      }
    >
      <ul className="figures grid grid-cols-2 gap-2 text-sm">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Dialog>
  )
}
