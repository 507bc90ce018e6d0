import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Address, Hex } from 'viem'
import { evmChecksum } from '../../shared/addresses.ts'
import type { ChainNode } from '../../shared/chain-node.ts'
import { type EscrowAt, lookAtEscrow, NoEscrow, NoSearch, type OrderAt } from '../../shared/escrow-node.ts'
import { callOfOrder, deliverData, orderCallData, refundToData } from '../../shared/escrow-state.ts'
import { amountFromUnits } from '../../shared/wallet-links.ts'
import { Field, Input } from '../ui/Field.tsx'
import { DateTime, TokenAmount } from '../ui/numbers.tsx'
import { Notice } from '../ui/states.tsx'
import { AccountStep, isAddress } from './AccountStep.tsx'
import { tokensOf } from './amounts.ts'
import { FaultOfNode, NodeForm } from './NodeForm.tsx'
import { Fact, Step } from './parts.tsx'
import { SendPart } from './SendPart.tsx'
import { useTask } from './use-task.ts'

const isOrderId = (text: string) => /^0x[0-9a-fA-F]{64}$/.test(text.trim())

/** Works from an escrow's address and any node; the contract knows its orders. */
export function EscrowPart() {
  const [escrow, setEscrow] = useState('')
  const [account, setAccount] = useState('')
  const [orderId, setOrderId] = useState('')
  const [seen, setSeen] = useState<{ node: ChainNode; at: EscrowAt }>()
  const ask = useTask(async (_name: string, node: ChainNode) => {
    setSeen(undefined)
    const id = isOrderId(orderId) ? (orderId.trim() as Hex) : undefined
    const at = await lookAtEscrow(node, {
      escrow: escrow.trim() as Address,
      account: account.trim() as Address,
      orderId: id,
    })
    setSeen({ node, at })
  })
  const changed = (set: (text: string) => void) => (text: string) => {
    set(text)
    setSeen(undefined)
  }
  return (
    <>
      <EscrowStep escrow={escrow} onChange={changed(setEscrow)} />
      <AccountStep
        account={account}
        label={<Trans>Address that paid, or that the tokens go to</Trans>}
        onChange={changed(setAccount)}
      />
      {isAddress(escrow) && isAddress(account) ? (
        <Step number={3} title={<Trans>Node</Trans>}>
          <Field
            label={<Trans>Number of the order, where the node does not search for it (may stay empty)</Trans>}
            error={
              orderId === '' || isOrderId(orderId) ? undefined : (
                <Trans>It has to be 0x and 64 digits or letters from a to f.</Trans>
              )
            }
          >
            <Input
              value={orderId}
              onChange={({ target }) => changed(setOrderId)(target.value)}
              maxLength={80}
              autoComplete="off"
              spellCheck={false}
              className="figures text-sm"
            />
          </Field>
          <NodeForm
            lead={
              <Trans>
                Any node of the chain on which the escrow stands will do: its address, or a wallet of this
                browser, which has one of its own. Its operator learns what you ask for. No answer of it can
                send tokens or money elsewhere.
              </Trans>
            }
            ask={ask}
          />
          <Fault fault={ask.fault} />
        </Step>
      ) : null}
      {seen ? (
        <Step number={4} title={<Trans>Orders</Trans>}>
          <Found at={seen.at} onMined={() => ask.run('', seen.node)} />
        </Step>
      ) : null}
    </>
  )
}

function EscrowStep({ escrow, onChange }: { escrow: string; onChange: (text: string) => void }) {
  return (
    <Step number={1} title={<Trans>Escrow</Trans>}>
      <Field
        label={<Trans>Address of the escrow</Trans>}
        hint={
          <Trans>
            Your payment was sent to this contract. Do not send it anything yourself: money without an order
            is lost.
          </Trans>
        }
        error={
          escrow === '' || isAddress(escrow) ? undefined : (
            <Trans>
              This is no address: it has to be 0x and 40 digits or letters from a to f, without a mistake in
              them.
            </Trans>
          )
        }
      >
        <Input
          value={escrow}
          onChange={({ target }) => onChange(target.value)}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          className="figures text-sm"
        />
      </Field>
    </Step>
  )
}

function Fault({ fault }: { fault: unknown }) {
  if (fault === undefined) return null
  if (fault instanceof NoEscrow)
    return (
      <Notice tone="danger">
        <Trans>No escrow stands at this address on the chain of this node.</Trans>
      </Notice>
    )
  if (fault instanceof NoSearch)
    return (
      <Notice tone="danger">
        <Trans>
          This node does not search so many blocks. Type the number of the order, or ask another node.
        </Trans>
      </Notice>
    )
  return <FaultOfNode fault={fault} />
}

function Found({ at, onMined }: { at: EscrowAt; onMined: () => void }) {
  return (
    <>
      {at.isPublished ? null : (
        <Notice tone="danger">
          <Trans>
            The contract there is not the escrow of this file’s release. It may be of another release: compare
            its source before you send anything.
          </Trans>
        </Notice>
      )}
      <dl className="grid gap-x-10 gap-y-4 sm:grid-cols-2">
        <Fact label={<Trans>State</Trans>}>
          <Phase at={at} />
        </Fact>
        <Fact label={<Trans>Shown by</Trans>}>
          <Trans>
            block {at.height} of <DateTime value={at.minedAt} />
          </Trans>
        </Fact>
      </dl>
      {isDeliverable(at) ? (
        <SendPart
          call={{ chainId: at.chainId, to: at.address, data: deliverData(at.round.owed) }}
          label={<Trans>Deliver the round</Trans>}
          elsewhere={<Trans>Deliver with another wallet</Trans>}
          lead={
            <Trans>
              Anybody may send this transaction and pays its fee. All tokens lie there already: it takes none.
            </Trans>
          }
          onMined={onMined}
        />
      ) : null}
      {at.orders.length === 0 ? (
        <Notice tone="neutral">
          <Trans>The escrow has no order that this address paid or gets tokens of.</Trans>
        </Notice>
      ) : null}
      {at.orders.map((order) => (
        <Order key={order.orderId} at={at} order={order} onMined={onMined} />
      ))}
    </>
  )
}

const isDeliverable = ({ round, minedAt, anyoneFrom, deliverBy }: EscrowAt) =>
  round.state === 'closed' && round.locked && minedAt >= anyoneFrom && minedAt <= deliverBy

function Phase({ at: { round, deliverBy } }: { at: EscrowAt }) {
  const by = <DateTime value={deliverBy} />
  if (round.state === 'delivered')
    return (
      <Trans>
        delivered on <DateTime value={new Date(round.deliveredAt * 1000).toISOString()} />
      </Trans>
    )
  if (round.state === 'refunding') return <Trans>not delivered in time, or cancelled: money goes back</Trans>
  if (round.state === 'closed') return <Trans>closed; delivered by {by}, or the money goes back</Trans>
  return <Trans>open; delivered by {by}, or the money goes back</Trans>
}

interface OrderParts {
  at: EscrowAt
  order: OrderAt
  onMined: () => void
}

function Order({ at, order, onMined }: OrderParts) {
  const what = callOfOrder(at.round.state, order)
  const call = what && { chainId: at.chainId, to: at.address, data: orderCallData(what, order.orderId) }
  const paid = amountFromUnits(order.amount, order.decimals)
  return (
    <div className="flex flex-col gap-4 border-t border-line pt-4">
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        <Fact label={<Trans>Tokens</Trans>}>
          <TokenAmount value={tokensOf(order.tokens)} />
        </Fact>
        <Fact label={<Trans>Claimed</Trans>}>
          <TokenAmount value={tokensOf(order.claimed)} />
        </Fact>
        <Fact label={<Trans>Paid</Trans>}>
          <TokenAmount value={paid} /> <PaidIn order={order} />
        </Fact>
        <Fact label={<Trans>Order</Trans>}>
          <OrderState order={order} />
        </Fact>
        <Fact label={<Trans>Tokens go to</Trans>}>
          <span className="figures text-sm wrap-anywhere">{evmChecksum(order.beneficiary)}</span>
        </Fact>
        <Fact label={<Trans>Paid by</Trans>}>
          <span className="figures text-sm wrap-anywhere">{evmChecksum(order.payer)}</span>
        </Fact>
      </dl>
      {call && what === 'claim' ? (
        <SendPart
          call={call}
          label={
            <Trans>
              Claim <TokenAmount value={tokensOf(order.due)} />
            </Trans>
          }
          elsewhere={<Trans>Claim with another wallet</Trans>}
          lead={
            <Trans>
              Any wallet, also somebody else’s, may send this transaction and pays its fee. The tokens go to
              the address above alone.
            </Trans>
          }
          onMined={onMined}
        />
      ) : null}
      {call && what === 'refund' ? <Refund call={call} at={at} order={order} onMined={onMined} /> : null}
    </div>
  )
}

function PaidIn({ order: { paidIn } }: { order: OrderAt }) {
  if (BigInt(paidIn) === 0n) return <Trans>of the chain’s own coin</Trans>
  return <span className="figures text-sm wrap-anywhere">{paidIn}</span>
}

function OrderState({ order: { state } }: { order: OrderAt }) {
  if (state === 'cancelled') return <Trans>cancelled: its money is owed back</Trans>
  if (state === 'refunded') return <Trans>its money was given back</Trans>
  return <Trans>paid</Trans>
}

function Refund({
  call,
  at,
  order,
  onMined,
}: OrderParts & { call: { chainId: number; to: Address; data: Hex } }) {
  const [to, setTo] = useState('')
  const isUsable =
    isAddress(to) && ![at.address.toLowerCase(), `0x${'0'.repeat(40)}`].includes(to.trim().toLowerCase())
  return (
    <>
      <SendPart
        call={call}
        label={<Trans>Send the money back to who paid</Trans>}
        elsewhere={<Trans>Refund with another wallet</Trans>}
        lead={
          <Trans>
            Any wallet, also somebody else’s, may send this transaction and pays its fee. The money goes to
            the account that paid, and to no other.
          </Trans>
        }
        onMined={onMined}
      />
      <Field
        label={<Trans>Or to another address: the account that paid alone can send that</Trans>}
        error={
          to === '' || isUsable ? undefined : (
            <Trans>The money can’t go there: this is no address, or is the contract itself.</Trans>
          )
        }
      >
        <Input
          value={to}
          onChange={({ target }) => setTo(target.value)}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          className="figures text-sm"
        />
      </Field>
      {isUsable ? (
        <SendPart
          call={{ ...call, data: refundToData(order.orderId, to.trim() as Address) }}
          onlyFrom={evmChecksum(order.payer)}
          label={<Trans>Send it there</Trans>}
          elsewhere={<Trans>The transaction for another wallet of the same account</Trans>}
          lead={<Trans>From any other account it does nothing and costs its fee.</Trans>}
          onMined={onMined}
        />
      ) : null}
    </>
  )
}
