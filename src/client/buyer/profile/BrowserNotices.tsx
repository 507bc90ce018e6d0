import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type PushDevice, type PushKind, pushRoutes } from '../../../shared/api/push.ts'
import { deviceName } from '../../../shared/device-name.ts'
import { call } from '../../area/call.ts'
import { both, Loaded } from '../../area/Loaded.tsx'
import { useNoNotices } from '../../area/no-notices.ts'
import { Band } from '../../area/Page.tsx'
import { ownMark, subscribeHere } from '../../area/push.ts'
import { readItems } from '../../area/reading.ts'
import { useChange } from '../../area/use-change.ts'
import { Button } from '../../ui/Button.tsx'
import { Switch } from '../../ui/Choice.tsx'
import { DateTime, RelativeTime } from '../../ui/numbers.tsx'
import { Skeleton } from '../../ui/Spinner.tsx'
import { Badge } from '../../ui/Status.tsx'
import { toast } from '../../ui/Toast.tsx'

/** Not in `touched.ts`, which every page loads. */
const touches = [pushRoutes.list]
const markKey = ['mark of this browser']

/** Shows no prompt before a click. */
export function BrowserNotices() {
  const devices = useQuery(readItems(pushRoutes.list))
  const own = useQuery({ queryKey: markKey, queryFn: ownMark })
  return (
    <Band
      title={<Trans>Notices in browsers</Trans>}
      lead={
        <Trans>
          They come while this page is closed too, for as long as the browser stays signed in. They hold the
          number and the state of an order or the title of an announcement, and may show on a locked screen.
        </Trans>
      }
    >
      <Loaded query={both(devices, own)} skeleton={<Skeleton className="h-16" />}>
        {([shown, mark]) => <Devices devices={shown} mark={mark} />}
      </Loaded>
    </Band>
  )
}

function Devices({ devices, mark }: { devices: readonly PushDevice[]; mark: string | null }) {
  const own = devices.find((device) => device.mark === mark)
  return (
    <div className="grid gap-5">
      <ThisBrowser own={own} />
      {devices.length > 0 ? (
        <ul className="border-t border-line">
          {devices.map((device) => (
            <DeviceRow key={device.id} device={device} isOwn={device === own} />
          ))}
        </ul>
      ) : null}
    </div>
  )
}

function ThisBrowser({ own }: { own: PushDevice | undefined }) {
  const client = useQueryClient()
  const whyNot = useNoNotices()
  const choose = useChange({
    run: async (tells: PushKind[]) => {
      if (tells.length === 0) return own ? call(pushRoutes.remove, { params: { id: own.id } }) : undefined
      const target = await subscribeHere()
      if (typeof target === 'string') return void toast.error(whyNot[target])
      await call(pushRoutes.keep, { body: { ...target, tells } })
      await client.invalidateQueries({ queryKey: markKey })
    },
    touches,
  })
  const tells = choose.isPending ? choose.variables : (own?.tells ?? [])
  const choice = (kind: PushKind) => ({
    checked: tells.includes(kind),
    disabled: choose.isPending,
    onCheckedChange: (isOn: boolean) =>
      choose.mutate(isOn ? [...tells, kind] : tells.filter((told) => told !== kind)),
  })
  return (
    <div className="grid gap-3">
      <Switch
        {...choice('orders')}
        hint={<Trans>Approved, rejected, expired, paid too little or too late, refunds.</Trans>}
      >
        <Trans>Tell this browser what becomes of my orders</Trans>
      </Switch>
      <Switch {...choice('news')}>
        <Trans>Notify this browser of announcements</Trans>
      </Switch>
    </div>
  )
}

function DeviceRow({ device, isOwn }: { device: PushDevice; isOwn: boolean }) {
  const { t } = useLingui()
  const kinds: Record<PushKind, string> = { orders: t`own orders`, news: t`announcements` }
  const name = deviceName(device.device) ?? t`Unknown device`
  const remove = useChange({
    run: () => call(pushRoutes.remove, { params: { id: device.id } }),
    touches,
    done: () => toast.success(t`It gets no more notices.`),
  })
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 border-b border-line py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium" title={device.device}>
          {name}{' '}
          {isOwn ? (
            <Badge tone="now">
              <Trans>this one</Trans>
            </Badge>
          ) : null}
        </p>
        <p className="text-sm text-soft wrap-anywhere">
          {device.tells.map((kind) => kinds[kind]).join(', ')}
          {' · '}
          <Trans>
            since <DateTime value={device.addedAt} />
          </Trans>
          {device.isConfirmed ? null : (
            <>
              {' · '}
              <Trans>waits until this browser shows its first notice</Trans>
            </>
          )}
          {device.lastSentAt ? (
            <>
              {' · '}
              <Trans>
                last told <RelativeTime value={device.lastSentAt} />
              </Trans>
            </>
          ) : null}
        </p>
      </div>
      <Button
        variant="secondary"
        size="sm"
        loading={remove.isPending}
        onClick={() => remove.mutate()}
        aria-label={t`Remove ${name}`}
      >
        <Trans>Remove</Trans>
      </Button>
    </li>
  )
}
