import { actions as rules } from '../../shared/actions.ts'
import { addressesAcross, addressesIn, type FoundText, shownIn } from '../../shared/addresses-in-texts.ts'
import { type PublicLocale, pickText } from '../../shared/languages.ts'
import { foreignLinks } from '../../shared/links-in-texts.ts'
import { withoutInvisible } from '../../shared/plain-markup.ts'
import { keyOfText, type ShownText } from '../../shared/shown-texts.ts'
import { textLanguages } from '../../shared/texts.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuseField } from '../invalid-input.ts'
import type { Action, ApprovalDraft, Published } from './action.ts'

interface Asked {
  readonly publicUrl: string
  /** Dual control is on. */
  readonly two: boolean
  /** The action needs approval regardless of its texts. */
  readonly isAsked: boolean
}

// Rules: TWO-21
/** Until the transaction ends, nothing else is published, so that parts of an address see each other. */
export async function holdTexts(unit: Queryable): Promise<void> {
  await unit.query(sql`select pg_advisory_xact_lock(hashtext('texts.published'))`)
}

// Rules: TWO-21, TWO-22, TWO-24
/**
 * The addresses and foreign links found, the texts, and the pictures and files, which cannot be searched
 * for addresses. Null if nothing needs approval.
 */
export async function waitingWords<Input>(
  action: Action<Input, unknown>,
  tx: Queryable,
  input: Input,
  { publicUrl, two, isAsked }: Asked,
): Promise<ApprovalDraft | null> {
  if (!rules[action.name].canNeedApproval) return null
  const published = await action.publishes?.(tx, input)
  if (!published) return null
  const { texts, files } = shownIn(changedOf(published))
  const shown = await shownNow(tx, published)
  const alone = addressesIn(texts)
  const found = alone.length > 0 ? alone : addressesAcross(texts, shown.words)
  // Before the sale begins, one operator can set it up without an hour's delay for each link.
  const links = two || shown.hasBegun ? foreignLinks(texts, shown.settings, publicUrl) : []
  const isNamed = found.length > 0 || links.length > 0
  if (!(isNamed || files.length > 0 || published.waits || isAsked)) return null
  // The approvals page would not show invisible characters, so buyers would read something else.
  if (texts.some(({ text }) => text !== withoutInvisible(text))) refuseField('text', 'control_characters')
  const languages = published.languages ?? shown.languages
  const unread = texts.find(({ language }) => language !== null && !languages.includes(language))
  // A text that no buyer reads could reverse the meaning of the others for the second operator.
  if (unread) refuseField(fieldOf(unread), 'language_off')
  // Skips amounts, keys and colours.
  const words = texts.filter(({ language, text }) => language !== null || /[\s@]/.test(text))
  const read = words.length > 0 ? words : isNamed ? texts : []
  return {
    subject: published.subject,
    keep: published.keep ?? { input },
    summary: {
      ...published.summary,
      ...(found.length > 0 && { addressFound: found.join('\n') }),
      ...(links.length > 0 && { linkFound: links.join('\n') }),
      ...asRead(read, languages),
      ...(files.length > 0 && { picture: [...new Set(files)].map((name) => `/uploads/${name}`).join('\n') }),
    },
  }
}

const fieldOf = ({ place = '', language }: FoundText) => [...place.split('.').slice(1), language].join('.')

/**
 * Whole texts, because any word may reverse the meaning of others: first those that every buyer reads, then
 * in each language the fields as its readers see them, from another language where theirs is missing.
 */
function asRead(texts: readonly FoundText[], languages: readonly PublicLocale[]): Record<string, string> {
  const read: [ShownText, string][] = []
  const places = [...new Set(texts.map(({ place }) => place ?? ''))]
  for (const language of [null, ...languages]) {
    if (!texts.some((one) => one.language === language)) continue
    for (const place of places) {
      const own = texts.filter((one) => one.place === place)
      const inEach = own.filter((one) => one.language !== null)
      if (language === null) {
        for (const { text } of own.filter((one) => one.language === null))
          read.push([{ language, lang: null, place }, text])
      } else if (inEach.length > 0) {
        const written = Object.fromEntries(inEach.map((one) => [one.language, one.text]))
        const { text, lang } = pickText(written, language)
        read.push([{ language, lang, place }, text])
      }
    }
  }
  return Object.fromEntries(read.map(([at, text], number) => [keyOfText(number, at), text]))
}

/**
 * The number of newest announcements, of scheduled ones and of an announcement's earlier texts that are checked
 * together with a new text; more than a page shows.
 */
const BESIDE_MAX = 30

/** All texts that pages show together, and whether a stage has begun once the new ones appear; links in the settings' texts are known. */
async function shownNow(
  tx: Queryable,
  { subject: { type, id }, appearsAt }: Published,
): Promise<{
  settings: readonly FoundText[]
  words: readonly FoundText[]
  languages: readonly PublicLocale[]
  hasBegun: boolean
}> {
  const keptBy = type === 'announcement' && /^\d+$/.test(id) ? id : null
  const [row] = await tx.query<{
    settings: { languages?: readonly PublicLocale[] }
    beside: unknown
    has_begun: boolean
  }>(
    sql`select settings - 'frameOrigins' - 'videoOrigins' as settings, jsonb_build_array(
               (select jsonb_agg(coalesce(names, to_jsonb(name))) from stages),
               (select jsonb_agg(full_name) from currencies), (select jsonb_agg(title) from documents),
               (select jsonb_agg(jsonb_build_array(title, body) order by published_at desc)
                  from ((select title, body, published_at from announcements where published_at <= now()
                          order by published_at desc limit ${BESIDE_MAX})
                        union all
                        (select title, body, published_at from announcements where published_at > now()
                          order by published_at limit ${BESIDE_MAX})) newest),
               (select jsonb_agg(jsonb_build_array(title, body) order by revision desc)
                  from (select title, body, revision from announcement_texts
                         where announcement_id = ${keptBy}::bigint
                         order by revision desc limit ${BESIDE_MAX}) kept)) as beside,
               exists (select from stages where starts_at <= greatest(now(), ${appearsAt ?? null}::timestamptz)) as has_begun
          from campaign`,
  )
  const settings = shownIn(row?.settings).texts
  const words = [...settings.filter(({ language }) => language !== null), ...shownIn(row?.beside).texts]
  return {
    settings,
    words,
    languages: row?.settings.languages ?? textLanguages,
    hasBegun: row?.has_begun ?? false,
  }
}

const changedOf = ({ pieces }: Published): unknown[] =>
  pieces
    .filter(({ now, before }) => spelled(now) !== spelled(before))
    .map(({ now, name }) => (name === undefined ? now : { [name]: now }))

/** Normalises values: jsonb reorders keys, and a missing text equals an empty one. */
const spelled = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(
          Object.entries(part)
            .filter(([, inner]) => inner !== '' && inner !== null)
            .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        )
      : part,
  )
