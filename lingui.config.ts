import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'
import { publicLocales } from './src/shared/languages.ts'

const client = 'src/client'
/** What an order's page shows where something came late, too much or not at all, or is not named yet. */
const settling = [`${client}/buyer/order/{DeclareForm,LateChoice,RefundAddressForm,Refunds,SentPayment}.tsx`]

/**
 * Catalogues follow what a page loads: a visitor's islands carry only their own messages, an operator's never
 * reach a buyer. The English text in the code is the source.
 */
export default defineConfig({
  sourceLocale: 'en',
  locales: publicLocales,
  orderBy: 'origin',
  format: formatter({ lineNumbers: false, origins: true }),
  catalogs: [
    {
      path: `${client}/locales/{locale}/islands`,
      include: [`${client}/public/islands.tsx`, `${client}/public/islands`],
    },
    {
      path: `${client}/locales/{locale}/public`,
      include: [`${client}/public`],
      exclude: [`${client}/public/islands.tsx`, `${client}/public/islands/**`],
    },
    { path: `${client}/locales/{locale}/claim`, include: [`${client}/claim`] },
    {
      path: `${client}/locales/{locale}/kit`,
      include: [`${client}/ui`, `${client}/ito`, `${client}/charts`, `${client}/errors.ts`],
    },
    {
      path: `${client}/locales/{locale}/buyer`,
      include: [`${client}/buyer/*.{ts,tsx}`, `${client}/area`],
      // Parts of the areas' common ground that only operators see, or a buyer on one page.
      exclude: [
        `${client}/buyer/{AddressCheck,AddressOrigin,EscrowNote,EscrowTerms,PayEscrow,PaymentRuleList}.tsx`,
        `${client}/area/{ColumnChooser,Conflict,Filters,FormDialog,SearchField}.tsx`,
        `${client}/area/{FailedAttempts,PasswordStrength,SecondFactor,Sessions}.tsx`,
        `${client}/area/no-notices.ts`,
      ],
    },
    // A page of a buyer brings the messages of its folder.
    ...(['buy', 'guides', 'holdings', 'order', 'overview'] as const).map((folder) => ({
      path: `${client}/locales/{locale}/buyer/${folder}`,
      include: [`${client}/buyer/${folder}`],
      exclude: settling,
    })),
    { path: `${client}/locales/{locale}/buyer/settling`, include: settling },
    {
      path: `${client}/locales/{locale}/buyer/origin`,
      include: [`${client}/buyer/{AddressCheck,AddressOrigin}.tsx`],
    },
    { path: `${client}/locales/{locale}/buyer/rules`, include: [`${client}/buyer/PaymentRuleList.tsx`] },
    {
      path: `${client}/locales/{locale}/buyer/escrow`,
      include: [`${client}/buyer/{EscrowNote,EscrowTerms,PayEscrow}.tsx`],
    },
    {
      path: `${client}/locales/{locale}/buyer/account`,
      include: [`${client}/buyer/account`, `${client}/area/PasswordStrength.tsx`],
    },
    {
      path: `${client}/locales/{locale}/buyer/profile`,
      include: [
        `${client}/buyer/profile`,
        `${client}/area/no-notices.ts`,
        `${client}/area/{FailedAttempts,PasswordStrength,SecondFactor,Sessions}.tsx`,
      ],
    },
    { path: `${client}/locales/{locale}/operator`, include: [`${client}/operator`, `${client}/area`] },
  ],
})
