import { useLingui } from '@lingui/react/macro'
import { cx } from 'class-variance-authority'
import { PanelLeft, X } from 'lucide-react'
import {
  createContext,
  type ReactElement,
  type ReactNode,
  use,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { documentFacts } from '../document-facts.ts'
import { buttonLook } from './Button.tsx'
import { Tooltip } from './Tooltip.tsx'

const cookieName = 'sidebar:state'
const cookieAgeSeconds = 7 * 24 * 3600

interface SidebarState {
  expanded: boolean
  sheetOpen: boolean
  small: boolean
  toggle: () => void
  closeSheet: () => void
}

const SidebarContext = createContext<SidebarState | null>(null)

function useSidebar(): SidebarState {
  const state = use(SidebarContext)
  if (!state) throw new Error('Sidebar parts stand inside SidebarProvider')
  return state
}

const keptState = () => documentFacts().sidebarOpen

const smallScreen = '(max-width: 767px)'

function useSmallScreen(): boolean {
  return useSyncExternalStore(
    (notify) => {
      const media = matchMedia(smallScreen)
      media.addEventListener('change', notify)
      return () => media.removeEventListener('change', notify)
    },
    () => matchMedia(smallScreen).matches,
    () => false,
  )
}

/** The open state is stored for 7 days; Ctrl/Cmd+B toggles it. */
export function SidebarProvider({ children }: { children: ReactNode }) {
  const [expanded, setExpanded] = useState(keptState)
  const [sheetOpen, setSheetOpen] = useState(false)
  const small = useSmallScreen()

  const toggle = () => {
    if (small) {
      setSheetOpen((open) => !open)
      return
    }
    const next = !expanded
    setExpanded(next)
    // oxlint-disable-next-line unicorn/no-document-cookie
    document.cookie = `${cookieName}=${next}; path=/; max-age=${cookieAgeSeconds}; samesite=lax`
  }

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() === 'b' &&
        (event.ctrlKey || event.metaKey) &&
        !event.altKey &&
        !event.shiftKey
      ) {
        event.preventDefault()
        toggle()
      }
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })

  return (
    <SidebarContext value={{ expanded, sheetOpen, small, toggle, closeSheet: () => setSheetOpen(false) }}>
      {children}
    </SidebarContext>
  )
}

/** The sidebar has 16 rem, or 3 rem collapsed; below 768 px it is a sheet of 18 rem. */
export function Sidebar({ head, children }: { head: ReactNode; children: ReactNode }) {
  const { t } = useLingui()
  const { expanded, sheetOpen, small, closeSheet } = useSidebar()
  if (small) {
    return (
      <Sheet open={sheetOpen} onClose={closeSheet}>
        <div className="flex items-center justify-between gap-2 px-4 pt-4 pb-2">
          {head}
          <button
            type="button"
            aria-label={t`Close menu`}
            onClick={closeSheet}
            className={buttonLook({ variant: 'ghost', size: 'icon' })}
          >
            <X className="size-5" />
          </button>
        </div>
        <nav aria-label={t`Main`} className="flex-1 px-2 pb-4">
          {children}
        </nav>
      </Sheet>
    )
  }
  return (
    <aside
      data-collapsed={expanded ? undefined : ''}
      className={cx(
        // CSS decides the first paint on a phone, before scripts run.
        'max-md:hidden group/sidebar sticky top-0 flex h-dvh shrink-0 flex-col overflow-x-hidden overflow-y-auto border-r border-line bg-sunk transition-[width] duration-200',
        expanded ? 'w-64' : 'w-12',
      )}
    >
      <div
        className={cx(
          'flex h-14 shrink-0 items-center overflow-hidden border-b border-line',
          expanded ? 'px-4' : 'justify-center',
        )}
      >
        {head}
      </div>
      <nav aria-label={t`Main`} className={cx('flex-1 pb-4', expanded ? 'px-2' : 'px-1')}>
        {children}
      </nav>
    </aside>
  )
}

/** The browser's modal dialog traps the focus, handles Escape and makes the page inert. */
function Sheet({ open, onClose, children }: { open: boolean; onClose: () => void; children: ReactNode }) {
  const { t } = useLingui()
  const sheet = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (open) sheet.current?.showModal()
    else sheet.current?.close()
  }, [open])
  return (
    <dialog
      ref={sheet}
      aria-label={t`Menu`}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className="sheet m-0 h-dvh max-h-none w-72 max-w-[85vw] border-r border-line-strong bg-paper text-ink backdrop:bg-shade"
    >
      <div className="flex min-h-full flex-col overflow-y-auto">{children}</div>
    </dialog>
  )
}

/** True if only icons are shown. */
export function useCollapsed(): boolean {
  const { expanded, small } = useSidebar()
  return !small && !expanded
}

export function SidebarGroup({ label, children }: { label: ReactNode; children: ReactNode }) {
  const collapsed = useCollapsed()
  return (
    <section className="mt-5 first:mt-3">
      <h2 className={collapsed ? 'sr-only' : 'px-2 pb-1 text-xs text-faint'}>{label}</h2>
      <ul className="flex flex-col gap-0.5">{children}</ul>
    </section>
  )
}

/** `render` is the router's link element without children. */
export function SidebarLink({
  render,
  icon,
  label,
  current,
}: {
  render: (props: {
    className: string
    'aria-current': 'page' | undefined
    children: ReactNode
    onClick: () => void
  }) => ReactElement<Record<string, unknown>>
  icon: ReactNode
  label: string
  current: boolean
}) {
  const { closeSheet } = useSidebar()
  const collapsed = useCollapsed()
  const link = render({
    'aria-current': current ? 'page' : undefined,
    onClick: closeSheet,
    className: cx(
      'flex h-10 items-center gap-3 rounded-md text-sm font-medium text-soft hover:bg-line hover:text-ink aria-[current=page]:bg-ink aria-[current=page]:text-paper [&_svg]:size-5 [&_svg]:shrink-0',
      collapsed ? 'justify-center' : 'px-2.5',
    ),
    children: (
      <>
        {icon}
        <span className={collapsed ? 'sr-only' : 'truncate'}>{label}</span>
      </>
    ),
  })
  return (
    <li>
      {collapsed ? (
        <Tooltip text={label} side="right">
          {link}
        </Tooltip>
      ) : (
        link
      )}
    </li>
  )
}

export function SidebarToggle() {
  const { t } = useLingui()
  const { expanded, sheetOpen, small, toggle } = useSidebar()
  return (
    <Tooltip text={t`Toggle sidebar (Ctrl+B)`} side="bottom">
      <button
        type="button"
        onClick={toggle}
        aria-label={t`Toggle sidebar`}
        aria-expanded={small ? sheetOpen : expanded}
        className={buttonLook({ variant: 'ghost', size: 'icon' })}
      >
        <PanelLeft className="size-5" />
      </button>
    </Tooltip>
  )
}
