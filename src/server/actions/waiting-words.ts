import { actions as rules } from '../../shared/actions.ts'
import { addressesIn, type FoundText, shownIn } from '../../shared/addresses-in-texts.ts'
import type { Queryable } from '../database/database.ts'
import type { Action, ApprovalDraft, Published } from './action.ts'

/** A second operator is shown whole texts up to this length, of longer ones the paragraphs with an address. */
const SHOWN_MAX = 2_000

// Rules: TWO-21, TWO-22
/**
 * What a second operator is shown of texts that this input would publish: the addresses found in them, the texts themselves, and the pictures and
 * files, in which no program finds an address. Null if it publishes nothing of the kind.
 */
export async function waitingWords<Input>(
  action: Action<Input, unknown>,
  tx: Queryable,
  input: Input,
): Promise<ApprovalDraft | null> {
  if (!rules[action.name].canNeedApproval) return null
  const published = await action.publishes?.(tx, input)
  if (!published) return null
  const { texts, files } = shownIn(changedOf(published))
  const found = addressesIn(texts)
  const isNamed = found.length > 0 || files.length > 0
  if (!isNamed && !published.waits) return null
  return {
    subject: published.subject,
    keep: published.keep ?? { input },
    summary: {
      ...published.summary,
      ...(found.length > 0 && { addressFound: found.join('\n'), text: textsWith(texts) }),
      ...(files.length > 0 && { picture: [...new Set(files)].map((name) => `/uploads/${name}`).join('\n') }),
    },
  }
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

function textsWith(texts: readonly FoundText[]): string {
  const whole = texts.map(({ text }) => text).join('\n\n')
  if (whole.length <= SHOWN_MAX) return whole
  const paragraphs = texts.flatMap(({ language, text }) =>
    text.split(/\n{2,}/).filter((paragraph) => addressesIn([{ language, text: paragraph }]).length > 0),
  )
  return paragraphs.length > 0 ? paragraphs.join('\n\n') : whole
}
