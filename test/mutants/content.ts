import { remove, replace } from './edit.ts'
import { embedded, mutantsOf } from './mutant.ts'

const content = embedded('src/server/http/content.test.ts')
const names = embedded('src/server/accounts/names-alike.test.ts')
const referral = embedded('src/server/referral/referral.test.ts')
const refusedRewards = embedded('test/security-regressions/reward-refused-and-paid-after-all.test.ts')
const words = embedded('test/security-regressions/words-that-move-money.test.ts')
const atOnce = embedded('test/security-regressions/texts-published-at-once.test.ts')
const csv = { project: 'unit', files: ['src/shared/csv.test.ts'] } as const

export const contentMutants = mutantsOf({
  'pictures-unseen': {
    says: 'A picture with an address in it is published by one operator.',
    edits: replace(
      'src/server/actions/waiting-words.ts:waitingWords',
      'isNamed || files.length > 0',
      'isNamed',
    ),
    killers: words,
  },
  'text-without-its-language': {
    says: 'Who confirms reads what buyers of the first language read, and no other.',
    edits: replace(
      'src/server/actions/waiting-words.ts:asRead',
      '[null, ...languages]',
      '[null, ...languages.slice(0, 1)]',
    ),
    killers: embedded('test/security-regressions/shown-to-who-confirms.test.ts'),
  },
  'text-that-nobody-reads': {
    says: 'A text in a language that the sale does not have is shown to who confirms.',
    edits: replace('src/server/actions/waiting-words.ts:waitingWords', 'if (unread)', 'if (unread && false)'),
    killers: embedded('test/security-regressions/shown-to-who-confirms.test.ts'),
  },
  'query-of-a-listed-page': {
    says: 'A listed page with a query lists every page of the same path.',
    edits: replace('src/shared/links-in-texts.ts:leadsBelow', 'known.url.search || ', ''),
    killers: { project: 'unit', files: ['src/shared/links-in-texts.test.ts'] },
  },
  'parts-at-once': {
    says: 'Parts of an address that are asked for at once are published by one operator.',
    edits: replace(
      'src/server/actions/waiting-words.ts:holdTexts',
      "pg_advisory_xact_lock(hashtext('texts.published'))",
      '',
    ),
    killers: atOnce,
  },
  'link-of-the-opening': {
    says: 'A foreign link dated to the opening waits for nothing before it.',
    edits: replace(
      'src/server/actions/waiting-words.ts:shownNow',
      'greatest(now(), ${appearsAt ?? null}::timestamptz)',
      'now()',
    ),
    killers: atOnce,
  },
  'link-moved-to-the-opening': {
    says: 'A link that was to appear before the opening is moved behind it.',
    edits: replace(
      'src/server/content/announcement-actions.ts:changeOf',
      "publishedAt === null || (input.publishedAt ?? '') > publishedAt",
      'publishedAt === null',
    ),
    killers: atOnce,
  },
  'address-in-a-comment': {
    says: 'A buyer writes an address below an announcement.',
    edits: replace('src/server/comments/comments.ts:Comments', 'isFound || ', ''),
    killers: atOnce,
  },
  'address-between-links': {
    says: 'An address whose pieces are the words of links is published by one operator.',
    edits: replace(
      'src/shared/addresses-in-texts.ts:readingsOf',
      'pages.map(({ words }) => words)',
      "pages.map(() => '')",
    ),
    killers: words,
  },
  'address-in-parts': {
    says: 'An address whose parts stand in one announcement after another is published by one operator.',
    edits: replace(
      'src/server/actions/waiting-words.ts:waitingWords',
      'addressesAcross(texts, shown.words)',
      'addressesAcross(texts, [])',
    ),
    killers: words,
  },
  'listed-host-of-strangers': {
    says: 'A link below a listed page lists its whole host.',
    edits: replace('src/shared/links-in-texts.ts:leadsBelow', 'path === start ||', 'true ||'),
    killers: { project: 'unit', files: ['src/shared/links-in-texts.test.ts'] },
  },
  'address-at-once': {
    says: 'With one operator a text with an address is public at once when the job runs.',
    edits: remove('src/server/actions/approval-requests.ts:executeDue', 'and p.due_at <= now()'),
    killers: words,
  },
  'pinned-in-advance': {
    says: 'An announcement that is still to come unpins the present one.',
    edits: remove(
      'src/server/content/announcement-actions.ts:unpinOthers',
      'and exists (select from announcements p where p.id = ${id} and p.published_at <= now())',
    ),
    killers: content,
  },
  'pinned-before-it-appears': {
    says: 'No announcement is pinned while one is that is still to come.',
    edits: remove('src/server/content/announcement-rows.ts:idOfPinned', 'and p.published_at <= now()'),
    killers: content,
  },
  'pin-comes-back': {
    says: 'What a later announcement replaced is pinned again once that one is unpinned.',
    edits: replace(
      'src/server/content/announcement-actions.ts:settlePins',
      'and published_at <= now() and id <> (${idOfPinned})',
      'and published_at <= now() and id = 0 and id <> (${idOfPinned})',
    ),
    killers: content,
  },
  'announcement-dated-back': {
    says: 'An announcement is dated before it came out.',
    edits: replace(
      'src/server/content/announcement-actions.ts:addAnnouncement',
      'then greatest(${input.publishedAt}::timestamptz, now()) end,',
      'then ${input.publishedAt}::timestamptz end,',
    ),
    killers: content,
  },
  'taken-back-text-lost': {
    says: 'What an announcement said is lost once it was taken back and comes again.',
    edits: remove(
      'src/server/content/announcement-actions.ts:updateAnnouncement',
      'or not coalesce(${input.publishedAt}::timestamptz <= now(), false)',
    ),
    killers: content,
  },
  'nickname-of-the-sale': {
    says: 'A buyer is called like the sale below its announcements.',
    edits: replace(
      'src/server/accounts/profile.ts:updateProfile',
      'if (changes.nickname && (await isNameOfSale(tx, changes.nickname)))',
      'if (changes.nickname === null && (await isNameOfSale(tx, changes.nickname)))',
    ),
    killers: names,
  },
  'nickname-that-looks-like-the-sale': {
    says: 'A buyer is called like the sale, in letters that look the same.',
    edits: replace(
      'src/server/accounts/name-look.ts:looksOf',
      'select ${look} as look from unnest($1::text[]) nickname',
      'select nickname as look from unnest($1::text[]) nickname',
    ),
    killers: names,
  },
  'list-fixed-after-its-value': {
    says: 'By a slow clock a list of entries is fixed whose random value everybody knows.',
    edits: replace(
      'src/server/giveaways/draws.ts:doStep',
      'await refuseKnownValue(parts, id) return',
      'return',
    ),
    killers: embedded('src/server/giveaways/hostile.test.ts'),
  },
  'ring-by-second-accounts': {
    says: 'A ring of buyers who bring each other is rewarded where it closes by a second account.',
    edits: replace(
      'one_person',
      "where same_person(r.friend_id, referrer_id) in ('same_mailbox', 'same_device')",
      'where referrer_id = r.friend_id',
    ),
    killers: referral,
  },
  'reward-to-one-address': {
    says: 'Who has the tokens of both accounts sent to one address is rewarded.',
    edits: replace('same_person', 'on lower(e.address) = lower(d.address)', 'on false'),
    killers: referral,
  },
  'proof-deleted-with-an-account': {
    says: 'Who deletes the friend’s account is rewarded for bringing themselves.',
    edits: replace(
      'src/server/accounts/own-data.ts:removeAccount',
      'await rememberOnePerson(tx, userId) await parts.sessions',
      'await parts.sessions',
    ),
    killers: embedded('test/security-regressions/proof-deleted-with-an-account.test.ts'),
  },
  'one-person-forgotten': {
    says: 'Who was refused for being one person with a friend is rewarded once the friend has another mailbox.',
    edits: remove('one_person', '(select refusal from referrals_found where friend_id = r.friend_id),'),
    killers: refusedRewards,
  },
  'refused-tokens-decided-again': {
    says: 'What was refused for a limit is decided once more with the next payment.',
    edits: replace(
      'decided_base',
      'sum(d.base_tokens), 0',
      'sum(d.base_tokens) filter (where d.refusal is null), 0',
    ),
    killers: refusedRewards,
  },
  'rewards-stop-at-one': {
    says: 'One order of a friend that can’t be decided keeps every later one waiting.',
    edits: remove('src/server/referral/referral.ts:decideDue', 'if (error instanceof RetryableError)'),
    killers: referral,
  },
  'formula-in-a-file': {
    says: 'A cell of a CSV file is a formula.',
    edits: replace('src/shared/csv.ts:defused', 'FORMULA.test(text) ?', '!FORMULA.test(text) ?'),
    killers: csv,
  },
  'formula-behind-a-semicolon': {
    says: 'A cell is a formula where a spreadsheet splits at semicolons.',
    edits: replace(
      'src/shared/csv.ts:defused',
      "FORMULA.test(text) ? `'${inner}` : inner",
      "FORMULA.test(text) ? `'${inner}` : text",
    ),
    killers: csv,
  },
  'nickname-free-a-day-early': {
    says: 'A nickname that was given up is anybody’s after 29 days.',
    edits: replace('keep_given_up_nickname', "interval '30 days'", "interval '29 days'"),
    killers: embedded('test/security-regressions/nickname-given-up-and-taken.test.ts'),
  },
  'nickname-of-the-deleted': {
    says: 'The nickname of a deleted account is anybody’s at once.',
    edits: replace('keep_given_up_nickname', 'g.user_id is distinct from new.id', 'g.user_id <> new.id'),
    killers: embedded('test/security-regressions/nickname-given-up-and-taken.test.ts'),
  },
  'nicknames-hoarded': {
    says: 'One account keeps any number of nicknames from others.',
    edits: replace(
      'keep_given_up_nickname',
      'order by k.given_up_at desc limit 3',
      'order by k.given_up_at desc limit 300',
    ),
    killers: embedded('test/security-regressions/nickname-given-up-and-taken.test.ts'),
  },
  'oldest-nicknames-kept': {
    says: 'Of the nicknames that an account gave up the oldest are kept, not the last ones.',
    edits: replace(
      'keep_given_up_nickname',
      'order by k.given_up_at desc limit 3',
      'order by k.given_up_at limit 3',
    ),
    killers: embedded('test/security-regressions/nickname-given-up-and-taken.test.ts'),
  },
  'own-nickname-lost': {
    says: 'Who gave a nickname up may not come back to it.',
    edits: remove('keep_given_up_nickname', 'g.user_id is distinct from new.id and'),
    killers: embedded('test/security-regressions/nickname-given-up-and-taken.test.ts'),
  },
  'nickname-swept-early': {
    says: 'A nickname that was given up is anybody’s once a day is over.',
    edits: replace(
      'src/server/retention/tables.ts:buyers',
      "what: 'nicknames that their holders gave up', period: { hours: 720 }",
      "what: 'nicknames that their holders gave up', period: { hours: 24 }",
    ),
    killers: embedded('test/security-regressions/nickname-given-up-and-taken.test.ts'),
  },
  'deleted-account-keeps-its-name': {
    says: 'A nickname says whose deleted account had it.',
    edits: replace(
      'src/server/accounts/own-data.ts:removeAccount',
      'update nicknames_given_up set user_id = null where user_id = ${userId}',
      'update nicknames_given_up set user_id = user_id where user_id = ${userId}',
    ),
    killers: embedded('test/security-regressions/nickname-given-up-and-taken.test.ts'),
  },
  'country-undeclared': {
    says: 'A friend who says no country brings a reward where one has none.',
    edits: replace('referral_refusal', "then 'country_unknown' end", 'then null end'),
    killers: referral,
  },
  'country-unknown-anywhere': {
    says: 'A friend who was asked for no country brings no reward.',
    edits: remove('referral_refusal', "and jsonb_array_length(t.at_order -> 'countriesExcluded') > 0"),
    killers: referral,
  },
  'country-asked-afterwards': {
    says: 'A country that is left out today keeps back the rewards of orders that were asked for none.',
    edits: replace(
      'referral_refusal',
      "case when h.id is null then c.settings -> 'referral' else h.before end",
      "c.settings -> 'referral'",
    ),
    killers: referral,
  },
  'country-asked-at-first': {
    says: 'A country that was left out once keeps back the rewards of every later order that is asked for none.',
    edits: remove('referral_refusal', 'and changed_at > o.created_at'),
    killers: referral,
  },
  'country-left-out-later': {
    says: 'A country that is left out after a friend came brings a reward.',
    edits: remove(
      'referral_refusal',
      '|| coalesce((select "countriesExcluded" from referral_terms()), \'{}\')',
    ),
    killers: referral,
  },
})
