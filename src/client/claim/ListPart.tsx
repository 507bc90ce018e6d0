import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { type CheckedList, checkList, type ListFault } from '../../shared/round-list.ts'
import { Button } from '../ui/Button.tsx'
import { Field, Input } from '../ui/Field.tsx'
import { Count, TokenAmount } from '../ui/numbers.tsx'
import { Notice } from '../ui/states.tsx'
import { tokensOf } from './amounts.ts'
import { Fact, Step } from './parts.tsx'
import { useTask } from './use-task.ts'

const pause = () => new Promise((resolve) => setTimeout(resolve))

interface Parts {
  checked: CheckedList | undefined
  onChecked: (list: CheckedList | undefined) => void
}

export function ListPart({ checked, onChecked }: Parts) {
  const [fault, setFault] = useState<ListFault>()
  const [url, setUrl] = useState('')
  const take = useTask(async (text: () => Promise<string>) => {
    onChecked(undefined)
    setFault(undefined)
    const result = await checkList(await text(), pause)
    if (typeof result === 'string') setFault(result)
    else onChecked(result)
  })
  return (
    <Step number={1} title={<Trans>List</Trans>}>
      <ListFile onFile={(file) => take.run(() => file.text())} />
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          take.run(() => fetchText(url))
        }}
      >
        <Field label={<Trans>Or the link to it</Trans>} className="grow basis-72">
          <Input
            type="url"
            required
            placeholder="https://"
            value={url}
            onChange={({ target }) => setUrl(target.value)}
            spellCheck={false}
          />
        </Field>
        <Button type="submit" variant="secondary" loading={take.isRunning}>
          <Trans>Fetch it</Trans>
        </Button>
      </form>
      {take.fault ? (
        <Notice tone="danger">
          <Trans>The list could not be read. Download it yourself and choose the file.</Trans>{' '}
          <span className="text-soft">
            {String(take.fault instanceof Error ? take.fault.message : take.fault)}
          </span>
        </Notice>
      ) : null}
      {fault ? <Refused fault={fault} /> : null}
      {checked ? <Checked checked={checked} /> : null}
    </Step>
  )
}

function ListFile({ onFile }: { onFile: (file: File) => void }) {
  const take = (files: FileList | null) => {
    const file = files?.[0]
    if (file) onFile(file)
  }
  return (
    <div
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        take(event.dataTransfer.files)
      }}
      className="border border-dashed border-line-strong bg-raised p-4"
    >
      <Field
        label={<Trans>The round’s published list: choose it, or drop it here</Trans>}
        hint={<span className="figures">delivery-round-1.json</span>}
      >
        <Input
          type="file"
          accept=".json,application/json"
          className="h-auto! py-2"
          onChange={({ target }) => take(target.files)}
        />
      </Field>
    </div>
  )
}

async function fetchText(url: string): Promise<string> {
  const response = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer' })
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  return response.text()
}

function Refused({ fault }: { fault: ListFault }) {
  const words: Record<ListFault, ReactNode> = {
    not_a_list: (
      <Trans>This is not a round’s published list, or somebody has changed it. Download it again.</Trans>
    ),
    other_places: <Trans>Two rows of this list have the same place. Do not claim by it.</Trans>,
    other_total: <Trans>The rows of this list do not add up to its total. Do not claim by it.</Trans>,
    other_root: <Trans>The rows of this list do not make its root. Do not claim by it.</Trans>,
  }
  return <Notice tone="danger">{words[fault]}</Notice>
}

function Checked({ checked: { list, sha256 } }: { checked: CheckedList }) {
  const { name, symbol } = list.sale
  return (
    <>
      <Notice tone="neutral">
        <Trans>
          Checked here: the list is whole, its rows add up to its total, and they make its root. The site
          should publish the same hash.
        </Trans>
      </Notice>
      <dl className="grid gap-x-10 gap-y-4 sm:grid-cols-2">
        <Fact label={<Trans>Sale</Trans>}>
          {name} · <Trans>Round {list.round}</Trans>
        </Fact>
        <Fact label={<Trans>Rows</Trans>}>
          <Count value={list.rows.length} /> ·{' '}
          <TokenAmount value={tokensOf(list.distributor.total)} unit={symbol} />
        </Fact>
        <Fact label={<Trans>SHA-256 of the list</Trans>}>
          <span className="figures text-sm wrap-anywhere">{sha256}</span>
        </Fact>
        <Fact label={<Trans>Root</Trans>}>
          <span className="figures text-sm wrap-anywhere">{list.distributor.root}</span>
        </Fact>
        <Fact label={<Trans>Token</Trans>}>
          <span className="figures text-sm wrap-anywhere">{list.distributor.token}</span>
        </Fact>
        <Fact label={<Trans>Chain id</Trans>}>
          <span className="figures">{list.chainId}</span>
        </Fact>
      </dl>
    </>
  )
}
