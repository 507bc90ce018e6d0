import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import {
  type Announcement,
  feedPath,
  type ReactionKind,
  reactionKinds,
  searchedMax,
} from '../../shared/api/content.ts'
import { pickText } from '../../shared/languages.ts'
import type { EarlierText, PageComments } from '../../shared/public-pages.ts'
import { Coin, inkLine } from '../ito/figure.tsx'
import { Ito } from '../ito/Ito.tsx'
import { Comments } from './Comments.tsx'
import { FollowForm } from './Follow.tsx'
import { amount, longDate, moment } from './figures.ts'
import { Sourced, usePage, usePath } from './frame.tsx'
import { PlainText } from './PlainText.tsx'

/** A pinned one is on top. */
export function Updates({
  posts,
  next,
  words,
  isKept,
  canFollow,
}: {
  posts: Announcement[]
  next: string | null
  words: string
  /** Lists only the signed-in buyer's bookmarks. */
  isKept: boolean
  canFollow: boolean
}) {
  const path = usePath()
  const isSearch = words !== ''
  const older = new URLSearchParams({
    ...(isSearch ? { words } : {}),
    ...(isKept ? { kept: '1' } : {}),
    after: next ?? '',
  })
  return (
    <div className="wrap grid gap-8 py-12 lg:grid-cols-[24rem_1fr] lg:gap-16 lg:py-20">
      <div className="min-w-0">
        <h1 className="display text-title">
          <Trans>Updates</Trans>
        </h1>
        <p className="mt-3 text-sm text-soft">
          <Trans>Written by the people who run the sale. Reactions are counted from signed-in buyers.</Trans>
        </p>
        <Search words={words} />
        <KeptLink isKept={isKept} />
        {canFollow ? <FollowForm /> : null}
        <p className="mt-4 text-sm">
          <a href={feedPath} className="under">
            <Trans>Feed (Atom)</Trans>
          </a>
        </p>
      </div>
      <div className="min-w-0 border-t-2 border-ink lg:max-w-3xl">
        {posts.length === 0 ? (
          <div className="flex items-center gap-6 py-10">
            <div className="h-32">
              <Ito pose="box" decorative />
            </div>
            <p className="text-lg">
              <NothingHere isSearch={isSearch} isKept={isKept} />
            </p>
          </div>
        ) : null}
        {posts.map((post, index) => (
          <Post key={post.id} post={post} isFirst={index === 0} />
        ))}
        {next ? (
          <a href={`${path('/updates')}?${older}`} rel="next" className="press mt-8">
            <Trans>Older announcements</Trans>
          </a>
        ) : null}
      </div>
    </div>
  )
}

function KeptLink({ isKept }: { isKept: boolean }) {
  const { signedIn } = usePage()
  const path = usePath()
  if (!signedIn && !isKept) return null
  return (
    <p className="mt-4 text-sm">
      <a href={path('/updates') + (isKept ? '' : '?kept=1')} className="under">
        {isKept ? <Trans>All announcements</Trans> : <Trans>Your bookmarks</Trans>}
      </a>
    </p>
  )
}

function NothingHere({ isSearch, isKept }: { isSearch: boolean; isKept: boolean }) {
  const { signedIn } = usePage()
  const path = usePath()
  if (isSearch) return <Trans>No announcement has these words.</Trans>
  if (!isKept) return <Trans>No announcements yet.</Trans>
  if (signedIn) return <Trans>You have bookmarked nothing yet.</Trans>
  const next = encodeURIComponent(`${path('/updates')}?kept=1`)
  return (
    <a href={`${path('/login')}?next=${next}`} className="under">
      <Trans>Log in to see your bookmarks.</Trans>
    </a>
  )
}

function Search({ words }: { words: string }) {
  const path = usePath()
  return (
    <form action={path('/updates')} role="search" className="mt-6 max-w-sm">
      <label htmlFor="words" className="text-sm font-semibold">
        <Trans>Search the announcements</Trans>
      </label>
      <div className="mt-1 flex gap-2">
        <input
          id="words"
          name="words"
          type="search"
          defaultValue={words}
          maxLength={searchedMax}
          autoComplete="off"
          className="min-h-11 w-full min-w-0 flex-1 border border-line-strong bg-raised px-3"
        />
        <button type="submit" className="press">
          <Trans>Search</Trans>
        </button>
      </div>
      {words !== '' ? (
        <p className="mt-3 text-sm">
          <a href={path('/updates')} className="under">
            <Trans>All announcements</Trans>
          </a>
        </p>
      ) : null}
    </form>
  )
}

/** SVG, because emoji look different on each system. */
const marks: Record<ReactionKind, ReactNode> = {
  heart: (
    <path
      d="M0 15C-22 2-17-14-8-14c4 0 7 3 8 6 1-3 4-6 8-6 9 0 14 16-8 29z"
      fill="var(--accent)"
      stroke={inkLine}
      strokeWidth="3"
    />
  ),
  fire: (
    <>
      <path
        d="M-1-19c2 8 14 12 14 24 0 9-6 14-13 14s-13-5-13-13c0-6 4-9 6-13 1 3 2 5 4 6 1-6-2-11 2-18z"
        fill="var(--accent)"
        stroke={inkLine}
        strokeWidth="3"
        strokeLinejoin="round"
      />
      <path d="M0 16c-4 0-6-3-6-6 0-4 4-6 6-10 2 4 6 6 6 10 0 3-2 6-6 6z" fill="var(--now)" />
    </>
  ),
  laugh: <Coin mood="glad" x={0} y={0} />,
  wow: <Coin mood="wow" x={0} y={0} />,
}

export function Update({
  post,
  earlier,
  comments,
}: {
  post: Announcement
  earlier: readonly EarlierText[]
  comments: PageComments | null
}) {
  const { locale } = usePage()
  const path = usePath()
  return (
    <div className="wrap max-w-4xl py-12 lg:py-20">
      <a href={path('/updates')} className="under text-sm">
        <Trans>All announcements</Trans>
      </a>
      <Post post={post} isWhole isFirst />
      {earlier.length > 0 ? (
        <section id="earlier" aria-labelledby="earlier-title" className="mt-10">
          <h2 id="earlier-title" className="text-xl font-semibold">
            <Trans>The text before</Trans>
          </h2>
          {earlier.map(({ title, body, until }) => {
            const [oldTitle, oldBody] = [pickText(title, locale), pickText(body, locale)]
            const ended = moment(until, locale)
            return (
              <details key={until} className="border-b py-4">
                <summary className="under w-fit">
                  <Trans>Until {ended}</Trans>
                </summary>
                <p lang={oldTitle.lang} className="mt-3 font-semibold wrap-anywhere">
                  {oldTitle.text}
                </p>
                <div lang={oldBody.lang} className="mt-2 break-words">
                  <PlainText text={oldBody.text} />
                </div>
              </details>
            )
          })}
        </section>
      ) : null}
      {comments ? <Comments postId={post.id} comments={comments} /> : null}
    </div>
  )
}

function Post({
  post,
  isWhole = false,
  isFirst,
}: {
  post: Announcement
  isWhole?: boolean
  isFirst: boolean
}) {
  const { t } = useLingui()
  const { locale, publicUrl, signedIn } = usePage()
  const path = usePath()
  const title = pickText(post.title, locale)
  const body = pickText(post.body, locale)
  const own = path(`/updates/${post.id}`)
  const Heading = isWhole ? 'h1' : 'h2'
  const words = {
    copied: t`Link copied`,
    copy: t`Copy link`,
    signIn: t`Log in to react.`,
    failed: t`That did not work. Try again in a moment.`,
  }
  return (
    <article
      id={`post-${post.id}`}
      data-island="post"
      data-id={post.id}
      data-login={path('/login')}
      data-words={JSON.stringify(words)}
      aria-labelledby={`title-${post.id}`}
      className="scroll-mt-24 border-b py-10"
    >
      <Dates post={post} own={own} hasViews={isWhole} />
      <Heading id={`title-${post.id}`} lang={title.lang} className="display mt-2 text-4xl wrap-anywhere">
        {isWhole ? (
          title.text
        ) : (
          <a href={own} className="hover:underline">
            {title.text}
          </a>
        )}
      </Heading>
      {post.image ? <Picture image={post.image} isFirst={isFirst} /> : null}
      <div lang={body.lang} data-body className={`mt-4 break-words ${isWhole ? '' : 'line-clamp-10'}`}>
        <PlainText text={body.text} />
      </div>
      <button type="button" hidden data-more className="under mt-2 font-semibold">
        <Trans>Show more</Trans>
      </button>
      <div className="mt-5 flex flex-wrap items-center gap-2">
        <Reactions post={post} />
        <span className="ms-auto flex flex-wrap gap-x-4 text-sm">
          {signedIn ? <Keep isKept={post.isKept} /> : null}
          <button type="button" hidden data-share data-title={title.text} className="under py-1">
            <Trans>Share this</Trans>
          </button>
          <a href={publicUrl + own} data-copy className="under py-1">
            {words.copy}
          </a>
        </span>
      </div>
      <p role="status" data-note className="text-sm text-soft" />
    </article>
  )
}

function Picture({ image, isFirst }: { image: NonNullable<Announcement['image']>; isFirst: boolean }) {
  const { locale } = usePage()
  return (
    <img
      src={image.url}
      width={image.width}
      height={image.height}
      alt={pickText(image.alt, locale).text}
      lang={pickText(image.alt, locale).lang}
      loading={isFirst ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'high' : undefined}
      decoding="async"
      className="mt-5 h-auto w-full border border-ink"
    />
  )
}

function Keep({ isKept }: { isKept: boolean }) {
  return (
    <button
      type="button"
      data-keep
      aria-pressed={isKept}
      className="under group inline-flex items-center gap-1 py-1"
    >
      <svg
        viewBox="0 0 20 20"
        className="size-4 fill-none group-aria-pressed:fill-current"
        aria-hidden="true"
      >
        <path d="M5 2.5h10v15l-5-4-5 4z" stroke="currentColor" strokeWidth="2" strokeLinejoin="round" />
      </svg>
      <Trans>Bookmark</Trans>
    </button>
  )
}

function Dates({ post, own, hasViews }: { post: Announcement; own: string; hasViews: boolean }) {
  const { locale } = usePage()
  const views = amount(String(post.views), locale)
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
      <time dateTime={post.publishedAt}>{longDate(post.publishedAt, locale)}</time>
      {post.pinned ? (
        <span className="rounded-sm bg-now px-2 py-0.5 font-semibold text-on-now">
          <Trans>Pinned</Trans>
        </span>
      ) : null}
      {post.editedAt ? (
        <a href={`${own}#earlier`} className="under">
          <Trans>
            Changed on <time dateTime={post.editedAt}>{longDate(post.editedAt, locale)}</time>
          </Trans>
        </a>
      ) : null}
      {hasViews && post.views > 0 ? (
        <Sourced name="updates/views" at="/transparency#updates.views">
          <Trans>Opened, reloads and robots counted: {views}</Trans>
        </Sourced>
      ) : null}
    </p>
  )
}

function Reactions({ post }: { post: Announcement }) {
  const { t } = useLingui()
  const names: Record<ReactionKind, string> = { heart: t`Heart`, fire: t`Fire`, laugh: t`Laugh`, wow: t`Wow` }
  return reactionKinds.map((kind) => (
    <button
      key={kind}
      type="button"
      data-react={kind}
      data-name={names[kind]}
      aria-pressed={post.ownReactions.includes(kind)}
      aria-label={`${names[kind]}: ${post.reactions[kind] ?? 0}`}
      className="press min-h-9 gap-1.5 px-3 font-normal aria-pressed:border-ink aria-pressed:bg-now-soft"
    >
      <svg viewBox="-23 -23 48 46" className="size-5" aria-hidden="true">
        {marks[kind]}
      </svg>
      <span className="figures text-sm" data-count data-figure="updates/reactions">
        {post.reactions[kind] ?? 0}
      </span>
    </button>
  ))
}
