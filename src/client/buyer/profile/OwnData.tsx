import { Trans, useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { accountRoutes, type Profile } from '../../../shared/api/account.ts'
import { isPositive } from '../../../shared/money.ts'
import { call } from '../../area/call.ts'
import { Band } from '../../area/Page.tsx'
import { queryClient } from '../../area/query-client.ts'
import { readAgain } from '../../area/reading.ts'
import { saveFile } from '../../area/save-file.ts'
import { useChange } from '../../area/use-change.ts'
import { isOnServer } from '../../document-facts.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Choice.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { Notice } from '../../ui/states.tsx'
import { useCampaign, useHoldings } from '../queries.ts'
import { touched } from '../touched.ts'

export function OwnData({ user }: { user: Profile }) {
  const [isAsking, setAsking] = useState(false)
  const exportData = useChange({
    run: () => call(accountRoutes.exportData),
    touches: [],
    done: (data) => saveFile('my-data.json', 'application/json', JSON.stringify(data, null, 2)),
  })
  return (
    <Band title={<Trans>Your data</Trans>}>
      <p className="measure text-soft">
        <Trans>
          Deleting the account makes it anonymous: name, address and phone go, orders and ledger entries stay
          under a random reference. It is refused while anything is pending or owed. If money comes to one of
          your orders later, you claim it with a link to this email address; for that a keyed hash of the
          address stays.
        </Trans>
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button variant="secondary" loading={exportData.isPending} onClick={() => exportData.mutate()}>
          <Download aria-hidden="true" className="size-4" />
          <Trans>Export my data</Trans>
        </Button>
        <Button variant="ghost" className="text-danger!" onClick={() => setAsking(true)}>
          <Trans>Delete my account</Trans>
        </Button>
      </div>
      {user.deletionDueAt ? <WaitingDeletion dueAt={user.deletionDueAt} /> : null}
      <Deletion isOpen={isAsking} onOpenChange={setAsking} />
    </Band>
  )
}

/** Shown while the deletion waits. */
function WaitingDeletion({ dueAt }: { dueAt: string }) {
  const keep = useChange({ run: () => call(accountRoutes.keep), touches: touched.profile })
  return (
    <div className="mt-4">
      <Notice>
        <p>
          <Trans>
            Your account is deleted on <DateTime value={dueAt} />. Until then everything works as before.
          </Trans>
        </p>
        <Button
          variant="secondary"
          size="sm"
          className="mt-3"
          loading={keep.isPending}
          onClick={() => keep.mutate()}
        >
          <Trans>Keep the account</Trans>
        </Button>
      </Notice>
    </div>
  )
}

/** A buyer who holds tokens must agree to give them up. */
function Deletion({ isOpen, onOpenChange }: { isOpen: boolean; onOpenChange: (open: boolean) => void }) {
  const { t } = useLingui()
  const balance = useHoldings().data?.balanceTokens ?? '0'
  // The server draws this page too, where there is no `location`.
  const claimAddress = isOnServer ? '' : `${location.host}${paths.claimRefund}`
  const symbol = useCampaign().data?.settings.symbol
  const [givesUp, setGivesUp] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const hasTokens = isPositive(balance)
  const remove = useChange({
    run: () => call(accountRoutes.remove, { body: hasTokens ? { givesUpTokens: givesUp } : {} }),
    touches: [],
    done: ({ dueAt }) => {
      if (dueAt === null) return location.assign(paths.home)
      onOpenChange(false)
      return readAgain(queryClient, touched.profile)
    },
    onFail: () => onOpenChange(false),
    failed: t`The account was not deleted`,
  })
  return (
    <ConfirmDialog
      open={isOpen}
      onOpenChange={onOpenChange}
      title={<Trans>Delete the account?</Trans>}
      confirm={<Trans>Delete my account</Trans>}
      cancel={<Trans>Keep it</Trans>}
      danger
      loading={remove.isPending}
      onConfirm={() => {
        if (hasTokens && !givesUp) setMissing(true)
        else remove.mutate()
      }}
    >
      <p>
        <Trans>
          This can't be undone. If you have tokens to come, a prize or a chance of one, or friends who came by
          your link, or changed your email or second factor this week, it happens after a week; until then you
          can keep the account. After that you can't log in any more. Refunds of later payments go by a link
          to your email address, at {claimAddress}.
        </Trans>
      </p>
      {hasTokens ? (
        <div className="mt-4">
          <Checkbox
            checked={givesUp}
            onCheckedChange={(next) => {
              setGivesUp(next)
              setMissing(false)
            }}
            error={isMissing ? t`Tick this first: the tokens go with the account.` : undefined}
          >
            <Trans>
              I give up my <TokenAmount value={balance} unit={symbol} />
            </Trans>
          </Checkbox>
        </div>
      ) : null}
    </ConfirmDialog>
  )
}
