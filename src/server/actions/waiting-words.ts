import { actions as rules } from '../../shared/actions.ts'
import { addressesAcross, addressesIn, type FoundText, shownIn } from '../../shared/addresses-in-texts.ts'
import { foreignLinks } from '../../shared/links-in-texts.ts'
import { withoutInvisible } from '../../shared/plain-markup.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuseField } from '../invalid-input.ts'
import type { Action, ApprovalDraft, Published } from './action.ts'

interface Asked {
  readonly publicUrl: string
  /** Whether the campaign asks for two operators. */
  readonly two: boolean
  /** Whether the action waits whatever its words are. */
  readonly isAsked: boolean
}

// Rules: TWO-21, TWO-22, TWO-24
/**
 * What a second operator is shown of texts that this input would publish: the addresses and foreign links found in them, the texts themselves, and
 * the pictures and files, in which no program finds an address. Null if it publishes nothing of the kind.
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
  const shown = await shownNow(tx)
  const alone = addressesIn(texts)
  const found = alone.length > 0 ? alone : addressesAcross(texts, shown.words)
  // One operator sets a sale up without an hour's wait for each link.
  const links = two || shown.hasBegun ? foreignLinks(texts, shown.settings, publicUrl) : []
  const isNamed = found.length > 0 || links.length > 0
  if (!(isNamed || files.length > 0 || published.waits || isAsked)) return null
  // The page of approvals draws no such sign: buyers would read something else.
  if (texts.some(({ text }) => text !== withoutInvisible(text))) refuseField('text', 'control_characters')
  // Amounts, keys and colours are no words.
  const words = texts.filter(({ language, text }) => language !== null || /[\s@]/.test(text))
  const read = words.length > 0 ? words : isNamed ? texts : []
  return {
    subject: published.subject,
    keep: published.keep ?? { input },
    summary: {
      ...published.summary,
      ...(found.length > 0 && { addressFound: found.join('\n') }),
      ...(links.length > 0 && { linkFound: links.join('\n') }),
      // Whole, and as pages draw it: any of the words may turn the others' meaning round.
      ...(read.length > 0 && { text: read.map(({ text }) => text).join('\n\n') }),
      ...(files.length > 0 && { picture: [...new Set(files)].map((name) => `/uploads/${name}`).join('\n') }),
    },
  }
}

/** So many of the newest announcements are read together with a new text: more than a page of them. */
const BESIDE_MAX = 30

/** The settings' texts, whose links the sale lists, and all words that pages show beside one another. */
async function shownNow(
  tx: Queryable,
): Promise<{ settings: readonly FoundText[]; words: readonly FoundText[]; hasBegun: boolean }> {
  const [row] = await tx.query<{ settings: object; beside: unknown; has_begun: boolean }>(
    sql`select settings - 'frameOrigins' - 'videoOrigins' as settings, jsonb_build_array(
               (select jsonb_agg(coalesce(names, to_jsonb(name))) from stages),
               (select jsonb_agg(full_name) from currencies), (select jsonb_agg(title) from documents),
               (select jsonb_agg(jsonb_build_array(title, body) order by published_at desc)
                  from (select title, body, published_at from announcements where published_at is not null
                         order by published_at desc limit ${BESIDE_MAX}) newest)) as beside,
               exists (select from stages where starts_at <= now()) as has_begun
          from campaign`,
  )
  const settings = shownIn(row?.settings).texts
  // Amounts, keys and colours are no words.
  const words = [...settings.filter(({ language }) => language !== null), ...shownIn(row?.beside).texts]
  return { settings, words, hasBegun: row?.has_begun ?? false }
}

const changedOf = ({ pieces }: Published): unknown[] =>
  pieces.filter(({ now, before }) => spelled(now) !== spelled(before)).map(({ now }) => now)

/** jsonb keeps keys in an order of its own, and a text that is left out is an empty one. */
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
