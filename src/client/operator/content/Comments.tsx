import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type CommentReason,
  commentReasons,
  commentViews,
  type OperatorComment,
  operatorCommentRoutes,
} from '../../../shared/api/comments.ts'
import { ConfirmChange } from '../../area/ConfirmChange.tsx'
import { call } from '../../area/call.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { LocalText } from '../../area/LocalText.tsx'
import { RowActions, RowButton } from '../../area/RowActions.tsx'
import { readPages } from '../../area/reading.ts'
import { useUrlState } from '../../area/url-state.ts'
import { useChange } from '../../area/use-change.ts'
import { Ito } from '../../ito/Ito.tsx'
import { Field } from '../../ui/Field.tsx'
import { DateTime } from '../../ui/numbers.tsx'
import { Select } from '../../ui/Select.tsx'
import { Badge, Status } from '../../ui/Status.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { reasonNames } from '../comment-reasons.ts'
import { Older } from '../Older.tsx'
import { paths } from '../paths.ts'
import { usePublicCampaign } from '../queries.ts'
import { touched } from '../touched.ts'

type View = (typeof commentViews)[number]

export function Comments() {
  const { t } = useLingui()
  const url = useUrlState()
  const view = commentViews.find((one) => one === url.get('view')) ?? 'reported'
  const [hiding, setHiding] = useState<OperatorComment>()
  const campaign = usePublicCampaign()
  const query = useInfiniteQuery(readPages(operatorCommentRoutes.list, { view, limit: 30 }))
  const items = query.data?.pages.flatMap((page) => page.items)
  const names: Record<View, string> = { reported: t`Reported`, hidden: t`Hidden`, all: t`All` }
  return (
    <>
      {campaign && !campaign.settings.comments ? (
        <p className="mb-4 max-w-prose text-soft">
          <Trans>
            Comments are switched off: nobody can write or read any. An owner switches them on in the
            campaign.
          </Trans>
        </p>
      ) : null}
      <Field label={t`Show`} className="mb-4 w-full sm:w-60">
        <Select
          value={view}
          onValueChange={(next) => url.set({ view: next === 'reported' ? null : next })}
          options={commentViews.map((value) => ({ value, label: names[value] }))}
        />
      </Field>
      <Loaded query={{ ...query, data: items }}>
        {(comments) => (
          <>
            {comments.length === 0 ? (
              <EmptyState
                picture={<Ito pose="box" decorative />}
                title={view === 'reported' ? t`No comment waits for a look` : t`No comments here`}
              />
            ) : null}
            <ul>
              {comments.map((comment) => (
                <Row key={comment.id} comment={comment} onHide={setHiding} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
      <Older query={query} />
      {hiding ? <Hide comment={hiding} onClose={() => setHiding(undefined)} /> : null}
    </>
  )
}

function Row({ comment, onHide }: { comment: OperatorComment; onHide: (comment: OperatorComment) => void }) {
  const { t, i18n } = useLingui()
  const { id, hidden, announcement } = comment
  const params = { id }
  const keep = useChange({
    run: () => call(operatorCommentRoutes.keep, { params }),
    touches: touched.comments,
    done: () => toast.success(t`The reports are settled; the comment stays.`),
  })
  const unhide = useChange({
    run: () => call(operatorCommentRoutes.unhide, { params }),
    touches: touched.comments,
    done: () => toast.success(t`The comment is shown again.`),
  })
  return (
    <li className="border-b border-line py-3">
      <p className="text-sm text-soft">
        <a href={paths.user(comment.userId)} className="underline underline-offset-4">
          <bdi>{comment.name ?? t`Without a name`}</bdi> <span className="figures">#{comment.userId}</span>
        </a>
        {' · '}
        <DateTime value={comment.at} />
        {' · '}
        <a href={`/updates/${announcement.id}#comment-${id}`} className="underline underline-offset-4">
          <LocalText text={announcement.title} />
        </a>
      </p>
      <p dir="auto" className="mt-1 max-w-prose break-words whitespace-pre-line">
        {comment.body}
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        {comment.reports.map(({ reason, count }) => (
          <Badge key={reason} tone="accent">
            {i18n._(reasonNames[reason])} · {count}
          </Badge>
        ))}
        {hidden ? <HiddenBy hidden={hidden} /> : null}
        <RowActions>
          {hidden ? (
            <RowButton disabled={unhide.isPending} onClick={() => unhide.mutate()}>
              <Trans>Show again</Trans>
            </RowButton>
          ) : (
            <>
              {comment.reports.length > 0 ? (
                <RowButton disabled={keep.isPending} onClick={() => keep.mutate()}>
                  <Trans>Keep</Trans>
                </RowButton>
              ) : null}
              <RowButton danger onClick={() => onHide(comment)}>
                <Trans>Hide…</Trans>
              </RowButton>
            </>
          )}
        </RowActions>
      </div>
    </li>
  )
}

function HiddenBy({ hidden: { at, reason, by } }: { hidden: NonNullable<OperatorComment['hidden']> }) {
  const { i18n } = useLingui()
  const words = i18n._(reasonNames[reason])
  return (
    <Status tone="danger">
      <Trans>
        hidden by {by}, <DateTime value={at} />: {words}
      </Trans>
    </Status>
  )
}

function Hide({ comment, onClose }: { comment: OperatorComment; onClose: () => void }) {
  const { t, i18n } = useLingui()
  const [reason, setReason] = useState<CommentReason>(comment.reports[0]?.reason ?? 'spam')
  return (
    <ConfirmChange
      title={t`Hide this comment?`}
      danger
      confirm={t`Hide`}
      run={() => call(operatorCommentRoutes.hide, { params: { id: comment.id }, body: { reason } })}
      touches={touched.comments}
      done={() => toast.success(t`The comment is hidden.`)}
      onClose={onClose}
    >
      <p className="mb-4">
        <Trans>The reason stands in its place, for everybody.</Trans>
      </p>
      <Field label={t`Reason that everybody sees`}>
        <Select
          value={reason}
          onValueChange={setReason}
          options={commentReasons.map((value) => ({ value, label: i18n._(reasonNames[value]) }))}
        />
      </Field>
    </ConfirmChange>
  )
}
