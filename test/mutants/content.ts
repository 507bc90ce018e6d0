import { embedded, type Mutant } from './mutant.ts'

const content = embedded('src/server/http/content.test.ts')
const names = embedded('src/server/accounts/names-alike.test.ts')
const referral = embedded('src/server/referral/referral.test.ts')
const csv = { project: 'unit', files: ['src/shared/csv.test.ts'] } as const

/** Announcements, names, giveaways, rewards and files: what people read and what is made of their words. */
export const contentMutants: readonly Mutant[] = [
  {
    id: 'pinned-in-advance',
    says: 'An announcement that is still to come unpins the present one.',
    edits: [
      [
        'src/server/content/announcement-acts.ts',
        '\n           and exists (select from announcements p where p.id = ${id} and p.published_at <= now())',
        '',
      ],
    ],
    killers: [content],
  },
  {
    id: 'pinned-before-it-appears',
    says: 'No announcement is pinned while one is that is still to come.',
    edits: [
      [
        'src/server/content/announcement-rows.ts',
        'where p.pinned and p.published_at <= now() order by',
        'where p.pinned order by',
      ],
    ],
    killers: [content],
  },
  {
    id: 'pin-comes-back',
    says: 'What a later announcement replaced is pinned again once that one is unpinned.',
    edits: [
      [
        'src/server/content/announcement-acts.ts',
        'and published_at <= now() and id <> (${idOfPinned})',
        'and published_at <= now() and id = 0 and id <> (${idOfPinned})',
      ],
    ],
    killers: [content],
  },
  {
    id: 'announcement-dated-back',
    says: 'An announcement is dated before it came out.',
    edits: [
      [
        'src/server/content/announcement-acts.ts',
        'then greatest(${input.publishedAt}::timestamptz, now()) end,',
        'then ${input.publishedAt}::timestamptz end,',
      ],
    ],
    killers: [content],
  },
  {
    id: 'taken-back-text-lost',
    says: 'What an announcement said is lost once it was taken back and comes again.',
    edits: [
      [
        'src/server/content/announcement-acts.ts',
        '\n                or not coalesce(${input.publishedAt}::timestamptz <= now(), false)',
        '',
      ],
    ],
    killers: [content],
  },
  {
    id: 'nickname-of-the-sale',
    says: 'A buyer is called like the sale below its announcements.',
    edits: [
      [
        'src/server/accounts/profile.ts',
        'if (changes.nickname && (await isNameOfSale(tx, changes.nickname)))',
        'if (changes.nickname === null && (await isNameOfSale(tx, changes.nickname)))',
      ],
    ],
    killers: [names],
  },
  {
    id: 'nickname-that-looks-like-the-sale',
    says: 'A buyer is called like the sale, in letters that look the same.',
    edits: [['src/server/accounts/name-look.ts', '`select ${look} as look', '`select nickname as look']],
    killers: [names],
  },
  {
    id: 'list-fixed-after-its-value',
    says: 'By a slow clock a list of entries is fixed whose random value everybody knows.',
    edits: [['src/server/giveaways/draws.ts', '    await refuseKnownValue(parts, id)\n', '']],
    killers: [embedded('src/server/giveaways/hostile.test.ts')],
  },
  {
    id: 'ring-by-second-accounts',
    says: 'A ring of buyers who bring each other is rewarded where it closes by a second account.',
    edits: [
      [
        'functions/referral/one_person.sql',
        'where same_person(r.friend_id, referrer_id) is not null',
        'where referrer_id = r.friend_id',
      ],
    ],
    killers: [referral],
  },
  {
    id: 'reward-by-one-wallet',
    says: 'Who pays from a wallet and has the friend’s tokens sent there is rewarded.',
    edits: [
      ['functions/referral/same_person.sql', "then 'same_wallet' end", "and false then 'same_wallet' end"],
    ],
    killers: [referral],
  },
  {
    id: 'rewards-stop-at-one',
    says: 'One order of a friend that can’t be decided keeps every later one waiting.',
    edits: [
      ['src/server/referral/referral.ts', 'if (error instanceof RetryableError) throw error', 'throw error'],
    ],
    killers: [referral],
  },
  {
    id: 'formula-in-a-file',
    says: 'A cell of a CSV file is a formula.',
    edits: [['src/shared/csv.ts', '!isPlain && FORMULA.test(text)', 'isPlain && FORMULA.test(text)']],
    killers: [csv],
  },
]
