import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type OperatorAnnouncement, operatorContentRoutes, searchedMax } from '../../../shared/api/content.ts'
import { followerRoutes } from '../../../shared/api/followers.ts'
import { pickText } from '../../../shared/languages.ts'
import { ConfirmChange } from '../../area/ConfirmChange.tsx'
import { call } from '../../area/call.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { RowActions, RowButton } from '../../area/RowActions.tsx'
import { read, readPages } from '../../area/reading.ts'
import { SearchField } from '../../area/SearchField.tsx'
import { useUrlState } from '../../area/url-state.ts'
import { Ito } from '../../ito/Ito.tsx'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/numbers.tsx'
import { Badge, Status } from '../../ui/Status.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { Older } from '../Older.tsx'
import { touched } from '../touched.ts'
import { AnnouncementForm } from './AnnouncementForm.tsx'

export function Announcements() {
  const { t } = useLingui()
  const [editing, setEditing] = useState<OperatorAnnouncement | 'new'>()
  const [removing, setRemoving] = useState<OperatorAnnouncement>()
  const words = useUrlState().get('search')?.slice(0, searchedMax)
  const query = useInfiniteQuery(
    readPages(operatorContentRoutes.announcements, { limit: 20, ...(words ? { words } : {}) }),
  )
  const items = query.data?.pages.flatMap((page) => page.items)
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end justify-between gap-4">
        <Button onClick={() => setEditing('new')}>
          <Trans>Write an announcement</Trans>
        </Button>
        <SearchField placeholder={t`Words of a title or text ( / )`} />
      </div>
      <FollowersLine />
      <Loaded query={{ ...query, data: items }}>
        {(announcements) => (
          <>
            {announcements.length === 0 ? (
              <EmptyState
                picture={<Ito pose="box" decorative />}
                title={words ? t`No announcement has these words` : t`Nothing announced yet`}
              />
            ) : null}
            <ul>
              {announcements.map((item) => (
                <Row key={item.id} item={item} onEdit={setEditing} onRemove={setRemoving} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
      <Older query={query} />
      {editing ? (
        <AnnouncementForm
          shown={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      ) : null}
      {removing ? <Remove item={removing} onClose={() => setRemoving(undefined)} /> : null}
    </>
  )
}

function FollowersLine() {
  const { data } = useQuery(read(followerRoutes.count))
  if (!data || (!data.isOn && data.confirmed === 0)) return null
  const { isOn, confirmed, waiting } = data
  return (
    <p className="mb-4 text-sm text-soft">
      <Trans>
        Addresses that get announcements by mail: {confirmed}; not confirmed yet: {waiting}.
      </Trans>{' '}
      {isOn ? null : <Trans>No mail goes out while an owner has it switched off.</Trans>}
    </p>
  )
}

function useTitleOf(): (item: OperatorAnnouncement) => string {
  const { i18n, t } = useLingui()
  return ({ title, id }) => pickText(title, i18n.locale).text || t`Announcement ${id}`
}

function Row({
  item,
  onEdit,
  onRemove,
}: {
  item: OperatorAnnouncement
  onEdit: (item: OperatorAnnouncement) => void
  onRemove: (item: OperatorAnnouncement) => void
}) {
  const { t } = useLingui()
  const title = useTitleOf()(item)
  const states = { draft: t`draft`, scheduled: t`scheduled`, published: t`published` }
  const tones = { draft: 'neutral', scheduled: 'now', published: 'success' } as const
  const { views, viewsToday } = item
  const reactions = Object.values(item.reactions).reduce((total, count) => total + (count ?? 0), 0)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3">
      {item.image ? (
        <img src={item.image.url} alt="" className="h-12 w-20 rounded-sm border border-line object-cover" />
      ) : null}
      <div className="min-w-0 flex-1 basis-60">
        <p className="truncate font-semibold">{title}</p>
        <p className="text-sm text-soft">
          {item.publishedAt ? <DateTime value={item.publishedAt} /> : <Trans>not published</Trans>}
          {item.author ? ` · ${item.author}` : null}
          {item.state === 'published' ? (
            <>
              {' · '}
              <Trans>
                opened: {views} (today, UTC: {viewsToday})
              </Trans>
            </>
          ) : null}
          {reactions > 0 ? (
            <>
              {' · '}
              <Trans>reactions: {reactions}</Trans>
            </>
          ) : null}
        </p>
      </div>
      {item.pinned ? (
        <Badge tone="accent">{item.state === 'published' ? t`pinned` : t`pinned once it is published`}</Badge>
      ) : null}
      <Status tone={tones[item.state]}>{states[item.state]}</Status>
      <RowActions>
        <RowButton aria-label={t`Edit ${title}`} onClick={() => onEdit(item)}>
          <Trans>Edit</Trans>
        </RowButton>
        <RowButton danger aria-label={t`Delete ${title}`} onClick={() => onRemove(item)}>
          <Trans>Delete</Trans>
        </RowButton>
      </RowActions>
    </li>
  )
}

function Remove({ item, onClose }: { item: OperatorAnnouncement; onClose: () => void }) {
  const { t } = useLingui()
  const title = useTitleOf()(item)
  return (
    <ConfirmChange
      title={t`Delete “${title}”?`}
      danger
      confirm={t`Delete`}
      run={() => call(operatorContentRoutes.removeAnnouncement, { params: { id: item.id } })}
      touches={touched.announcements}
      done={() => toast.success(t`The announcement was deleted.`)}
      onClose={onClose}
    >
      <Trans>
        It leaves the site and the feed at once, with its reactions and comments. This can't be undone.
      </Trans>
    </ConfirmChange>
  )
}
