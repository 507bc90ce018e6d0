import { Tabs as Base } from '@base-ui/react/tabs'
import { type ReactNode, useEffect, useRef } from 'react'

interface TabName {
  value: string
  label: ReactNode
}

export interface Tab extends TabName {
  content: ReactNode
}

export function Tabs({
  tabs,
  value,
  onValueChange,
  defaultValue,
}: {
  tabs: readonly Tab[]
  value?: string
  onValueChange?: (value: string) => void
  defaultValue?: string
}) {
  return (
    <Base.Root
      value={value}
      defaultValue={defaultValue ?? tabs[0]?.value}
      onValueChange={(next) => onValueChange?.(String(next))}
    >
      <TabList tabs={tabs} value={value} />
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="pt-5">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}

/** Tabs whose panels stand anywhere below, some of them in a form. A `TabPanel` that is not shown keeps its fields. */
export function TabFrame({
  tabs,
  value,
  onValueChange,
  children,
}: {
  tabs: readonly TabName[]
  value: string
  onValueChange: (value: string) => void
  children: ReactNode
}) {
  return (
    <Base.Root value={value} onValueChange={(next) => onValueChange(String(next))}>
      <TabList tabs={tabs} value={value} />
      {children}
    </Base.Root>
  )
}

export function TabPanel({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Base.Panel value={value} keepMounted data-tab={value}>
      {children}
    </Base.Panel>
  )
}

function TabList({ tabs, value }: { tabs: readonly TabName[]; value: string | undefined }) {
  const list = useRef<HTMLDivElement>(null)
  // A row that is wider than the screen shows the chosen tab; the page itself stays where it is.
  useEffect(() => {
    const chosen = value ? list.current?.querySelector(`[data-tab="${value}"]`) : null
    if (!list.current || !chosen) return
    const row = list.current.getBoundingClientRect()
    const tab = chosen.getBoundingClientRect()
    const before = Math.min(0, tab.left - row.left)
    list.current.scrollBy({ left: before || Math.max(0, tab.right - row.right) })
  }, [value])
  return (
    <Base.List ref={list} className="flex gap-6 overflow-x-auto border-b border-line">
      {tabs.map((tab) => (
        <Base.Tab
          key={tab.value}
          value={tab.value}
          data-tab={tab.value}
          className="-mb-px h-11 shrink-0 border-b-2 border-transparent text-sm font-medium text-soft hover:text-ink data-active:border-ink data-active:text-ink"
        >
          {tab.label}
        </Base.Tab>
      ))}
    </Base.List>
  )
}
