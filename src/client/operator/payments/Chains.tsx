import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type OperatorChain, operatorPaymentRoutes } from '../../../shared/api/payments.ts'
import { call } from '../../area/call.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { readItems, refreshMs } from '../../area/reading.ts'
import { useChange } from '../../area/use-change.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Choice.tsx'
import { DecimalInput } from '../../ui/DecimalInput.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { Field, FormError } from '../../ui/Field.tsx'
import { NumberField } from '../../ui/NumberField.tsx'
import { Money, RelativeTime } from '../../ui/numbers.tsx'
import { Status } from '../../ui/Status.tsx'
import { EmptyRow, Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { toast } from '../../ui/Toast.tsx'
import { networkNames } from '../network-names.ts'
import { useRefusal } from '../session.ts'
import { touched } from '../touched.ts'

type Doing = { what: 'confirmations' | 'resume'; chain: OperatorChain }

/** The chains that are followed: how far, how late, what went wrong. Their nodes come from the environment. */
export function Chains() {
  const { t } = useLingui()
  const refusal = useRefusal()('currencies:write')
  const [doing, setDoing] = useState<Doing>()
  const query = useQuery({
    ...readItems(operatorPaymentRoutes.chains),
    refetchInterval: refreshMs,
  })
  return (
    <>
      <Loaded query={query}>
        {(chains) => (
          <Table caption={t`Chains`} stack>
            <THead>
              <Th>{t`Network`}</Th>
              <Th>{t`State`}</Th>
              <Th numeric>{t`Block`}</Th>
              <Th numeric>{t`Behind`}</Th>
              <Th numeric>{t`Open addresses`}</Th>
              <Th>{t`Confirmations`}</Th>
              <Th className="text-right">{t`Actions`}</Th>
            </THead>
            <TBody>
              {chains.length === 0 ? (
                <EmptyRow
                  columns={7}
                >{t`No chain is followed: no node is named in the environment.`}</EmptyRow>
              ) : null}
              {chains.map((chain) => (
                <Tr key={chain.network}>
                  <Td label={t`Network`}>{networkNames[chain.network]}</Td>
                  <Td label={t`State`}>
                    <ChainState chain={chain} />
                  </Td>
                  <Td label={t`Block`} numeric>
                    {chain.height ?? '—'}
                  </Td>
                  <Td label={t`Behind`} numeric>
                    {chain.lagBlocks ?? '—'}
                  </Td>
                  <Td label={t`Open addresses`} numeric>
                    {chain.openAddresses}
                  </Td>
                  <Td label={t`Confirmations`}>
                    <Rules chain={chain} />
                  </Td>
                  <Td className="max-sm:justify-end!">
                    <span className="flex justify-end gap-1">
                      <Button
                        variant="secondary"
                        size="sm"
                        disabledReason={refusal}
                        onClick={() => setDoing({ what: 'confirmations', chain })}
                      >
                        <Trans>Confirmations…</Trans>
                      </Button>
                      {chain.stopped ? (
                        <Button
                          size="sm"
                          disabledReason={refusal}
                          onClick={() => setDoing({ what: 'resume', chain })}
                        >
                          <Trans>Go on…</Trans>
                        </Button>
                      ) : null}
                    </span>
                  </Td>
                </Tr>
              ))}
            </TBody>
          </Table>
        )}
      </Loaded>
      {doing?.what === 'confirmations' ? (
        <Confirmations chain={doing.chain} onClose={() => setDoing(undefined)} />
      ) : null}
      {doing?.what === 'resume' ? <Resume chain={doing.chain} onClose={() => setDoing(undefined)} /> : null}
    </>
  )
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
  return (
    <>
      <Status tone="success">{t`followed`}</Status>
      {chain.polledAt ? <RelativeTime value={chain.polledAt} className="block text-xs text-soft" /> : null}
    </>
  )
}

function Rules({ chain }: { chain: OperatorChain }) {
  return (
    <ul className="text-xs">
      {chain.confirmationRules.map((rule) => (
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
  const name = networkNames[chain.network]
  const resume = useChange({
    run: () => call(operatorPaymentRoutes.resumeChain, { params: { network: chain.network } }),
    touches: touched.chains,
    done: () => {
      toast.success(t`${name} is followed again.`)
      onClose()
    },
    onFail: onClose,
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t`Follow ${name} again?`}
      confirm={t`Go on`}
      loading={resume.isPending}
      onConfirm={() => resume.mutate()}
    >
      <Trans>It stopped because something that must hold did not: {chain.lastError}. Look at it first.</Trans>
    </ConfirmDialog>
  )
}

function Confirmations({ chain, onClose }: { chain: OperatorChain; onClose: () => void }) {
  const { t } = useLingui()
  const [rules, setRules] = useState(chain.confirmationRules)
  const [failure, setFailure] = useState<string>()
  const change = (at: number, next: Partial<(typeof rules)[number]>) =>
    setRules(rules.map((rule, index) => (index === at ? { ...rule, ...next } : rule)))
  const save = useChange({
    run: () =>
      call(operatorPaymentRoutes.setConfirmations, { params: { network: chain.network }, body: { rules } }),
    touches: touched.chains,
    done: () => {
      toast.success(t`The confirmations were saved.`)
      onClose()
    },
    failed: false,
    onFail: (error) => setFailure(errorText(error)),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      dismissible={false}
      title={networkNames[chain.network]}
      description={t`How many confirmations an order of which size waits for. Payments seen from then on follow it.`}
      footer={
        <>
          <Button
            variant="ghost"
            disabledReason={rules.length >= 6 ? t`At most 6.` : undefined}
            onClick={() => setRules([{ belowUsd: '', confirmations: 1, finalized: false }, ...rules])}
          >
            <Trans>Add a rule</Trans>
          </Button>
          <Button loading={save.isPending} onClick={() => save.mutate()}>
            <Trans>Save</Trans>
          </Button>
        </>
      }
    >
      <FormError>{failure}</FormError>
      <ul className="flex flex-col gap-4">
        {rules.map((rule, index) => (
          // Rules have no key of their own; their order is what they are.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="flex flex-wrap items-end gap-3 border-b border-line pb-4">
            {rule.belowUsd === null ? (
              <p className="flex h-11 w-36 items-center text-sm">
                <Trans>Everything else</Trans>
              </p>
            ) : (
              <Field label={t`Below, dollars`} className="w-36">
                <DecimalInput
                  className="figures"
                  value={rule.belowUsd}
                  onValueChange={(belowUsd) => change(index, { belowUsd })}
                />
              </Field>
            )}
            <Field label={t`Confirmations`}>
              <NumberField
                value={rule.confirmations}
                min={1}
                max={1000}
                onValueChange={(confirmations) => change(index, { confirmations: confirmations ?? 1 })}
              />
            </Field>
            <div className="flex h-11 items-center">
              <Checkbox
                checked={rule.finalized}
                onCheckedChange={(finalized) => change(index, { finalized })}
              >
                <Trans>and final</Trans>
              </Checkbox>
            </div>
            {rule.belowUsd === null ? null : (
              <Button
                variant="ghost"
                size="sm"
                onClick={() => setRules(rules.filter((_, other) => other !== index))}
              >
                <Trans>Remove</Trans>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
