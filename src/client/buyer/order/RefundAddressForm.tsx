import { Trans, useLingui } from '@lingui/react/macro'
import type { FormEvent } from 'react'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import { buyerPaymentRoutes, type Refund } from '../../../shared/api/payments.ts'
import { call } from '../../area/call.ts'
import { useForm } from '../../area/use-form.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Field, Input } from '../../ui/Field.tsx'
import { payersNetworkName } from '../../ui/network-names.ts'
import { toast } from '../../ui/Toast.tsx'
import { useAddressProblems } from '../address-problems.ts'
import { keptOr, useKept } from '../kept-form.ts'
import { touched } from '../touched.ts'

interface Props {
  order: BuyerOrder
  network: Refund['network']
  current: string | null
  onDone: () => void
}

/** On the chain that the payment came on. */
export function RefundAddressForm({ order, network, current, onDone }: Props) {
  const chain = payersNetworkName(network) || order.currency
  const { form, submit } = useAddressForm({ order, network, current, onDone })
  return (
    <form
      {...form.formProps}
      onSubmit={(event) => void submit(event)}
      className="flex flex-wrap items-end gap-3 max-sm:items-stretch"
    >
      <Field
        className="flex-1 basis-72"
        label={<Trans>Your address on {chain}</Trans>}
        hint={
          <Trans>
            Use an address of your own wallet: an exchange may not credit money that comes back to the address
            you sent from. A mail tells you which address you named. This page then says until when you can
            change it. Once the operator has prepared the refund, you can’t.
          </Trans>
        }
        error={form.error('address')}
      >
        <div className="flex flex-wrap gap-3">
          <Input
            {...form.text('address')}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={200}
            className="figures flex-1 basis-72 text-sm"
          />
          <Button type="submit" loading={form.isPending}>
            <Trans>Send it there</Trans>
          </Button>
        </div>
      </Field>
    </form>
  )
}

/** `submit` checks the address locally first, because it may be a private key. */
function useAddressForm({ order, network, current, onDone }: Props) {
  const { t } = useLingui()
  const findProblem = useAddressProblem(order, network)
  const name = `${order.token} ${network}`
  const saved = { address: current ?? '' }
  const form = useForm({
    initial: keptOr(name, saved),
    send: ({ address }: { address: string }) =>
      call(buyerPaymentRoutes.claimRefund, { params: { token: order.token }, body: { address, network } }),
    touches: touched.orders,
    done: () => {
      toast.success(t`Address saved`)
      onDone()
    },
    atField: 'address',
  })
  useKept(name, form.values, saved)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const address = form.values.address.trim()
    try {
      const problem = await findProblem(address)
      if (!problem) return form.send({ address })
      // Clear the field, because others may see the page.
      if (problem.isPrivateKey) form.reset({ address: '' })
      form.refuse([{ path: 'address', message: problem.message }])
    } catch (error) {
      form.refuse([{ path: 'address', message: errorText(error) }])
    }
  }
  return { form, submit }
}

function useAddressProblem(order: BuyerOrder, network: Refund['network']) {
  const { t } = useLingui()
  const chain = payersNetworkName(network) || order.currency
  const problems = useAddressProblems(chain)
  return async (address: string): Promise<{ message: string; isPrivateKey: boolean } | undefined> => {
    const { checkAddress } = await import('../../../shared/addresses.ts')
    // An order on a test network takes its refund there too; the server knows which network.
    const testnet = network === order.network && checkAddress(network, order.address) === 'test_network'
    const wrong = checkAddress(network, address, { testnet })
    if (wrong) return { message: problems[wrong], isPrivateKey: wrong === 'private_key' }
    if (address.toLowerCase() !== order.address.toLowerCase()) return undefined
    return { message: t`This is the address that you paid to. Enter one of your own.`, isPrivateKey: false }
  }
}
