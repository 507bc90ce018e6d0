import { Trans, useLingui } from '@lingui/react/macro'
import { type NodeAnswer, operatorNodeRoutes } from '../../../shared/api/chain-nodes.ts'
import type { OperatorChain } from '../../../shared/api/payments.ts'
import { followableNetworks, isEvm, type Network, networkName } from '../../../shared/networks.ts'
import { ApiError } from '../../api.ts'
import { ConfirmChange } from '../../area/ConfirmChange.tsx'
import { call, currentOf } from '../../area/call.ts'
import { FormDialog } from '../../area/FormDialog.tsx'
import { SelectField } from '../../area/SelectField.tsx'
import { TextField } from '../../area/TextField.tsx'
import { useChange } from '../../area/use-change.ts'
import { useForm } from '../../area/use-form.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { RelativeTime } from '../../ui/numbers.tsx'
import { Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { touched } from '../touched.ts'

type Node = OperatorChain['nodes'][number]

/** Shows only hosts: the rest of an address may contain a key. */
export function NodeList({ chain }: { chain: OperatorChain }) {
  const { t } = useLingui()
  if (chain.nodes.length === 0) return <>—</>
  return (
    <ul className="text-xs sm:min-w-40">
      {chain.nodes.map((node) => (
        <li key={node.place}>
          {node.place === 2 ? `${t`second`}: ` : null}
          <span className="figures wrap-anywhere">{node.host}</span>{' '}
          <span className="text-soft">
            {node.source === 'environment' ? t`set in the environment` : t`set by ${node.setBy ?? '—'}`}
          </span>
        </li>
      ))}
    </ul>
  )
}

interface Typed {
  network: Network
  place: '1' | '2'
  kind: 'core' | 'esplora'
  url: string
}

interface Naming {
  chains: readonly OperatorChain[]
  /** The node's chain; undefined for one that is not watched yet. */
  chain: OperatorChain | undefined
  onClose: () => void
}

export function NameNode({ chains, chain, onClose }: Naming) {
  const { t } = useLingui()
  const form = useNaming({ chains, chain, onClose })
  const { network, place, url } = form.values
  const present = chains
    .find((one) => one.network === network)
    ?.nodes.find((node) => node.place === (isEvm(network) ? Number(place) : 1))
  const missing = url.trim() ? undefined : t`Enter its address.`
  return (
    <FormDialog
      form={form}
      title={chain ? t`Node of ${networkName(chain.network)}` : t`Add a node`}
      description={t`The sale believes its payments, so name one that you run or trust. It is asked first; the address is kept encrypted and only its host is shown.`}
      submit={<Trans>Name this node</Trans>}
      disabledReason={
        present?.source === 'environment'
          ? t`The environment of the server names this node: it is changed there.`
          : missing
      }
      onClose={onClose}
    >
      {chain ? null : (
        <SelectField
          form={form}
          name="network"
          label={t`Network`}
          options={followableNetworks.map((one) => ({ value: one, label: networkName(one) }))}
        />
      )}
      <WhichNode form={form} />
      <TextField
        form={form}
        name="url"
        label={t`Address`}
        hint={t`https://…, with its key, or with user and password in front of the host.`}
        className="figures"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <AskNode typed={form.values} chains={chains} present={present} />
    </FormDialog>
  )
}

function useNaming({ chains, chain, onClose }: Naming) {
  const { t } = useLingui()
  const initial: Typed = { network: chain?.network ?? 'ethereum', place: '1', kind: 'core', url: '' }
  return useForm({
    initial,
    send: (typed: Typed) =>
      call(operatorNodeRoutes.setNode, { params: paramsOf(typed), body: nodeOf(typed, chains) }),
    touches: touched.chains,
    words: nodeWords,
    atField: {
      node_address_refused: 'url',
      node_in_both_places: 'url',
      node_silent: 'url',
      node_other_network: 'url',
    },
    done: () => {
      toast.success(t`The node was named. It is read within seconds.`)
      onClose()
    },
    onWaits: onClose,
    onFail: (error) => {
      if (currentOf(error) === undefined) return
      toast.error(t`Somebody else changed this chain.`, t`Nothing was changed. Look at it again.`)
      onClose()
    },
  })
}

/** EVM chains have two nodes; the Bitcoin family has one, with one of two protocols. */
function WhichNode({ form }: { form: ReturnType<typeof useNaming> }) {
  const { t } = useLingui()
  return isEvm(form.values.network) ? (
    <SelectField
      form={form}
      name="place"
      label={t`Which node`}
      options={[
        { value: '1', label: t`The one that is followed` },
        { value: '2', label: t`A second one, for large payments` },
      ]}
    />
  ) : (
    <SelectField
      form={form}
      name="kind"
      label={t`How it answers`}
      options={[
        { value: 'core', label: t`JSON-RPC, as Bitcoin Core` },
        { value: 'esplora', label: 'Esplora (HTTP)' },
      ]}
    />
  )
}

const paramsOf = ({ network, place }: Typed) => ({
  network,
  place: isEvm(network) ? Number(place) : 1,
})

function nodeOf({ network, kind, url }: Typed, chains: readonly OperatorChain[]) {
  return {
    kind: isEvm(network) ? ('evm' as const) : kind,
    url: url.trim(),
    revision: chains.find((chain) => chain.network === network)?.revision ?? null,
  }
}

function nodeWords(error: unknown): string {
  const why = error instanceof ApiError ? error.details['why'] : undefined
  return typeof why === 'string' ? `${errorText(error)} (${why})` : errorText(error)
}

/** Queries the typed address or the configured node. */
function AskNode({
  typed,
  chains,
  present,
}: {
  typed: Typed
  chains: readonly OperatorChain[]
  present: Node | undefined
}) {
  const { t } = useLingui()
  const hasTyped = typed.url.trim() !== ''
  const asking = useChange<void, NodeAnswer>({
    run: () =>
      call(operatorNodeRoutes.askNode, {
        params: paramsOf(typed),
        body: { node: hasTyped ? nodeOf(typed, chains) : null },
      }),
    touches: [],
    failed: false,
  })
  return (
    <div className="flex flex-col items-start gap-3">
      <Button
        variant="secondary"
        loading={asking.isPending}
        disabledReason={hasTyped || present ? undefined : t`Enter its address.`}
        onClick={() => asking.mutate()}
      >
        {hasTyped || !present ? <Trans>Ask this node</Trans> : <Trans>Ask the present node</Trans>}
      </Button>
      <div role="status">
        {asking.data ? <Answer answer={asking.data} /> : null}
        {asking.error ? <Notice tone="danger">{nodeWords(asking.error)}</Notice> : null}
      </div>
    </div>
  )
}

function Answer({ answer: { height, minedAt, behindBlocks } }: { answer: NodeAnswer }) {
  return (
    <Notice>
      <Trans>It answers and is on this network. Newest block: {height}.</Trans>{' '}
      {minedAt ? (
        <Trans>
          Mined <RelativeTime value={minedAt} />.
        </Trans>
      ) : null}{' '}
      {behindBlocks ? <Trans>Behind the node that is followed, in blocks: {behindBlocks}.</Trans> : null}
    </Notice>
  )
}

export function RemoveNode({
  chain,
  node: { place, host },
  onClose,
}: {
  chain: OperatorChain
  node: Node
  onClose: () => void
}) {
  const { t } = useLingui()
  const name = networkName(chain.network)
  return (
    <ConfirmChange
      title={t`Remove ${host} of ${name}?`}
      confirm={t`Remove`}
      run={() =>
        call(operatorNodeRoutes.removeNode, {
          params: { network: chain.network, place },
          body: { revision: chain.revision },
        })
      }
      touches={touched.chains}
      done={() => toast.success(t`The node was removed.`)}
      onClose={onClose}
    >
      {place === 1 ? (
        <Trans>
          Then {name} is no longer followed, and no payment on it is seen, until another node is named.
        </Trans>
      ) : (
        <Trans>Then one node alone decides about payments, large ones too.</Trans>
      )}
    </ConfirmChange>
  )
}
