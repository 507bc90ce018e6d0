-- Any number of announcements may be pinned in advance: the one that is pinned is the last of them that has appeared, which is read from when each is published.

create index announcements_pinned on announcements (published_at desc, id desc) where pinned;
drop index announcements_one_is_pinned;
comment on column announcements.pinned is 'Asked for by an operator. Of those that are published the last one is pinned; one that is still to come replaces it by appearing.';
