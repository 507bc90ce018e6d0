import { Trans, useLingui } from '@lingui/react/macro'
import type { FormEvent } from 'react'
import { deliveryRoutes } from '../../../shared/api/delivery.ts'
import { type Network, networkName } from '../../../shared/networks.ts'
import { call } from '../../area/call.ts'
import { TextField } from '../../area/TextField.tsx'
import { useForm } from '../../area/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useAddressProblems } from '../address-problems.ts'
import { keptOr, useKept } from '../kept-form.ts'
import { touched } from '../touched.ts'

/** A mailed link confirms it. */
export function TypeAddress({ network, onDone }: { network: Network; onDone: () => void }) {
  const { t } = useLingui()
  const name = networkName(network)
  const problems = useAddressProblems(name)
  const saved = { address: '' }
  const form = useForm({
    initial: keptOr('address', saved),
    send: ({ address }: { address: string }) => call(deliveryRoutes.type, { body: { address } }),
    touches: touched.deliveryAddress,
    done: () => {
      toast.success(t`The link that confirms the address is in your mail`)
      onDone()
    },
    atField: 'address',
  })
  useKept('address', form.values, saved)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const address = form.values.address.trim()
    // Loaded on demand, because the checksum code is large.
    const { checkAddress } = await import('../../../shared/addresses.ts')
    const problem = checkAddress(network, address)
    if (!problem) return form.send({ address })
    // Clear the field, because others may see the page.
    if (problem === 'private_key') form.reset({ address: '' })
    form.refuse([{ path: 'address', message: problems[problem] }])
  }
  return (
    <form
      {...form.formProps}
      onSubmit={(event) => void submit(event)}
      className="flex max-w-3xl flex-col items-start gap-4"
    >
      <TextField
        form={form}
        name="address"
        label={<Trans>Your address on {name}</Trans>}
        hint={
          <Trans>
            A link is mailed to you, and the address counts a day after you have used it. A wallet that is a
            contract, such as a Safe, has to exist on {name}.
          </Trans>
        }
        fieldClassName="w-full"
        className="figures text-sm"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={200}
      />
      <Button type="submit" loading={form.isPending}>
        <Trans>Mail me the link</Trans>
      </Button>
    </form>
  )
}
