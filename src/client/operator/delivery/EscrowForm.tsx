import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { checkAddress } from '../../../shared/addresses.ts'
import { escrowRoutes } from '../../../shared/api/escrows.ts'
import { pickText } from '../../../shared/languages.ts'
import { call } from '../../area/call.ts'
import { FormDialog } from '../../area/FormDialog.tsx'
import type { Fields } from '../../area/form-fields.ts'
import { FieldRow } from '../../area/Page.tsx'
import { SelectField } from '../../area/SelectField.tsx'
import { TextField } from '../../area/TextField.tsx'
import { type FormRules, useForm } from '../../area/use-form.ts'
import { Checkbox } from '../../ui/Choice.tsx'
import { toast } from '../../ui/Toast.tsx'
import { MomentField } from '../MomentField.tsx'
import { campaignQuery, offsetZone, usePublicCampaign } from '../queries.ts'
import { touched } from '../touched.ts'
import { WholeNumberField } from '../WholeNumberField.tsx'
import {
  DAY_SECONDS,
  firstRelease,
  inDays,
  ReleaseFields,
  releaseOf,
  useReleaseProblems,
} from './Release.tsx'

const firstTerms = () => ({
  stage: '',
  seller: '',
  treasury: '',
  capTokens: '',
  closesAt: inDays(30),
  deliverBy: inDays(60),
  reviewDays: 1,
  locksFirst: true,
  ...firstRelease,
  currencies: 'ETH',
})
type Terms = ReturnType<typeof firstTerms>

const codesOf = (typed: string) =>
  typed
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map((code) => code.toUpperCase())

/** Rules for errors that the server can only report for the whole form, because its fields differ. */
function useTermRules(): FormRules<Terms> {
  const { t } = useLingui()
  const accountProblem = (typed: string) => {
    const problem = checkAddress('ethereum', typed.trim())
    if (problem === 'private_key')
      return t`This is a private key. It is not needed here and has not been sent. Treat it as exposed.`
    return problem ? t`This is not an account: 0x and 40 figures and letters from a to f.` : undefined
  }
  const releaseProblems = useReleaseProblems()
  return {
    now: (values) => {
      const terms = values as Terms
      const codes = codesOf(terms.currencies)
      const found = {
        stage: terms.stage ? undefined : t`Choose the stage.`,
        seller: accountProblem(terms.seller),
        treasury: accountProblem(terms.treasury),
        currencies:
          codes.length > 0 && codes.every(({ length }) => length >= 2 && length <= 12)
            ? undefined
            : t`Enter codes such as ETH, with commas between them.`,
        ...releaseProblems(terms),
      }
      const errors = Object.entries(found).flatMap(([path, message]) => (message ? [{ path, message }] : []))
      return errors.length > 0 ? { errors } : { data: terms }
    },
  }
}

const sendTerms = ({ stage, startPercent, reviewDays, cliffDays, linearDays, currencies, ...terms }: Terms) =>
  call(escrowRoutes.announce, {
    body: {
      ...terms,
      stageId: Number(stage),
      ...releaseOf({ startPercent, cliffDays, linearDays }),
      reviewSeconds: reviewDays * DAY_SECONDS,
      currencies: codesOf(currencies),
    },
  })

/** The terms determine the escrow's address. */
export function EscrowForm({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useLingui()
  const stages = useQuery(campaignQuery).data?.stages ?? []
  const form = useForm({
    initial: firstTerms(),
    rules: useTermRules(),
    send: sendTerms,
    touches: touched.escrows,
    done: () => {
      toast.success(t`The terms are fixed.`)
      onClose()
    },
    atField: { escrow_times: 'deliverBy', escrow_currency: 'currencies', currency_unknown: 'currencies' },
  })
  return (
    <FormDialog
      form={form}
      title={t`Fix the terms of an escrow`}
      submit={<Trans>Fix them</Trans>}
      onClose={onClose}
    >
      <SelectField
        form={form}
        name="stage"
        label={t`Stage`}
        options={stages.map(({ id, name }) => ({
          value: String(id),
          label: pickText(name, i18n.locale).text,
        }))}
      />
      <TextField
        form={form}
        name="seller"
        label={t`Seller's account`}
        hint={t`Cancels orders and names the quote key. A wallet of several signers is best.`}
        className="figures"
        spellCheck={false}
      />
      <TextField
        form={form}
        name="treasury"
        label={t`Proceeds go to`}
        hint={t`With the tokens that nobody has bought. It can never be changed.`}
        className="figures"
        spellCheck={false}
      />
      <FieldRow>
        <TextField form={form} name="capTokens" label={t`Most tokens, bonus included`} className="figures" />
        <TextField
          form={form}
          name="currencies"
          label={t`Currencies`}
          hint={t`Codes of the delivery's network, with commas between them.`}
        />
      </FieldRow>
      <Times form={form} />
      <Checkbox checked={form.values.locksFirst} onCheckedChange={(locksFirst) => form.set({ locksFirst })}>
        <Trans>No payment before all these tokens are locked in it</Trans>
      </Checkbox>
    </FormDialog>
  )
}

function Times({ form }: { form: Fields<Terms> }) {
  const { t } = useLingui()
  const offset = usePublicCampaign()?.settings.operatorUtcOffsetMinutes ?? 0
  const zone = offsetZone(offset)
  return (
    <>
      <FieldRow>
        <MomentField form={form} name="closesAt" label={t`Payments end (${zone})`} offset={offset} />
        <MomentField
          form={form}
          name="deliverBy"
          label={t`Delivered at the latest (${zone})`}
          hint={t`After this anybody can send all money back.`}
          offset={offset}
        />
        <WholeNumberField
          form={form}
          name="reviewDays"
          label={t`Review by the seller, days`}
          min={0}
          max={7}
        />
      </FieldRow>
      <ReleaseFields form={form} />
    </>
  )
}
