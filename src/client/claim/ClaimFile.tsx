import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ChainNode } from '../../shared/chain-node.ts'
import { factsOf, languages } from '../../shared/languages.ts'
import type { CheckedList } from '../../shared/round-list.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/states.tsx'
import { AccountStep, isAddress } from './AccountStep.tsx'
import { type ChainLook, lookAtRows } from './chain-node.ts'
import { EscrowPart } from './EscrowPart.tsx'
import { ListPart } from './ListPart.tsx'
import { FaultOfNode, NodeForm } from './NodeForm.tsx'
import { Step } from './parts.tsx'
import { Rows } from './Rows.tsx'
import { useTask } from './use-task.ts'

/** Works from a published list and any node, without a server. */
export function ClaimFile() {
  const [checked, setChecked] = useState<CheckedList>()
  const [by, setBy] = useState<'list' | 'escrow'>('list')
  return (
    <main className="mx-auto max-w-3xl px-4 py-10 sm:px-6 lg:py-16">
      <Languages />
      <h1 className="display text-title">
        <Trans>Claim tokens without the site</Trans>
      </h1>
      <p className="mt-4 text-lg text-soft">
        <Trans>
          This file claims delivered tokens by a round’s published list, and claims or refunds payments in an
          escrow, by any node of its chain. It loads nothing, needs no server, and also works from your disk
          once the site is gone. Tokens go to the address in the list or the order, and to no other.
        </Trans>
      </p>
      <p className="mt-4 border-l-4 border-now bg-now-soft px-4 py-3">
        <Trans>
          Anyone may send you your tokens; nobody will ever ask for some back, or for a phrase or a key. This
          file has no field for them.
        </Trans>
      </p>
      <fieldset className="mt-8 flex flex-wrap gap-3">
        <legend className="mb-2 text-sm text-soft">
          <Trans>How was it bought?</Trans>
        </legend>
        <Button
          variant={by === 'list' ? 'primary' : 'secondary'}
          aria-pressed={by === 'list'}
          onClick={() => setBy('list')}
        >
          <Trans>It is in a round’s list</Trans>
        </Button>
        <Button
          variant={by === 'escrow' ? 'primary' : 'secondary'}
          aria-pressed={by === 'escrow'}
          onClick={() => setBy('escrow')}
        >
          <Trans>It was paid into an escrow</Trans>
        </Button>
      </fieldset>
      {by === 'escrow' ? (
        <EscrowPart />
      ) : (
        <>
          <ListPart checked={checked} onChecked={setChecked} />
          {checked ? <ClaimPart key={checked.sha256} checked={checked} /> : null}
        </>
      )}
    </main>
  )
}

function Languages() {
  const { i18n } = useLingui()
  return (
    <div className="mb-6 flex justify-end gap-2">
      {languages
        .filter((other) => other !== i18n.locale)
        .map((other) => (
          <Button
            key={other}
            variant="secondary"
            size="sm"
            lang={other}
            onClick={() => {
              i18n.activate(other)
              document.documentElement.lang = other
            }}
          >
            {factsOf(other).name}
          </Button>
        ))}
    </div>
  )
}

function ClaimPart({ checked }: { checked: CheckedList }) {
  const [account, setAccount] = useState('')
  const [source, setSource] = useState<{ name: string; node: ChainNode }>()
  const [look, setLook] = useState<ChainLook>()
  const address = isAddress(account) ? account.trim().toLowerCase() : null
  const rows = checked.list.rows.filter((row) => row.account.toLowerCase() === address)
  const ask = useTask(async (name: string, node: ChainNode) => {
    setSource({ name, node })
    setLook(await lookAtRows(node, checked, rows))
  })
  const choose = (text: string) => {
    setAccount(text)
    setLook(undefined)
  }
  return (
    <>
      <AccountStep account={account} label={<Trans>Address that the tokens go to</Trans>} onChange={choose}>
        {isAddress(account) && rows.length === 0 ? (
          <Notice tone="neutral">
            <Trans>The list has nothing for this address.</Trans>
          </Notice>
        ) : null}
      </AccountStep>
      {rows.length > 0 ? (
        <>
          <Step number={3} title={<Trans>Node</Trans>}>
            <NodeForm
              lead={
                <Trans>
                  Any node of the chain with id {checked.list.chainId} will do: its address, or a wallet of
                  this browser, which has one of its own. Its operator learns what you ask for. No answer of
                  it can send tokens elsewhere.
                </Trans>
              }
              ask={ask}
            />
            {ask.fault ? <FaultOfNode fault={ask.fault} chainId={checked.list.chainId} /> : null}
          </Step>
          <Step number={4} title={<Trans>Tokens</Trans>}>
            <Rows
              checked={checked}
              rows={rows}
              look={look}
              onMined={() => source && ask.run(source.name, source.node)}
            />
          </Step>
        </>
      ) : null}
    </>
  )
}
