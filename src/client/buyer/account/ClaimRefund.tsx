import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Refund, publicPaymentRoutes as routes } from '../../../shared/api/payments.ts'
import { call } from '../../area/call.ts'
import { useTitle } from '../../area/document-title.ts'
import { read } from '../../area/reading.ts'
import { useForm } from '../../area/use-form.ts'
import { errorText } from '../../errors.ts'
import { paths } from '../../paths.ts'
import { Field, FormError, Input } from '../../ui/Field.tsx'
import { payersNetworkName } from '../../ui/network-names.ts'
import { TokenAmount } from '../../ui/numbers.tsx'
import { late } from '../late-rules.ts'
import { EmailField } from '../PersonFields.tsx'
import { AccountForm } from './AccountForm.tsx'
import { AccountLink, AccountPage, useLinkToken } from './AccountFrame.tsx'

export function ClaimRefund() {
  const { t } = useLingui()
  useTitle(t`Refund for a deleted account`)
  const token = useLinkToken()
  return token ? <Claim token={token} /> : <LinkRequest />
}

/** The answer is the same whether or not anything is owed. */
function LinkRequest() {
  const [isSent, setSent] = useState(false)
  const form = useForm({
    rules: late('resetRequest'),
    initial: { email: '' },
    send: (body) => call(routes.requestDebtLink, { body }),
    touches: [],
    done: () => setSent(true),
  })
  if (isSent)
    return (
      <AccountPage title={<Trans>Look into your mail</Trans>} pose="wait">
        <p>
          <Trans>
            If something is owed to a deleted account with this address, a link is on its way. It works once,
            for one hour.
          </Trans>
        </p>
      </AccountPage>
    )
  return (
    <AccountPage
      title={<Trans>Refund for a deleted account</Trans>}
      lead={
        <Trans>
          Enter the email address that the account had. If something is owed to it, you get a link to name the
          address for your refund.
        </Trans>
      }
      pose="rest"
    >
      <AccountForm
        form={form}
        submit={<Trans>Send the link</Trans>}
        fields={<EmailField form={form} label={<Trans>Email address</Trans>} />}
      />
    </AccountPage>
  )
}

function Claim({ token }: { token: string }) {
  const debts = useQuery(read(routes.showDebts, { body: { token } }))
  const [isNamed, setNamed] = useState(false)
  if (isNamed)
    return (
      <AccountPage title={<Trans>The address is named</Trans>} pose="cheer">
        <p>
          <Trans>
            A mail tells you which address you named. You can change it for a day with a new link. After that
            the seller pays to it.
          </Trans>
        </p>
      </AccountPage>
    )
  return (
    <AccountPage title={<Trans>Refund for a deleted account</Trans>} pose="rest">
      {debts.error ? (
        <div className="flex flex-col gap-5">
          <FormError>{errorText(debts.error)}</FormError>
          <NewLink />
        </div>
      ) : null}
      {debts.data ? <Addresses token={token} items={debts.data.items} onDone={() => setNamed(true)} /> : null}
    </AccountPage>
  )
}

function Addresses({ token, items, onDone }: { token: string; items: Refund[]; onDone: () => void }) {
  const networks = [...new Set(items.map(({ network }) => network))]
  const initial: Record<string, string> = {}
  for (const network of networks) initial[network] = ''
  const form = useForm({
    initial,
    send: (given: Record<string, string>) => {
      const addresses = networks
        .map((network) => ({ network, address: given[network]?.trim() ?? '' }))
        .filter(({ address }) => address !== '')
      return call(routes.claimDebts, { body: { token, addresses } })
    },
    touches: [],
    done: onDone,
  })
  return (
    <AccountForm
      form={form}
      submit={<Trans>Name this address</Trans>}
      wayOut={form.refusal === 'link_expired' ? <NewLink /> : null}
      fields={networks.map((network) => {
        const chain = payersNetworkName(network) ?? network
        return (
          <div key={network}>
            <ul className="mb-3">
              {items
                .filter((item) => item.network === network)
                .map(({ id, amount, currency, address }) => (
                  <li key={id}>
                    <TokenAmount value={amount} unit={currency} />
                    {address === null ? null : (
                      <p className="figures text-sm wrap-anywhere text-soft">{address}</p>
                    )}
                  </li>
                ))}
            </ul>
            <Field label={<Trans>Your address on {chain}</Trans>}>
              <Input
                {...form.text(network)}
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                maxLength={200}
                className="figures text-sm"
              />
            </Field>
          </div>
        )
      })}
    />
  )
}

function NewLink() {
  return (
    <AccountLink to={paths.claimRefund}>
      <Trans>Ask for a new link</Trans>
    </AccountLink>
  )
}
