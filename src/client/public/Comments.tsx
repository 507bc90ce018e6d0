import { Trans, useLingui } from '@lingui/react/macro'
import {
  type CommentReason,
  commentLengthMax,
  commentReasons,
  type PublicComment,
} from '../../shared/api/comments.ts'
import type { PageComments } from '../../shared/public-pages.ts'
import { amount, moment } from './figures.ts'
import { usePage, usePath } from './frame.tsx'

const slot = { count: '{count}', most: '{most}' }

/** Empty while comments are off. */
export function Comments({ postId, comments }: { postId: number; comments: PageComments }) {
  const { t } = useLingui()
  const { signedIn } = usePage()
  const path = usePath()
  const words = {
    failed: t`That did not work. Try again in a moment.`,
    reported: t`Reported. An operator will look at it.`,
    removed: t`Your comment is gone.`,
    sure: t`Take this comment back for good?`,
    count: t`${slot.count} of ${slot.most} characters.`,
    tooLong: t`${slot.count} of ${slot.most} characters. Shorten it: it is sent once it fits.`,
  }
  const own = path(`/updates/${postId}`)
  return (
    <section
      id="comments"
      data-island="comments"
      data-id={postId}
      data-words={JSON.stringify(words)}
      aria-labelledby="comments-title"
      className="mt-10 scroll-mt-24"
    >
      <h2 id="comments-title" className="text-xl font-semibold">
        <Trans>Comments</Trans>
      </h2>
      <p className="mt-2 text-sm text-soft">
        <Trans>
          Written by people with an account here, not by the seller. An operator of this sale never promises
          you tokens, a price or help, and never asks for a key.
        </Trans>
      </p>
      {signedIn ? (
        <Write nickname={comments.nickname} />
      ) : (
        <p className="mt-4">
          <a href={`${path('/login')}?next=${encodeURIComponent(own)}`} className="under">
            <Trans>Log in to comment.</Trans>
          </a>
        </p>
      )}
      <p role="status" tabIndex={-1} data-note className="mt-2 text-sm text-soft" />
      {comments.items.length === 0 ? (
        <p className="mt-4">
          <Trans>No comments yet.</Trans>
        </p>
      ) : (
        <ul className="mt-4 border-t">
          {comments.items.map((comment) => (
            <Comment key={comment.id} comment={comment} />
          ))}
        </ul>
      )}
      {comments.next ? (
        <a href={`${own}?before=${comments.next}#comments`} rel="next" className="press mt-6">
          <Trans>Older comments</Trans>
        </a>
      ) : null}
    </section>
  )
}

function Write({ nickname }: { nickname: string | null }) {
  const { locale } = usePage()
  const most = amount(String(commentLengthMax), locale)
  return (
    <div className="mt-4 grid gap-3">
      <label htmlFor="comment" className="text-sm font-semibold">
        <Trans>Your comment, in plain text</Trans>
      </label>
      <textarea
        id="comment"
        data-body
        data-most={commentLengthMax}
        rows={3}
        aria-describedby="comment-count"
        autoComplete="off"
        className="w-full border border-line-strong bg-raised px-3 py-2 aria-invalid:border-danger"
      />
      <p id="comment-count" data-count className="text-sm text-soft">
        <Trans>At most {most} characters.</Trans>
      </p>
      {nickname === null ? (
        <p className="text-sm text-soft">
          <Trans>
            It stands here without a name. To have one, choose a nickname in{' '}
            <a href="/dashboard/profile" className="under">
              the profile
            </a>
            .
          </Trans>
        </p>
      ) : (
        <label className="flex min-h-11 items-center gap-2 text-sm">
          <input type="checkbox" data-name className="size-5" />
          <span className="wrap-anywhere">
            <Trans>Show my nickname, {nickname}, beside it</Trans>
          </span>
        </label>
      )}
      <button type="button" data-send className="press w-fit">
        <Trans>Comment</Trans>
      </button>
    </div>
  )
}

function useReasons(): Record<CommentReason, string> {
  const { t } = useLingui()
  return {
    spam: t`spam or advertising`,
    fraud: t`fraud or a false promise`,
    insult: t`insult or hatred`,
    personal: t`personal data of somebody`,
    off_topic: t`not about this announcement`,
    unlawful: t`against the law`,
  }
}

function Comment({ comment }: { comment: PublicComment }) {
  const { t } = useLingui()
  const { locale, signedIn } = usePage()
  const reasons = useReasons()
  const { id, hidden, isOwn } = comment
  const written = (
    <a href={`#comment-${id}`} className="hover:underline">
      <time dateTime={comment.at}>{moment(comment.at, locale)}</time>
    </a>
  )
  if (hidden) {
    const reason = reasons[hidden.reason]
    return (
      <li id={`comment-${id}`} className="scroll-mt-24 border-b py-4 text-sm text-soft">
        <p>{written}</p>
        <p className="mt-1">
          <Trans>Hidden by an operator: {reason}.</Trans>
        </p>
        {isOwn ? <TakeBack id={id} /> : null}
      </li>
    )
  }
  return (
    <li id={`comment-${id}`} className="scroll-mt-24 border-b py-4">
      <p className="text-sm text-soft">
        <bdi className="font-semibold text-ink wrap-anywhere">{comment.name ?? t`Without a name`}</bdi>
        {isOwn ? (
          <>
            {' '}
            <Trans>(you)</Trans>
          </>
        ) : null}
        {' · '}
        {written}
      </p>
      <p dir="auto" className="mt-2 break-words whitespace-pre-line">
        {comment.body}
      </p>
      {isOwn ? <TakeBack id={id} /> : null}
      {signedIn && !isOwn ? <Report comment={comment} reasons={reasons} /> : null}
    </li>
  )
}

function TakeBack({ id }: { id: number }) {
  return (
    <button type="button" data-remove={id} className="under mt-2 text-sm">
      <Trans>Take back</Trans>
    </button>
  )
}

function Report({ comment, reasons }: { comment: PublicComment; reasons: Record<CommentReason, string> }) {
  if (comment.isReported)
    return (
      <p className="mt-2 text-sm text-soft">
        <Trans>You reported this.</Trans>
      </p>
    )
  return (
    <details className="mt-2 text-sm">
      <summary className="under w-fit">
        <Trans>Report</Trans>
      </summary>
      <fieldset className="mt-2 grid gap-1">
        <legend className="text-soft">
          <Trans>Why do you report it?</Trans>
        </legend>
        {commentReasons.map((reason) => (
          <button
            key={reason}
            type="button"
            data-report={comment.id}
            data-reason={reason}
            className="press min-h-9 w-fit px-3 font-normal"
          >
            {reasons[reason]}
          </button>
        ))}
      </fieldset>
    </details>
  )
}
