import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { operatorRoutes } from '../../../shared/api/operators.ts'
import { userNoteInput } from '../../../shared/api/operators-inputs.ts'
import { Button } from '../../ui/Button.tsx'
import { Field, Textarea } from '../../ui/Field.tsx'
import { DateTime } from '../../ui/numbers.tsx'
import { toast } from '../../ui/Toast.tsx'
import { act } from '../act.ts'
import { useChange } from '../change.ts'
import { useSchemaForm } from '../form.ts'
import { Band, Loaded } from '../page.tsx'
import { useRefusal } from '../session.ts'

/** What operators wrote about a user, each with its author and time; nothing is changed or taken back. */
export function Notes({ userId, isDeleted }: { userId: number; isDeleted: boolean }) {
  const { t } = useLingui()
  const params = { id: String(userId) }
  const queryKey = ['user-notes', userId]
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await act(operatorRoutes.userNotes, { params, signal })).items,
  })
  return (
    <Band
      title={t`Notes`}
      lead={t`Operators who may read users see them. They can't be changed, the user gets them with the export of their data, and deleting the account removes them.`}
    >
      {isDeleted ? null : <AddNote params={params} touches={queryKey} />}
      <Loaded query={query}>
        {(notes) =>
          notes.length === 0 ? (
            <p className="text-soft">
              <Trans>No notes yet.</Trans>
            </p>
          ) : (
            <ul>
              {notes.map((note) => (
                <li key={note.id} className="border-b border-line py-3 last:border-0">
                  <p className="measure whitespace-pre-line wrap-anywhere">{note.text}</p>
                  <p className="mt-1 text-sm text-soft">
                    {note.operator} · <DateTime value={note.at} />
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Band>
  )
}

function AddNote({ params, touches }: { params: { id: string }; touches: readonly unknown[] }) {
  const { t } = useLingui()
  const refusal = useRefusal()('notes:write')
  const element = useRef<HTMLFormElement>(null)
  const form = useSchemaForm(userNoteInput, { text: '' })
  const add = useChange({
    run: (body: { text: string }) => act(operatorRoutes.addUserNote, { params, body }),
    touches: [touches],
    done: () => {
      toast.success(t`The note was added.`)
      form.reset()
    },
    onFail: (error) => form.refuse(error),
  })
  return (
    <form
      ref={element}
      noValidate
      className="mb-4 flex max-w-2xl flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        const body = form.check(element.current)
        if (body && !refusal && !add.isPending) add.mutate(body)
      }}
    >
      <Field label={t`Note`} error={form.error('text')}>
        <Textarea
          rows={2}
          value={form.values.text}
          onChange={(event) => form.set({ text: event.target.value })}
        />
      </Field>
      <Button
        type="submit"
        variant="secondary"
        className="self-start"
        loading={add.isPending}
        disabledReason={refusal}
      >
        <Trans>Add the note</Trans>
      </Button>
    </form>
  )
}
