import { Accordion as Base } from '@base-ui/react/accordion'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'

export interface AccordionItem {
  value: string
  title: ReactNode
  content: ReactNode
}

export function Accordion({
  items,
  defaultOpen,
}: {
  items: readonly AccordionItem[]
  defaultOpen?: string | null
}) {
  return (
    <Base.Root defaultValue={defaultOpen ? [defaultOpen] : []} className="border-t border-line">
      {items.map((item) => (
        <Base.Item key={item.value} value={item.value} className="border-b border-line">
          <Base.Header>
            <Base.Trigger className="group flex w-full items-center justify-between gap-4 py-4 text-left font-semibold hover:text-accent-text">
              <span className="min-w-0 flex-1">{item.title}</span>
              <Plus
                aria-hidden="true"
                className="size-5 shrink-0 transition-transform group-data-panel-open:rotate-45"
              />
            </Base.Trigger>
          </Base.Header>
          <Base.Panel className="h-(--accordion-panel-height) overflow-hidden transition-[height] duration-200 data-ending-style:h-0 data-starting-style:h-0">
            <div className="pb-5 text-soft">{item.content}</div>
          </Base.Panel>
        </Base.Item>
      ))}
    </Base.Root>
  )
}
