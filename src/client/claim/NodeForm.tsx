import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { type ChainNode, nodeAt } from '../../shared/chain-node.ts'
import { Button } from '../ui/Button.tsx'
import { Field, Input } from '../ui/Field.tsx'
import { Notice } from '../ui/states.tsx'
import { OtherChain } from './chain-node.ts'
import type { useTask } from './use-task.ts'
import { Wallets } from './Wallets.tsx'

type Ask = ReturnType<typeof useTask<[string, ChainNode]>>

/** The reader enters the node: a built-in one would depend on its operator. */
export function NodeForm({ lead, ask }: { lead: ReactNode; ask: Ask }) {
  const [url, setUrl] = useState('')
  return (
    <>
      <p className="text-soft">{lead}</p>
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          ask.run(url, nodeAt(url))
        }}
      >
        <Field label={<Trans>Address of a node (JSON-RPC)</Trans>} className="grow basis-72">
          <Input
            type="url"
            required
            placeholder="https://"
            value={url}
            onChange={({ target }) => setUrl(target.value)}
            spellCheck={false}
          />
        </Field>
        <Button type="submit" loading={ask.isRunning}>
          <Trans>Ask the node</Trans>
        </Button>
      </form>
      <Wallets
        label={<Trans>Ask through a wallet</Trans>}
        isRunning={ask.isRunning}
        onChoose={(wallet) => ask.run(wallet.name, wallet)}
      />
    </>
  )
}

export function FaultOfNode({ fault, chainId }: { fault: unknown; chainId?: number }) {
  if (fault instanceof OtherChain)
    return (
      <Notice tone="danger">
        <Trans>
          This is a node of the chain with id {fault.chainId}. The list’s contract stands on the chain with id{' '}
          {chainId}.
        </Trans>
      </Notice>
    )
  return (
    <Notice tone="danger">
      <Trans>
        The node gave no usable answer. It may be away, or refuse to answer pages like this one: try another.
      </Trans>{' '}
      <span className="text-soft">{String(fault instanceof Error ? fault.message : fault)}</span>
    </Notice>
  )
}
