import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { checkAddress } from '../../shared/addresses.ts'
import type { CheckedList } from '../../shared/round-list.ts'
import { addressOf, type BrowserWallet } from '../browser-wallet.ts'
import { Button } from '../ui/Button.tsx'
import { Field, Input } from '../ui/Field.tsx'
import { Notice } from '../ui/states.tsx'
import { type ChainLook, type ChainNode, lookAtRows, nodeAt, OtherChain } from './chain-node.ts'
import { ListPart } from './ListPart.tsx'
import { Step } from './parts.tsx'
import { Rows } from './Rows.tsx'
import { useTask } from './use-task.ts'
import { FaultOfWallet, Wallets } from './Wallets.tsx'

/** Claims by a published list and any node, without any server. */
export function ClaimFile() {
  const [checked, setChecked] = useState<CheckedList>()
  return (
    <main className="mx-auto max-w-3xl px-4 py-10 sm:px-6 lg:py-16">
      <Languages />
      <h1 className="display text-title">
        <Trans>Claim tokens without the site</Trans>
      </h1>
      <p className="mt-4 text-lg text-soft">
        <Trans>
          This file claims delivered tokens by a round’s published list and any node of its chain. It loads
          nothing, needs no server, and also works from your disk once the site is gone. A claim sends tokens
          to the address in the list and to no other.
        </Trans>
      </p>
      <p className="mt-4 border-l-4 border-now bg-now-soft px-4 py-3">
        <Trans>
          Nobody will ever ask for a phrase, a key or some of your tokens. This file has no field for them.
        </Trans>
      </p>
      <ListPart checked={checked} onChecked={setChecked} />
      {checked ? <ClaimPart key={checked.sha256} checked={checked} /> : null}
    </main>
  )
}

function Languages() {
  const { i18n } = useLingui()
  const other = i18n.locale === 'ru' ? 'en' : 'ru'
  return (
    <div className="mb-6 flex justify-end">
      <Button
        variant="secondary"
        size="sm"
        lang={other}
        onClick={() => {
          i18n.activate(other)
          document.documentElement.lang = other
        }}
      >
        {other === 'ru' ? 'Русский' : 'English'}
      </Button>
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
      <AccountStep account={account} onChange={choose} isListed={rows.length > 0} />
      {rows.length > 0 ? (
        <>
          <Step number={3} title={<Trans>Node</Trans>}>
            <NodeForm chainId={checked.list.chainId} ask={ask} />
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

const isAddress = (account: string) => account !== '' && checkAddress('ethereum', account) === null

function AccountStep({
  account,
  onChange,
  isListed,
}: {
  account: string
  onChange: (account: string) => void
  isListed: boolean
}) {
  const { t } = useLingui()
  const take = useTask(async (wallet: BrowserWallet) => {
    const own = await addressOf(wallet)
    if (own) onChange(own)
  })
  const problem = account === '' ? null : checkAddress('ethereum', account)
  return (
    <Step number={2} title={<Trans>Address</Trans>}>
      <Field
        label={<Trans>Address that the tokens go to</Trans>}
        error={
          problem === 'private_key'
            ? t`This looks like a private key. It is never needed here. Move what it holds to a new wallet.`
            : problem
              ? t`This is no address: it has to be 0x and 40 digits or letters from a to f, without a mistake in them.`
              : undefined
        }
      >
        <Input
          value={account}
          onChange={({ target }) => onChange(target.value)}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          className="figures text-sm"
        />
      </Field>
      <Wallets
        label={<Trans>Take the address from a wallet</Trans>}
        isRunning={take.isRunning}
        onChoose={take.run}
      />
      <FaultOfWallet fault={take.fault} />
      {isAddress(account) && !isListed ? (
        <Notice tone="neutral">
          <Trans>The list has nothing for this address.</Trans>
        </Notice>
      ) : null}
    </Step>
  )
}

type Ask = ReturnType<typeof useTask<[string, ChainNode]>>

/** The node is asked for by the reader: a file that names one would depend on who runs it. */
function NodeForm({ chainId, ask }: { chainId: number; ask: Ask }) {
  const [url, setUrl] = useState('')
  return (
    <>
      <p className="text-soft">
        <Trans>
          Any node of the chain with id {chainId} will do: its address, or a wallet of this browser, which has
          one of its own. Who runs it learns what is asked for. Nothing that it says can send tokens
          elsewhere.
        </Trans>
      </p>
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

function FaultOfNode({ fault, chainId }: { fault: unknown; chainId: number }) {
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
