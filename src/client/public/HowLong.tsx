import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { periods } from '../../shared/retention.ts'
import { settingName } from '../ui/setting-names.ts'
import { useCampaign, usePage } from './frame.tsx'

// Rules: RIGHT-31
/** Shows the settings that the removal uses, whatever the policy's text says. */
export function HowLong() {
  const { i18n } = useLingui()
  const { locale } = usePage()
  const { retention } = useCampaign().settings
  return (
    <section id="how-long" lang={locale} aria-labelledby="how-long-title" className="mt-10 border-t pt-6">
      <h2 id="how-long-title" className="text-xl font-semibold">
        <Trans>How long it is kept</Trans>
      </h2>
      <p className="mt-2 text-soft">
        <Trans>These periods are in force now. Every hour older data is removed by the same settings.</Trans>
      </p>
      <table className="mt-4 w-full text-start">
        <thead className="sr-only">
          <tr>
            <th scope="col">
              <Trans>What</Trans>
            </th>
            <th scope="col">
              <Trans>Kept for</Trans>
            </th>
          </tr>
        </thead>
        <tbody>
          {periods.map((period) => (
            <tr key={period} className="border-b align-top">
              <th scope="row" className="py-2 pe-6 font-normal">
                {settingName(i18n, `retention.${period}`)}
              </th>
              <td className="figures py-2 whitespace-nowrap">
                <Plural value={retention[period]} _0="not kept" one="# day" other="# days" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-4">
        <Trans>
          Your account is kept until you delete it. Name, e-mail, phone, password, second factors, sessions,
          addresses for the tokens and operators' notes go with it at once.
        </Trans>
      </p>
      <p className="mt-3">
        <Trans>
          Orders, payments, refunds, the ledger, published delivery lists and the log of operators’ changes
          and reads are kept for ever, because the sums must still add up. They name you by a reference; an
          order keeps its addresses and transactions too, and its declarations unless a period above covers
          them.
        </Trans>
      </p>
      <p className="mt-3">
        <Trans>Backups hold the data of their day, until the operator deletes them.</Trans>
      </p>
    </section>
  )
}
