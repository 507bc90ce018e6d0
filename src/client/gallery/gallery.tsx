// A page for looking at the kit while working on it (`npx vite`, then /src/client/gallery/gallery.html). Not built.
import '../styles/app.css'
import { catalogues } from 'virtual:messages'
import { I18nProvider } from '@lingui/react'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { ShareBar } from '../charts/ShareBar.tsx'
import { TimeChart } from '../charts/TimeChart.tsx'
import { activate, documentLocale, enterCatalogues } from '../i18n.ts'
import { costumes } from '../ito/costumes.tsx'
import { Ito, type Pose } from '../ito/Ito.tsx'

import { Accordion } from '../ui/Accordion.tsx'
import { Button } from '../ui/Button.tsx'
import { Checkbox, Switch } from '../ui/Choice.tsx'
import { CoinIcon } from '../ui/CoinIcon.tsx'
import { Combobox } from '../ui/Combobox.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { DecimalInput } from '../ui/DecimalInput.tsx'
import { DemoRibbon, DemoWarning } from '../ui/DemoRibbon.tsx'
import { ConfirmDialog, Dialog } from '../ui/Dialog.tsx'
import { Field, Input } from '../ui/Field.tsx'
import { Menu } from '../ui/Menu.tsx'
import { NumberField } from '../ui/NumberField.tsx'
import { DateTime, Money, Percent, RelativeTime, TokenAmount } from '../ui/numbers.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { PasswordInput } from '../ui/PasswordField.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { QrCode } from '../ui/QrCode.tsx'
import { Select } from '../ui/Select.tsx'
import { Badge, Status } from '../ui/Status.tsx'
import { EmptyState, ErrorState, Notice } from '../ui/states.tsx'
import { LanguageSwitch, ThemeSwitch } from '../ui/switches.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../ui/Table.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { ToastProvider, toast } from '../ui/Toast.tsx'

const poses: Pose[] = ['rest', 'wave', 'cheer', 'shrug', 'wait', 'search', 'box', 'lost', 'hacker']

function Figures() {
  return (
    <section className="flex flex-col gap-8">
      <div className="flex flex-wrap items-end gap-6">
        {poses.map((pose) => (
          <div key={pose} className="h-48">
            <Ito pose={pose} title={pose} desc={pose} />
          </div>
        ))}
        <div className="h-48">
          <Ito state="asleep" title="asleep" desc="asleep" />
        </div>
      </div>
      <div className="flex flex-wrap items-end gap-6">
        {costumes.map((_, rank) => (
          // oxlint-disable-next-line react/no-array-index-key
          <div key={rank} className="h-48">
            <Ito rank={rank} title={`Level ${rank}`} desc="costume" />
          </div>
        ))}
        {costumes.map((_, rank) => (
          // oxlint-disable-next-line react/no-array-index-key
          <div key={rank} className="h-14">
            <Ito rank={rank} title={`Level ${rank}`} desc="costume" />
          </div>
        ))}
      </div>
    </section>
  )
}

const since = new Date(Date.now() - 4_000_000).toISOString()

const points = Array.from({ length: 30 }, (_, index) => ({
  day: new Date(Date.UTC(2026, 9, 20 + index)).toISOString().slice(0, 10),
  value: String(((index * 37) % 11) * 900 + index * 150),
}))

const shares = [
  { name: 'Team', percent: '15' },
  { name: 'Marketing', percent: '10' },
  { name: 'Reserve', percent: '10' },
  { name: 'Development', percent: '20' },
  { name: 'Public Sale', percent: '45' },
]

function Kit() {
  return (
    <section className="mt-10 grid gap-10">
      <h1 className="display text-title">Every number here adds up.</h1>
      <Buttons />
      <Fields />
      <Values />
      <Rows />
      <Pictures />
      <States />
    </section>
  )
}

/** Buttons, and the dialogs that two of them open. */
function Buttons() {
  const [open, setOpen] = useState(false)
  const [confirm, setConfirm] = useState(false)
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={() => setOpen(true)}>Buy Now</Button>
        <Button variant="secondary" onClick={() => setConfirm(true)}>
          Reject payment
        </Button>
        <Button variant="ghost">Cancel</Button>
        <Button variant="danger">Delete</Button>
        <Button variant="link">Link</Button>
        <Button loading>Login</Button>
        <Button disabled>Disabled</Button>
        <Button disabledReason="The sale is paused">With a reason</Button>
        <Button size="sm" onClick={() => toast.success('Profile updated')}>
          Small
        </Button>
        <Button size="lg" onClick={() => toast.error('Error', 'Failed to update balance')}>
          Large
        </Button>
        <Menu
          trigger={<Button variant="secondary">Menu</Button>}
          actions={[
            { label: 'Approve payment', onSelect: () => {} },
            { label: 'Reject payment', danger: true, onSelect: () => {}, disabledReason: 'Already rejected' },
          ]}
        />
        <ThemeSwitch />
        <LanguageSwitch locale="en" onChange={() => {}} />
      </div>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Confirm your order"
        description="The rate is held for 15:00"
        footer={<Button>Continue</Button>}
      >
        Amount, Receive, Bonus Tokens
      </Dialog>
      <ConfirmDialog
        open={confirm}
        onOpenChange={setConfirm}
        title="Reject order #41?"
        danger
        confirm="Reject payment"
        onConfirm={() => setConfirm(false)}
      >
        110 ITOKEN are taken from j•••@g•••.com.
      </ConfirmDialog>
    </>
  )
}

function Fields() {
  const [checked, setChecked] = useState(true)
  const [amount, setAmount] = useState('40.5')
  const [choice, setChoice] = useState<string>('b')
  const [country, setCountry] = useState<string | null>('ru')
  const [count, setCount] = useState<number | null>(10)
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Email Address" hint="Used to log in">
        <Input type="email" defaultValue="ann@example.org" />
      </Field>
      <Field label="Password" error="Passwords do not match.">
        <PasswordInput defaultValue="secret" />
      </Field>
      <Field label="Amount">
        <DecimalInput value={amount} onValueChange={setAmount} className="figures" />
      </Field>
      <Field label="Network">
        <Select
          value={choice}
          onValueChange={setChoice}
          options={[
            { value: 'a', label: 'Bitcoin' },
            { value: 'b', label: 'Ethereum' },
          ]}
        />
      </Field>
      <Field label="Country">
        <Combobox
          value={country}
          onValueChange={setCountry}
          options={[
            { value: 'ru', label: 'Russia' },
            { value: 'de', label: 'Germany' },
          ]}
          empty="Nothing found"
        />
      </Field>
      <Field label="Users per page">
        <NumberField value={count} onValueChange={setCount} min={1} max={100} />
      </Field>
      <Checkbox checked={checked} onCheckedChange={setChecked} hint="Recorded with the order">
        I accept the terms and the risks
      </Checkbox>
      <Switch checked={checked} onCheckedChange={setChecked}>
        Appear on the leaderboard
      </Switch>
      <ProgressBar percent="42.3" label="Progress" marks={[20, 40, 60, 80]} />
    </div>
  )
}

function Values() {
  return (
    <div className="flex flex-wrap gap-2">
      <Status>Expired</Status>
      <Status tone="now">Pending</Status>
      <Status tone="success">Approved</Status>
      <Status tone="danger">Rejected</Status>
      <Badge tone="accent">New</Badge>
      <Money value="6475000.00" />
      <TokenAmount value="1234.500000" unit="TOKEN" />
      <Percent value="42.999" />
      <RelativeTime value={since} />
      <DateTime value="2026-08-05T20:00:00Z" long part="date" />
    </div>
  )
}

function Rows() {
  return (
    <>
      <Table caption="Orders" stack>
        <THead>
          <Th>Amount</Th>
          <Th sort="asc" onSort={() => {}}>
            Date
          </Th>
          <Th numeric>Tokens</Th>
          <Th>Status</Th>
        </THead>
        <TBody>
          {['1', '2', '3'].map((key) => (
            <Tr key={key}>
              <Td label="Amount">0.00514668 BTC</Td>
              <Td label="Date">14 Nov 2026</Td>
              <Td label="Tokens" numeric>
                26,315
              </Td>
              <Td label="Status">
                <Status tone="now">Pending</Status>
              </Td>
            </Tr>
          ))}
        </TBody>
      </Table>
      <Pagination page={2} total={5} onPrevious={() => {}} onNext={() => {}} />
    </>
  )
}

function Pictures() {
  return (
    <>
      <div className="grid gap-8 sm:grid-cols-2">
        <TimeChart
          points={points}
          title="Raised per day"
          desc="Dollars of approved orders"
          format={(value) => value}
        />
      </div>
      <ShareBar shares={shares} title="Distribution" desc="Shares" />
      <div className="flex flex-wrap items-center gap-4">
        <QrCode text="bitcoin:tb1qxyz?amount=0.1" title="QR" />
        <CoinIcon code="NOPE" />
        <CopyButton text="abc" what="Copy address">
          Copy
        </CopyButton>
        <DemoWarning />
      </div>
    </>
  )
}

function States() {
  return (
    <>
      <Tabs
        tabs={[
          { value: 'a', label: 'Orders', content: 'One' },
          { value: 'b', label: 'Sessions', content: 'Two' },
        ]}
      />
      <Accordion
        items={[
          { value: 'a', title: 'What do I receive, and when?', content: 'Tokens.' },
          { value: 'b', title: 'Refunds?', content: 'Yes.' },
        ]}
        defaultOpen="a"
      />
      <Notice>Stage 1 ends in 3 hours.</Notice>
      <ErrorState title="Failed to load data" onRetry={() => {}}>
        The server did not answer.
      </ErrorState>
      <EmptyState
        picture={<Ito pose="box" decorative />}
        title="No transactions"
        action={<Button>Buy iToken</Button>}
      >
        The box is empty. So far.
      </EmptyState>
    </>
  )
}

enterCatalogues(catalogues)
const i18n = await activate(documentLocale())
createRoot(document.getElementById('root') as HTMLElement).render(
  <I18nProvider i18n={i18n}>
    <ToastProvider>
      <DemoRibbon />
      <main className="mx-auto max-w-6xl p-6">
        <Figures />
        <Kit />
      </main>
    </ToastProvider>
  </I18nProvider>,
)
