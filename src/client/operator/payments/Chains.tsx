import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { operatorPaymentRoutes } from '../../../shared/api/operator-payments.ts'
import type { OperatorChain } from '../../../shared/api/payments.ts'
import { networkName } from '../../../shared/networks.ts'
import { ConfirmChange } from '../../area/ConfirmChange.tsx'
import { call } from '../../area/call.ts'
import { type Column, DataTable } from '../../area/DataTable.tsx'
import { DecimalField } from '../../area/DecimalField.tsx'
import { FormConflict, FormDialog } from '../../area/FormDialog.tsx'
import { type ItemFields, itemsOf } from '../../area/form-fields.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { MoreMenu, RowActions, RowButton } from '../../area/RowActions.tsx'
import { readItems, refreshMs } from '../../area/reading.ts'
import { useEdit } from '../../area/use-edit.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Choice.tsx'
import { Field, Textarea } from '../../ui/Field.tsx'
import { NumberField } from '../../ui/NumberField.tsx'
import { Money, RelativeTime } from '../../ui/numbers.tsx'
import { Status } from '../../ui/Status.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useRefusal } from '../session.ts'
import { touched } from '../touched.ts'
import { NameNode, NodeList, RemoveNode } from './Nodes.tsx'

type Doing =
  | { what: 'confirmations' | 'senders' | 'resume' | 'name'; chain: OperatorChain }
  | { what: 'remove'; chain: OperatorChain; node: OperatorChain['nodes'][number] }
  | { what: 'add'; chain?: undefined }

export function Chains() {
  const { t } = useLingui()
  const [doing, setDoing] = useState<Doing>()
  const query = useQuery({ ...readItems(operatorPaymentRoutes.chains), refetchInterval: refreshMs })
  const columns = useColumns(setDoing)
  const refusal = useRefusal()('currencies:write')
  const onClose = () => setDoing(undefined)
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="measure text-sm text-soft">
          <Trans>
            The server follows a chain through a node that its environment or an operator names. A node of the
            environment can’t be changed here.
          </Trans>
        </p>
        <Button disabledReason={refusal} onClick={() => setDoing({ what: 'add' })}>
          <Trans>Add a node</Trans>
        </Button>
      </div>
      <Loaded query={query}>
        {(chains) => (
          <DataTable
            caption={t`Chains`}
            rows={chains}
            keyOf={({ network }) => network}
            empty={t`No chain is followed: no node is named yet.`}
            columns={columns}
          />
        )}
      </Loaded>
      {doing?.what === 'confirmations' ? <Confirmations chain={doing.chain} onClose={onClose} /> : null}
      {doing?.what === 'name' || doing?.what === 'add' ? (
        <NameNode chains={query.data ?? []} chain={doing.chain} onClose={onClose} />
      ) : null}
      {doing?.what === 'remove' ? <RemoveNode {...doing} onClose={onClose} /> : null}
      {doing?.what === 'senders' ? <Senders chain={doing.chain} onClose={onClose} /> : null}
      {doing?.what === 'resume' ? <Resume chain={doing.chain} onClose={onClose} /> : null}
    </>
  )
}

function useColumns(onDo: (doing: Doing) => void): Column<OperatorChain>[] {
  const { t } = useLingui()
  const refusal = useRefusal()('currencies:write')
  return [
    { label: t`Network`, cell: ({ network }) => networkName(network) },
    { label: t`State`, cell: (chain) => <ChainState chain={chain} /> },
    { label: t`Nodes`, cell: (chain) => <NodeList chain={chain} /> },
    { label: t`Block`, numeric: true, cell: ({ height }) => height ?? '—' },
    { label: t`Behind`, numeric: true, cell: ({ lagBlocks }) => lagBlocks ?? '—' },
    { label: t`Open addresses`, numeric: true, cell: ({ openAddresses }) => openAddresses },
    { label: t`Confirmations`, cell: (chain) => <Rules rules={chain.confirmationRules} /> },
    {
      label: t`Actions`,
      actions: true,
      cell: (chain) => (
        <RowActions>
          {chain.stopped ? (
            <Button size="sm" disabledReason={refusal} onClick={() => onDo({ what: 'resume', chain })}>
              <Trans>Go on…</Trans>
            </Button>
          ) : null}
          <RowButton disabledReason={refusal} onClick={() => onDo({ what: 'name', chain })}>
            <Trans>Node…</Trans>
          </RowButton>
          <MoreMenu
            label={t`More for ${networkName(chain.network)}`}
            actions={[
              { label: t`Confirmations…`, onSelect: () => onDo({ what: 'confirmations', chain }) },
              ...(chain.family === 'evm'
                ? [{ label: t`Refunds from…`, onSelect: () => onDo({ what: 'senders', chain }) }]
                : []),
              ...chain.nodes
                .filter(({ source }) => source === 'page')
                .map((node) => ({
                  label: node.place === 2 ? t`Remove the second node…` : t`Remove the node…`,
                  onSelect: () => onDo({ what: 'remove', chain, node }),
                })),
            ].map((action) => ({ ...action, disabledReason: refusal }))}
          />
        </RowActions>
      ),
    },
  ]
}

function ChainState({ chain }: { chain: OperatorChain }) {
  const { t } = useLingui()
  if (!chain.configured) return <Status>{t`no node`}</Status>
  const error = chain.lastError ? (
    <span className="block text-xs text-soft wrap-anywhere">{chain.lastError}</span>
  ) : null
  if (chain.stopped)
    return (
      <>
        <Status tone="danger">{t`stopped`}</Status>
        {error}
      </>
    )
  if (chain.failingSince)
    return (
      <>
        <Status tone="danger">{t`failing`}</Status>{' '}
        <RelativeTime value={chain.failingSince} className="text-xs" />
        {error}
      </>
    )
  if (!chain.polledAt) return <Status>{t`not read yet`}</Status>
  return (
    <>
      <Status tone="success">{t`followed`}</Status>
      <RelativeTime value={chain.polledAt} className="block text-xs text-soft" />
      {error}
    </>
  )
}

function Rules({ rules }: { rules: readonly Rule[] }) {
  return (
    <ul className="text-xs">
      {rules.map((rule) => (
        <li key={rule.belowUsd ?? 'rest'}>
          {rule.belowUsd ? (
            <Trans>
              below <Money value={rule.belowUsd} whole />: {rule.confirmations}
            </Trans>
          ) : (
            <Trans>else: {rule.confirmations}</Trans>
          )}
          {rule.finalized ? (
            <>
              {' '}
              <Trans>and final</Trans>
            </>
          ) : null}
        </li>
      ))}
    </ul>
  )
}

function Resume({ chain, onClose }: { chain: OperatorChain; onClose: () => void }) {
  const { t } = useLingui()
  const name = networkName(chain.network)
  return (
    <ConfirmChange
      title={t`Follow ${name} again?`}
      confirm={t`Go on`}
      run={() => call(operatorPaymentRoutes.resumeChain, { params: { network: chain.network } })}
      touches={touched.chains}
      done={() => toast.success(t`${name} is followed again.`)}
      onClose={onClose}
    >
      <Trans>
        It stopped because something that must hold did not: {chain.lastError}. Look at it first. Going on
        takes the chain as its node shows it now: payments that it no longer shows lose their credit, also
        final ones.
      </Trans>
    </ConfirmChange>
  )
}

/** One per line. A matching transfer from one of them pays a refund. */
function Senders({ chain, onClose }: { chain: OperatorChain; onClose: () => void }) {
  const { t } = useLingui()
  const form = useEdit({
    thing: { refundSenders: chain.refundSenders, revision: chain.revision },
    valuesOf: ({ refundSenders }) => ({ addresses: refundSenders.join('\n') }),
    send: ({ addresses }: { addresses: string }, { revision }) =>
      call(operatorPaymentRoutes.setRefundSenders, {
        params: { network: chain.network },
        body: { addresses: addresses.split(/\s+/).filter((address) => address !== ''), revision },
      }),
    touches: touched.chains,
    done: () => {
      toast.success(t`Saved.`)
      onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      title={t`Refunds on ${networkName(chain.network)} are paid from`}
      description={t`A transfer pays a refund by itself only if it comes from one of these addresses. Any other is named by hand.`}
      submit={<Trans>Save</Trans>}
      conflict={<FormConflict form={form} labels={{ addresses: t`Addresses, one a line` }} />}
      onClose={onClose}
    >
      <Field label={t`Addresses, one a line`} error={form.error('addresses')}>
        <Textarea
          rows={4}
          className="figures"
          value={form.values.addresses}
          onChange={(event) => form.set({ addresses: event.target.value })}
          spellCheck={false}
        />
      </Field>
    </FormDialog>
  )
}

type Rule = OperatorChain['confirmationRules'][number]
const newRule: Rule = { belowUsd: '', confirmations: 1, finalized: false }

function Confirmations({ chain, onClose }: { chain: OperatorChain; onClose: () => void }) {
  const { t } = useLingui()
  const form = useEdit({
    thing: chain,
    valuesOf: ({ confirmationRules }) => ({ rules: confirmationRules }),
    send: ({ rules }: { rules: Rule[] }, { network, revision }) =>
      call(operatorPaymentRoutes.setConfirmations, { params: { network }, body: { rules, revision } }),
    touches: touched.chains,
    done: () => {
      toast.success(t`The confirmations were saved.`)
      onClose()
    },
  })
  const rules = itemsOf(form, 'rules')
  return (
    <FormDialog
      form={form}
      title={networkName(chain.network)}
      description={t`How many confirmations an order of which size waits for. Payments seen from then on follow it.`}
      submit={<Trans>Save</Trans>}
      conflict={
        <FormConflict
          form={form}
          labels={{ rules: t`Confirmations` }}
          show={(kept) => <Rules rules={kept as Rule[]} />}
        />
      }
      onClose={onClose}
    >
      <Button
        variant="ghost"
        className="self-start"
        disabledReason={rules.length >= 6 ? t`At most 6.` : undefined}
        onClick={() => form.set({ rules: [newRule, ...form.values.rules] })}
      >
        <Trans>Add a rule</Trans>
      </Button>
      <ul className="flex flex-col gap-4">
        {rules.map((rule, index) => (
          // Rules have no key.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="flex flex-wrap items-end gap-3 border-b border-line pb-4">
            <RuleFields rule={rule} />
          </li>
        ))}
      </ul>
    </FormDialog>
  )
}

function RuleFields({ rule }: { rule: ItemFields<Rule> }) {
  const { t } = useLingui()
  const isLast = rule.values.belowUsd === null
  return (
    <>
      {isLast ? (
        <p className="flex h-11 w-36 items-center text-sm">
          <Trans>Everything else</Trans>
        </p>
      ) : (
        <DecimalField form={rule} name="belowUsd" label={t`Below, dollars`} fieldClassName="w-36" />
      )}
      <Field label={t`Confirmations`} error={rule.error('confirmations')}>
        <NumberField
          value={rule.values.confirmations}
          min={1}
          max={1000}
          onValueChange={(confirmations) => rule.set({ confirmations: confirmations ?? 1 })}
        />
      </Field>
      <div className="flex h-11 items-center">
        <Checkbox checked={rule.values.finalized} onCheckedChange={(finalized) => rule.set({ finalized })}>
          <Trans>and final</Trans>
        </Checkbox>
      </div>
      {isLast ? null : (
        <Button variant="ghost" size="sm" onClick={rule.remove}>
          <Trans>Remove</Trans>
        </Button>
      )}
    </>
  )
}
