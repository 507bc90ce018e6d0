import type { ReactNode } from 'react'

export function Step({ number, title, children }: { number: number; title: ReactNode; children: ReactNode }) {
  return (
    <section className="mt-10 border-t-2 border-ink pt-5">
      <h2 className="display text-4xl">
        <span className="figures mr-3 text-soft">{number}</span>
        {title}
      </h2>
      <div className="mt-4 flex flex-col items-stretch gap-4">{children}</div>
    </section>
  )
}

export function Fact({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-soft">{label}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  )
}
