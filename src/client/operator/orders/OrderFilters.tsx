import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { SlidersHorizontal } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'react-router'
import { pickText } from '../../../shared/languages.ts'
import { orderStatuses } from '../../../shared/order-states.ts'
import { FilterCheckbox, FilterSelect } from '../../area/Filters.tsx'
import { FieldRow } from '../../area/Page.tsx'
import { SearchField } from '../../area/SearchField.tsx'
import { useUrlState } from '../../area/url-state.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field, Input, NativeSelect } from '../../ui/Field.tsx'
import { DateTime } from '../../ui/numbers.tsx'
import { currenciesQuery, usePublicCampaign } from '../queries.ts'
import { filterNames, keptOf } from './order-filters.ts'
import type { SavedFilters } from './saved-filters.ts'

export function OrderFilters({ saved }: { saved: SavedFilters }) {
  const { t } = useLingui()
  const url = useUrlState()
  const [isOpen, setOpen] = useState(false)
  const used = filterNames.filter((name) => url.get(name)).length
  return (
    <search className="mb-4 flex flex-wrap items-end gap-4">
      <SearchField placeholder={t`Id, token, e-mail, address ( / )`} />
      <div className={isOpen ? 'contents' : 'contents max-sm:hidden!'}>
        <FilterSelect
          name="status"
          label={t`Status`}
          className="w-full sm:w-40"
          options={useStatusChoices()}
        />
        <FilterCheckbox name="deleted">
          <Trans>With deleted ones</Trans>
        </FilterCheckbox>
      </div>
      <div className="flex h-11 items-center gap-3">
        <Button variant="secondary" size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <SlidersHorizontal aria-hidden="true" className="size-4" />
          {used > 0 ? <Trans>Filters: {used}</Trans> : <Trans>Filters</Trans>}
        </Button>
        <SaveFilter saved={saved} />
      </div>
      {isOpen ? <MoreFilters /> : null}
    </search>
  )
}

function useStatusChoices() {
  const { t } = useLingui()
  const names = { pending: t`pending`, approved: t`approved`, rejected: t`rejected` }
  const pairs = orderStatuses.flatMap((one, at) => orderStatuses.slice(at + 1).map((other) => [one, other]))
  return [...orderStatuses.map((one) => [one]), ...pairs].map((statuses) => ({
    value: statuses.join(','),
    label: statuses.map((status) => names[status as keyof typeof names]).join(' + '),
  }))
}

/** True if a link from a chart set an exact moment, which the date fields can't show. */
const isMoment = (text: string | undefined): text is string =>
  text !== undefined && text.includes('T') && !Number.isNaN(Date.parse(text))

function MoreFilters() {
  const { t } = useLingui()
  const url = useUrlState()
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const wanted = (name: (typeof filterNames)[number]) =>
      String(data.get(name) ?? '').trim() || (isMoment(url.get(name)) ? (url.get(name) ?? null) : null)
    url.set(Object.fromEntries(filterNames.map((name) => [name, wanted(name)])))
  }
  const text = (name: (typeof filterNames)[number]) => ({ name, defaultValue: url.get(name) ?? '' })
  const moment = (name: 'from' | 'to') => {
    const at = url.get(name)
    return isMoment(at) ? <DateTime value={at} /> : undefined
  }
  return (
    <form key={filterNames.map(url.get).join()} onSubmit={apply} className="w-full border-t border-line pt-4">
      <FieldRow>
        <Field label={t`Made from`} hint={moment('from')}>
          <Input type="date" {...text('from')} />
        </Field>
        <Field label={t`Made until`} hint={moment('to')}>
          <Input type="date" {...text('to')} />
        </Field>
        <Choices name="currency" label={t`Currency`} options={useCurrencyChoices()} />
        <Field label={t`Dollars from`}>
          <Input inputMode="decimal" pattern="\d+(\.\d{1,2})?" {...text('usdMin')} />
        </Field>
        <Field label={t`Dollars up to`}>
          <Input inputMode="decimal" pattern="\d+(\.\d{1,2})?" {...text('usdMax')} />
        </Field>
        <Choices
          name="via"
          label={t`Approved by`}
          options={[
            { value: 'chain', label: t`the chain` },
            { value: 'operator', label: t`an operator` },
          ]}
        />
        <Choices
          name="mailbox"
          label={t`E-mail address`}
          options={[
            { value: 'confirmed', label: t`confirmed by a link` },
            { value: 'unconfirmed', label: t`not confirmed` },
          ]}
        />
        <Choices name="level" label={t`Level`} options={useLevelChoices()} />
        <Field label={t`Country, declared`} hint={t`Two letters, such as DE`}>
          <Input maxLength={2} pattern="[A-Z]{2}" autoCapitalize="characters" {...text('country')} />
        </Field>
      </FieldRow>
      <div className="mt-4 flex gap-3">
        <Button type="submit" size="sm">
          <Trans>Apply</Trans>
        </Button>
        <Button
          variant="ghost"
          size="sm"
          onClick={() => url.set(Object.fromEntries(filterNames.map((name) => [name, null])))}
        >
          <Trans>Clear the filters</Trans>
        </Button>
      </div>
    </form>
  )
}

function useCurrencyChoices() {
  const { data = [] } = useQuery(currenciesQuery)
  return data.map(({ code }) => ({ value: code, label: code }))
}

function useLevelChoices() {
  const { i18n } = useLingui()
  const levels = usePublicCampaign()?.settings.levels ?? []
  return levels.map(({ key, name }) => ({ value: key, label: pickText(name, i18n.locale).text }))
}

function Choices({
  name,
  label,
  options,
}: {
  name: (typeof filterNames)[number]
  label: string
  options: readonly { value: string; label: string }[]
}) {
  const { t } = useLingui()
  return (
    <Field label={label}>
      {/* Keeps the selected value when the options load. */}
      <NativeSelect key={options.length} name={name} defaultValue={useUrlState().get(name) ?? ''}>
        <option value="">{t`All`}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </NativeSelect>
    </Field>
  )
}

function SaveFilter({ saved }: { saved: SavedFilters }) {
  const { t } = useLingui()
  const search = keptOf(useLocation().search)
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (!name.trim()) return
    saved.save({ name: name.trim(), search })
    setOpen(false)
    setName('')
  }
  if (search === '') return null
  return (
    <>
      <Button variant="link" size="sm" onClick={() => setOpen(true)}>
        <Trans>Save as a tab</Trans>
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        size="sm"
        title={t`Save as a tab`}
        description={t`Tab, filters and order of the list are kept in this browser; the search is not, because it may name a person.`}
      >
        <form onSubmit={save} className="flex flex-col gap-4">
          <Field label={t({ message: 'Name', context: 'of a filter' })}>
            <Input required maxLength={30} value={name} onChange={(event) => setName(event.target.value)} />
          </Field>
          <Button type="submit" className="self-start">
            <Trans>Save</Trans>
          </Button>
        </form>
      </Dialog>
    </>
  )
}
