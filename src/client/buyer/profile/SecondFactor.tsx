import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { accountRoutes } from '../../../shared/api/account.ts'
import { call } from '../../area/call.ts'
import { Band } from '../../area/Page.tsx'
import { queryClient } from '../../area/query-client.ts'
import { read, readAgain } from '../../area/reading.ts'
import { errorText, refusalCode } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { Field, Input } from '../../ui/Field.tsx'
import { DateTime } from '../../ui/numbers.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/Spinner.tsx'
import { Status } from '../../ui/Status.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { touched } from '../touched.ts'

const refresh = () => readAgain(queryClient, touched.secondFactor)

/** Authenticator app with recovery codes, and passkeys. */
export function SecondFactor() {
  const { t } = useLingui()
  const [setUp, setSetUp] = useState<{ secret: string; uri: string } | null>(null)
  const [codes, setCodes] = useState<readonly string[]>([])
  const [removing, setRemoving] = useState(false)
  const factor = useQuery({
    ...read(accountRoutes.secondFactor),
  })
  // A refused proof was the reader's own choice; anything else is said.
  const say = (error: unknown) => {
    if (refusalCode(error) !== 'step_up_required') toast.error(errorText(error))
  }
  const begin = useMutation({
    mutationFn: () => call(accountRoutes.beginTotp),
    onSuccess: setSetUp,
    onError: say,
  })
  const remove = useMutation({
    mutationFn: () => call(accountRoutes.removeTotp),
    onError: say,
    onSettled: () => {
      setRemoving(false)
      return refresh()
    },
  })
  const renew = useMutation({
    mutationFn: () => call(accountRoutes.newRecoveryCodes),
    onSuccess: (reply) => setCodes(reply.recoveryCodes),
    onError: say,
    onSettled: refresh,
  })
  const addPasskey = useMutation({
    mutationFn: async () => {
      const { startRegistration } = await import('@simplewebauthn/browser')
      const optionsJSON = (await call(accountRoutes.passkeyOptions)) as never
      const answer = await startRegistration({ optionsJSON })
      const name = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium' }).format(
        new Date(),
      )
      return call(accountRoutes.addPasskey, { body: { name, answer: answer as never } })
    },
    onSuccess: (reply) => setCodes(reply.recoveryCodes),
    onError: (error) => (refusalCode(error) ? say(error) : toast.error(t`The passkey was not made.`)),
    onSettled: refresh,
  })
  const removePasskey = useMutation({
    mutationFn: (id: string) => call(accountRoutes.removePasskey, { params: { id } }),
    onError: say,
    onSettled: refresh,
  })

  const state = factor.data
  const codesLeft = state?.recoveryCodesLeft ?? 0
  return (
    <Band title={<Trans>Second factor</Trans>}>
      {state ? (
        <ul className="border-t border-line">
          <li className="flex flex-wrap items-center gap-x-6 gap-y-3 border-b border-line py-4">
            <Smartphone aria-hidden="true" className="size-6 text-soft" />
            <div className="min-w-0 flex-1 basis-56">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                <Trans>Authenticator app</Trans>
                {state.hasTotp ? (
                  <Status tone="success">
                    <Trans>on</Trans>
                  </Status>
                ) : (
                  <Status>
                    <Trans>off</Trans>
                  </Status>
                )}
              </p>
              <p className="text-sm text-soft">
                <Trans>Six digits that change every 30 seconds, asked for after the password.</Trans>
              </p>
            </div>
            {state.hasTotp ? (
              <Button variant="secondary" size="sm" onClick={() => setRemoving(true)}>
                <Trans>Switch off</Trans>
              </Button>
            ) : (
              <Button variant="secondary" size="sm" loading={begin.isPending} onClick={() => begin.mutate()}>
                <Trans>Switch on</Trans>
              </Button>
            )}
          </li>
          {state.passkeys.map((passkey) => (
            <li
              key={passkey.id}
              className="flex flex-wrap items-center gap-x-6 gap-y-3 border-b border-line py-4"
            >
              <KeyRound aria-hidden="true" className="size-6 text-soft" />
              <div className="min-w-0 flex-1 basis-56">
                <p className="font-medium">
                  <Trans>Passkey</Trans> · <bdi>{passkey.name}</bdi>
                </p>
                <p className="text-sm text-soft">
                  {passkey.lastUsedAt ? (
                    <Trans>
                      last used <DateTime value={passkey.lastUsedAt} />
                    </Trans>
                  ) : (
                    <Trans>never used</Trans>
                  )}
                </p>
              </div>
              <Button
                variant="secondary"
                size="sm"
                loading={removePasskey.isPending && removePasskey.variables === passkey.id}
                onClick={() => removePasskey.mutate(passkey.id)}
              >
                <Trans>Remove</Trans>
              </Button>
            </li>
          ))}
          <li className="flex flex-wrap items-center gap-x-6 gap-y-3 border-b border-line py-4">
            <KeyRound aria-hidden="true" className="size-6 text-soft" />
            <p className="min-w-0 flex-1 basis-56 text-sm text-soft">
              <Trans>A passkey logs in without the password: by fingerprint, face or the device's PIN.</Trans>
            </p>
            <Button
              variant="secondary"
              size="sm"
              loading={addPasskey.isPending}
              onClick={() => addPasskey.mutate()}
            >
              <Trans>Add a passkey</Trans>
            </Button>
          </li>
          {state.hasTotp || state.passkeys.length > 0 ? (
            <li className="flex flex-wrap items-center gap-x-6 gap-y-3 border-b border-line py-4">
              <p className="min-w-0 flex-1 basis-56 text-sm text-soft">
                <RecoveryCodesLeft count={codesLeft} />
              </p>
              <Button variant="ghost" size="sm" loading={renew.isPending} onClick={() => renew.mutate()}>
                <Trans>New recovery codes</Trans>
              </Button>
            </li>
          ) : null}
        </ul>
      ) : factor.isError ? (
        <ErrorState
          title={<Trans>Failed to load data</Trans>}
          onRetry={() => void factor.refetch()}
          retrying={factor.isFetching}
        />
      ) : (
        <SkeletonGroup>
          <Skeleton className="h-20" />
        </SkeletonGroup>
      )}
      {setUp ? (
        <TotpDialog
          secret={setUp.secret}
          uri={setUp.uri}
          onClose={() => setSetUp(null)}
          onDone={(recoveryCodes) => {
            setSetUp(null)
            setCodes(recoveryCodes)
            void refresh()
          }}
        />
      ) : null}
      <RecoveryCodes codes={codes} onClose={() => setCodes([])} />
      <ConfirmDialog
        open={removing}
        onOpenChange={setRemoving}
        title={<Trans>Switch the authenticator app off?</Trans>}
        confirm={<Trans>Switch off</Trans>}
        danger
        loading={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <Trans>From then on the password alone logs in.</Trans>
      </ConfirmDialog>
    </Band>
  )
}

function RecoveryCodesLeft({ count }: { count: number }) {
  const { t } = useLingui()
  return <>{t`Recovery codes left: ${count}`}</>
}

function TotpDialog({
  secret,
  uri,
  onClose,
  onDone,
}: {
  secret: string
  uri: string
  onClose: () => void
  onDone: (recoveryCodes: readonly string[]) => void
}) {
  const { t } = useLingui()
  const [code, setCode] = useState('')
  const confirm = useMutation({
    mutationFn: () => call(accountRoutes.confirmTotp, { body: { code: code.trim() } }),
    onSuccess: (reply) => onDone(reply.recoveryCodes),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      dismissible={false}
      title={<Trans>Switch on the authenticator app</Trans>}
      description={<Trans>Scan the code with the app, then enter the six digits that it shows.</Trans>}
    >
      <form
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (!confirm.isPending) confirm.mutate()
        }}
      >
        <div className="flex flex-wrap items-center gap-5">
          <QrCode text={uri} title={t`QR code for the authenticator app`} size={160} />
          <div className="min-w-0 flex-1 basis-40">
            <p className="text-sm text-soft">
              <Trans>Or type this key:</Trans>
            </p>
            <div className="flex items-center gap-1">
              <span className="figures text-sm break-all">{secret}</span>
              <CopyButton text={secret} what={t`Copy the key`} className="shrink-0" />
            </div>
          </div>
        </div>
        <Field label={<Trans>Code</Trans>} error={confirm.error ? errorText(confirm.error) : undefined}>
          <Input
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={8}
            value={code}
            onChange={(event) => setCode(event.target.value)}
            className="figures tracking-widest"
          />
        </Field>
        <div className="flex justify-end gap-3">
          <Button type="submit" loading={confirm.isPending} disabled={code.trim().length < 6}>
            <Trans>Switch on</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Shown once: the server keeps only what checks them. */
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
          Each works once, when the second factor is out of reach. They are shown only now: keep them off this
          device.
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
