import { Trans, useLingui } from '@lingui/react/macro'
import { browserSupportsWebAuthn, startRegistration } from '@simplewebauthn/browser'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { operatorSessionRoutes } from '../../../shared/api/operator-session.ts'
import { call } from '../../area/call.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { read, readAgain } from '../../area/reading.ts'
import { useChange } from '../../area/use-change.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { Field, FormError, Input } from '../../ui/Field.tsx'
import { DateTime } from '../../ui/numbers.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import { Status } from '../../ui/Status.tsx'
import { toast } from '../../ui/Toast.tsx'
import { touched } from '../touched.ts'

/** Authenticator app, passkeys and recovery codes of the operator who is signed in. */
export function SecondFactor() {
  const { t } = useLingui()
  const { revalidate } = useRevalidator()
  const [setup, setSetup] = useState<{ secret: string; uri: string }>()
  const [codes, setCodes] = useState<readonly string[]>()
  const [asked, setAsked] = useState<'totp' | 'codes' | { passkey: string; name: string }>()
  const query = useQuery({
    ...read(operatorSessionRoutes.secondFactor),
  })
  const changed = (recoveryCodes?: readonly string[]) => {
    setAsked(undefined)
    if (recoveryCodes && recoveryCodes.length > 0) setCodes(recoveryCodes)
    void revalidate()
  }
  const begin = useChange({
    run: () => call(operatorSessionRoutes.beginTotp),
    touches: touched.secondFactor,
    done: setSetup,
  })
  const removeTotp = useChange({
    run: () => call(operatorSessionRoutes.removeTotp),
    touches: touched.secondFactor,
    done: () => {
      toast.success(t`The authenticator app is off.`)
      changed()
    },
  })
  const newCodes = useChange({
    run: () => call(operatorSessionRoutes.newRecoveryCodes),
    touches: touched.secondFactor,
    done: ({ recoveryCodes }) => changed(recoveryCodes),
  })
  const removePasskey = useChange({
    run: (id: string) => call(operatorSessionRoutes.removePasskey, { params: { id } }),
    touches: touched.secondFactor,
    done: () => {
      toast.success(t`The passkey was removed.`)
      changed()
    },
  })
  return (
    <Loaded query={query}>
      {(factor) => (
        <div className="flex flex-col gap-6">
          <div className="flex flex-wrap items-center gap-4">
            <div className="min-w-56 flex-1">
              <h3 className="font-medium">
                <Trans>Authenticator app</Trans>
              </h3>
              {factor.hasTotp ? <Status tone="success">{t`on`}</Status> : <Status>{t`off`}</Status>}
            </div>
            {factor.hasTotp ? (
              <Button variant="secondary" onClick={() => setAsked('totp')}>
                <Trans>Switch off</Trans>
              </Button>
            ) : (
              <Button loading={begin.isPending} onClick={() => begin.mutate()}>
                <Trans>Switch on</Trans>
              </Button>
            )}
          </div>
          <Passkeys
            passkeys={factor.passkeys}
            onAdded={changed}
            onRemove={(id, name) => setAsked({ passkey: id, name })}
          />
          {factor.hasTotp || factor.passkeys.length > 0 ? (
            <div className="flex flex-wrap items-center gap-4">
              <div className="min-w-56 flex-1">
                <h3 className="font-medium">
                  <Trans>Recovery codes</Trans>
                </h3>
                <p className="text-sm text-soft">
                  <Trans>Left: {factor.recoveryCodesLeft}</Trans>
                </p>
              </div>
              <Button variant="secondary" onClick={() => setAsked('codes')}>
                <Trans>New codes</Trans>
              </Button>
            </div>
          ) : null}
          {setup ? (
            <TotpSetup
              setup={setup}
              onClose={() => setSetup(undefined)}
              onDone={(recoveryCodes) => {
                setSetup(undefined)
                changed(recoveryCodes)
              }}
            />
          ) : null}
          {codes ? <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} /> : null}
          <ConfirmDialog
            open={asked !== undefined}
            onOpenChange={(open) => !open && setAsked(undefined)}
            danger
            title={asked === 'codes' ? t`Make new codes?` : t`Remove this factor?`}
            confirm={asked === 'codes' ? t`Make new codes` : t`Remove`}
            loading={removeTotp.isPending || newCodes.isPending || removePasskey.isPending}
            onConfirm={() => {
              if (asked === 'totp') removeTotp.mutate()
              else if (asked === 'codes') newCodes.mutate()
              else if (asked) removePasskey.mutate(asked.passkey)
            }}
          >
            {asked === 'codes' ? <Trans>The old codes stop working at once.</Trans> : null}
            {asked === 'totp' ? <Trans>Codes of the authenticator app stop working at once.</Trans> : null}
            {typeof asked === 'object' ? (
              <Trans>The passkey “{asked.name}” stops working at once.</Trans>
            ) : null}
          </ConfirmDialog>
        </div>
      )}
    </Loaded>
  )
}

interface KeptPasskey {
  id: string
  name: string
  createdAt: string
}

function Passkeys({
  passkeys,
  onAdded,
  onRemove,
}: {
  passkeys: readonly KeptPasskey[]
  onAdded: (recoveryCodes: readonly string[]) => void
  onRemove: (id: string, name: string) => void
}) {
  const { t } = useLingui()
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const add = async () => {
    setBusy(true)
    try {
      const options = await call(operatorSessionRoutes.passkeyOptions)
      const answer = await startRegistration({ optionsJSON: options as never })
      const added = await call(operatorSessionRoutes.addPasskey, {
        body: { name: name.trim(), answer: answer as never },
      })
      setName('')
      toast.success(t`The passkey was added.`)
      readAgain(client, touched.secondFactor)
      onAdded(added.recoveryCodes)
    } catch (error) {
      toast.error(t`No passkey was added`, errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div>
      <h3 className="font-medium">
        <Trans>Passkeys</Trans>
      </h3>
      <ul className="my-2 flex flex-col gap-2">
        {passkeys.map((passkey) => (
          <li
            key={passkey.id}
            className="flex flex-wrap items-center gap-3 border-b border-line py-1 text-sm"
          >
            <span className="min-w-0 flex-1 truncate">{passkey.name}</span>
            <DateTime value={passkey.createdAt} part="date" className="text-soft" />
            <Button variant="ghost" size="sm" onClick={() => onRemove(passkey.id, passkey.name)}>
              <Trans>Remove</Trans>
            </Button>
          </li>
        ))}
      </ul>
      {browserSupportsWebAuthn() ? (
        <form
          className="flex flex-wrap items-end gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            void add()
          }}
        >
          <Field label={t`Name of the new passkey`} className="w-64">
            <Input value={name} maxLength={60} onChange={(event) => setName(event.target.value)} />
          </Field>
          <Button type="submit" variant="secondary" loading={busy} disabled={name.trim() === ''}>
            <Trans>Add a passkey</Trans>
          </Button>
        </form>
      ) : (
        <p className="text-sm text-soft">
          <Trans>This browser knows no passkeys, or the site is not on https.</Trans>
        </p>
      )}
    </div>
  )
}

function TotpSetup({
  setup,
  onClose,
  onDone,
}: {
  setup: { secret: string; uri: string }
  onClose: () => void
  onDone: (recoveryCodes: readonly string[]) => void
}) {
  const { t } = useLingui()
  const [code, setCode] = useState('')
  const [failure, setFailure] = useState<string>()
  const confirm = useChange({
    run: () => call(operatorSessionRoutes.confirmTotp, { body: { code } }),
    touches: touched.secondFactor,
    done: ({ recoveryCodes }) => {
      toast.success(t`The authenticator app is on.`)
      onDone(recoveryCodes)
    },
    failed: false,
    onFail: (error) => setFailure(errorText(error)),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      dismissible={false}
      title={t`Authenticator app`}
      description={t`Scan the picture with your app, then enter the code that it shows. Until then nothing changes.`}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          setFailure(undefined)
          confirm.mutate()
        }}
      >
        <div className="flex flex-wrap items-center gap-5">
          <QrCode text={setup.uri} title={t`QR code for the authenticator app`} />
          <div className="min-w-0 flex-1 text-sm">
            <p className="text-soft">
              <Trans>Or type this secret:</Trans>
            </p>
            <p className="figures wrap-anywhere">
              {setup.secret} <CopyButton text={setup.secret} what={t`Copy the secret`} />
            </p>
          </div>
        </div>
        <FormError>{failure}</FormError>
        <Field label={t`Code`}>
          <Input
            className="figures"
            value={code}
            onChange={(event) => setCode(event.target.value)}
            autoComplete="one-time-code"
            inputMode="numeric"
          />
        </Field>
        <Button type="submit" loading={confirm.isPending} disabled={code.trim().length < 6}>
          <Trans>Switch on</Trans>
        </Button>
      </form>
    </Dialog>
  )
}

function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      dismissible={false}
      title={t`Recovery codes`}
      description={t`Each serves once, where the app or the passkey is out of reach. They are shown only now: keep them.`}
      footer={
        <>
          <CopyButton text={codes.join('\n')} what={t`Copy the codes`}>
            <Trans>Copy</Trans>
          </CopyButton>
          <Button onClick={onClose}>
            <Trans>I have kept them</Trans>
          </Button>
        </>
      }
    >
      <ul className="figures grid grid-cols-2 gap-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Dialog>
  )
}
