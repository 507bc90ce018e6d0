import { Trans, useLingui } from '@lingui/react/macro'
import { Columns3 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Choice.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import type { Column } from './DataTable.tsx'
import { isTexts, useStored } from './stored.ts'

/** Columns that the reader may hide; stored in this browser under `key`. */
export function useColumnChoice<Name extends string>(
  key: string,
  names: readonly Name[],
  hiddenAtFirst: readonly Name[] = [],
) {
  const [hidden, setHidden] = useStored<readonly string[]>(key, hiddenAtFirst, isTexts)
  return {
    isShown: (name: Name) => !hidden.includes(name),
    show: (name: Name, isShown: boolean) =>
      setHidden(names.filter((one) => (one === name ? !isShown : hidden.includes(one)))),
  }
}

export function ColumnChooser<Name extends string>({
  columns,
  choice,
}: {
  columns: Readonly<Record<Name, Pick<Column<never>, 'label'>>>
  choice: { isShown: (name: Name) => boolean; show: (name: Name, isShown: boolean) => void }
}) {
  const { t } = useLingui()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setOpen(true)}>
        <Columns3 aria-hidden="true" className="size-4" />
        <Trans>Columns</Trans>
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title={t`Columns`}
        description={t`The choice is kept in this browser.`}
        size="sm"
      >
        <div className="flex flex-col gap-3">
          {(Object.keys(columns) as Name[]).map((name) => (
            <Checkbox
              key={name}
              checked={choice.isShown(name)}
              onCheckedChange={(isShown) => choice.show(name, isShown)}
            >
              {columns[name].label}
            </Checkbox>
          ))}
        </div>
      </Dialog>
    </>
  )
}
