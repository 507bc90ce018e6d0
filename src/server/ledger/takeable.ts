import { fragment } from '../database/database.ts'

// Rules: BACK-3
/** Tokens of holding `h` in orders that may be taken back; they count for no level. */
export const takeableTokens = fragment`(select coalesce(sum(b.base_tokens + b.bonus_tokens), 0)
  from orders_to_take_back() b where b.user_id = h.user_id)`

/** The USD count for no rank. */
export const takeableByBuyer = fragment`select b.user_id, sum(b.usd) as usd, sum(b.base_tokens + b.bonus_tokens) as tokens
  from orders_to_take_back() b group by b.user_id`
