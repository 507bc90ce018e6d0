import { Tabs as Base } from '@base-ui/react/tabs'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'

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
  const [ownValue, setOwnValue] = useState(defaultValue ?? tabs[0]?.value)
  const chosen = value ?? ownValue
  return (
    <Base.Root
      value={chosen}
      onValueChange={(next) => {
        setOwnValue(String(next))
        onValueChange?.(String(next))
      }}
    >
      <TabList tabs={tabs} value={value} />
      {tabs.map(
        (tab) =>
          // The library keeps the old panel for some frames.
          tab.value === chosen && (
            <Base.Panel key={tab.value} value={tab.value} className="pt-5">
              {tab.content}
            </Base.Panel>
          ),
      )}
    </Base.Root>
  )
}

/** Panels may be anywhere inside, also in a form. A hidden `TabPanel` keeps its fields. */
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
    <Base.Panel value={value} keepMounted data-tab={value} className="data-ending-style:hidden">
      {children}
    </Base.Panel>
  )
}

interface TabListProps {
  tabs: readonly TabName[]
  value: string | undefined
}

/**
 * While a page takes over (`takeOver`), the row is drawn outside the document, where the library can't order
 * the tabs and removes them from the Tab order. So it is remounted once in the document.
 */
function TabList(props: TabListProps) {
  const [isInDocument, setInDocument] = useState(true)
  return <TabRow key={String(isInDocument)} {...props} onPlaced={setInDocument} />
}

function TabRow({ tabs, value, onPlaced }: TabListProps & { onPlaced: (isInDocument: boolean) => void }) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => onPlaced(list.current?.isConnected ?? true), [onPlaced])
  // Scrolls the chosen tab into view, again after the font loads; the page does not scroll.
  useEffect(() => {
    const row = list.current
    if (!row) return
    const show = () => {
      onPlaced(row.isConnected)
      const chosen = value ? row.querySelector(`[data-tab="${value}"]`) : null
      if (!chosen) return
      const { left, right } = row.getBoundingClientRect()
      const tab = chosen.getBoundingClientRect()
      row.scrollBy({ left: Math.min(0, tab.left - left) || Math.max(0, tab.right - right) })
    }
    const watching = new ResizeObserver(show)
    for (const one of [row, ...row.children]) watching.observe(one)
    return () => watching.disconnect()
  }, [value, onPlaced])
  return (
    <Base.List ref={list} className="flex gap-6 overflow-x-auto overflow-y-hidden border-b border-line">
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
