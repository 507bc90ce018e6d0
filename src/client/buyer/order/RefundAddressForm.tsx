import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { type AddressProblem, checkAddress } from '../../../shared/addresses.ts'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import { buyerPaymentRoutes, type Refund } from '../../../shared/api/payments.ts'
import { call } from '../../area/call.ts'
import { payersNetworkName } from '../../area/network-names.ts'
import { useChange } from '../../area/use-change.ts'
import { errorText, issueFor } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Field, Input } from '../../ui/Field.tsx'
import { toast } from '../../ui/Toast.tsx'
import { touched } from '../touched.ts'

/** Where the refund is to go: an address of the chain that the payment came on. */
export function RefundAddressForm({
  order,
  network,
  current,
  onDone,
}: {
  order: BuyerOrder
  network: Refund['network']
  current: string | null
  onDone: () => void
}) {
  const { t } = useLingui()
  const [typed, setTyped] = useState(current ?? '')
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const chain = payersNetworkName(network) || order.currency
  const problems: Record<AddressProblem, string> = {
    empty: t`Enter an address.`,
    private_key: t`This is a private key, not an address. Nobody needs it here; it has not been sent. Treat it as exposed.`,
    malformed: t`This is not an address of ${chain}.`,
    checksum: t`There is a typing mistake in this address.`,
    wrong_network: t`This is an address of another network. It has to be one of ${chain}.`,
    test_network: t`This is an address of a test network.`,
  }
  const fail = (text: string) => {
    setProblem(text)
    input.current?.focus()
  }
  const claim = useChange({
    run: (address: string) =>
      call(buyerPaymentRoutes.claimRefund, { params: { token: order.token }, body: { address } }),
    touches: touched.orders,
    failed: false,
    done: () => {
      toast.success(t`Address saved`)
      onDone()
    },
    onFail: (error) => fail(issueFor(error, 'address') ?? errorText(error)),
  })
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    const address = typed.trim()
    // An order on a test network takes its refund there too; the server knows which one.
    const testnet = network === order.network && checkAddress(network, order.address) === 'test_network'
    const wrong = checkAddress(network, address, { testnet })
    if (wrong === 'private_key') setTyped('')
    if (wrong) return fail(problems[wrong])
    if (address.toLowerCase() === order.address.toLowerCase())
      return fail(t`This is the address that you paid to. Enter one of your own.`)
    setProblem(undefined)
    claim.mutate(address)
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-wrap items-end gap-3 max-sm:items-stretch">
      <Field
        className="flex-1 basis-72"
        label={<Trans>Your address on {chain}</Trans>}
        hint={
          <Trans>
            One of your own wallet: an exchange may not credit what comes back to where you sent from. It can
            be changed until the operator has prepared the refund.
          </Trans>
        }
        error={problem}
      >
        <div className="flex flex-wrap gap-3">
          <Input
            ref={input}
            name="address"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={200}
            className="figures flex-1 basis-72 text-sm"
          />
          <Button type="submit" loading={claim.isPending}>
            <Trans>Send it there</Trans>
          </Button>
        </div>
      </Field>
    </form>
  )
}
