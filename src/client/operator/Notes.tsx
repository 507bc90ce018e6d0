import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { operatorRoutes } from '../../shared/api/operators.ts'
import { userNoteInput } from '../../shared/api/operators-inputs.ts'
import { call } from '../area/call.ts'
import { Loaded } from '../area/Loaded.tsx'
import { Band } from '../area/Page.tsx'
import { readPages } from '../area/reading.ts'
import { rulesOf } from '../area/rules.ts'
import { useForm } from '../area/use-form.ts'
import { Button } from '../ui/Button.tsx'
import { Field, Textarea } from '../ui/Field.tsx'
import { DateTime } from '../ui/numbers.tsx'
import { toast } from '../ui/Toast.tsx'
import { Older } from './Older.tsx'
import { paths } from './paths.ts'
import { useRefusal } from './session.ts'
import { touched } from './touched.ts'

/** Notes can't be changed or deleted. */
export function Notes({
  userId,
  orderId,
  isDeleted,
}: {
  userId: number
  orderId?: number
  isDeleted: boolean
}) {
  const { t } = useLingui()
  const params = { id: String(userId) }
  const order = orderId === undefined ? {} : { order: String(orderId) }
  const query = useInfiniteQuery(readPages(operatorRoutes.userNotes, { ...order, limit: 50 }, params))
  const items = query.data?.pages.flatMap((page) => page.items)
  return (
    <Band
      title={t`Notes`}
      lead={t`Operators who may read users see them. They can't be changed, the user gets them with the export of their data, and deleting the account removes them.`}
    >
      {isDeleted ? null : <AddNote params={params} orderId={orderId} />}
      <Loaded query={{ ...query, data: items }}>
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
                    {note.orderId && !orderId ? (
                      <>
                        {' · '}
                        <Link className="underline" to={paths.order(note.orderId)}>
                          <Trans>Order #{note.orderId}</Trans>
                        </Link>
                      </>
                    ) : null}
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <Older query={query}>
        <Trans>Older notes</Trans>
      </Older>
    </Band>
  )
}

function AddNote({ params, orderId }: { params: { id: string }; orderId: number | undefined }) {
  const { t } = useLingui()
  const refusal = useRefusal()('notes:write')
  const form = useForm({
    rules: rulesOf(userNoteInput),
    initial: { text: '' },
    send: (body) => call(operatorRoutes.addUserNote, { params, body: { ...body, orderId } }),
    touches: touched.userNotes,
    done: () => toast.success(t`The note was added.`),
    empties: true,
    failed: t`Error`,
  })
  return (
    <form {...form.formProps} className="mb-4 flex max-w-2xl flex-col gap-3">
      <Field label={t`Note`} error={form.error('text')}>
        <Textarea {...form.text('text')} rows={2} />
      </Field>
      <Button
        type="submit"
        variant="secondary"
        className="self-start"
        loading={form.isPending}
        disabledReason={refusal}
      >
        <Trans>Add the note</Trans>
      </Button>
    </form>
  )
}
