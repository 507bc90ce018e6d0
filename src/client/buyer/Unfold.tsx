import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'

export function Unfold({ title, children }: { title: ReactNode; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="group" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="flex cursor-pointer list-none items-center gap-2 py-1 text-sm font-semibold hover:text-accent-text [&::-webkit-details-marker]:hidden">
        <ChevronDown
          aria-hidden="true"
          className="size-4 shrink-0 -rotate-90 transition-transform group-open:rotate-0"
        />
        {title}
      </summary>
      <div className="pt-2 pb-1">{isOpen ? children : null}</div>
    </details>
  )
}
