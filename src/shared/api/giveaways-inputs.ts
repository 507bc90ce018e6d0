import { z } from 'zod'
import { countryCode, usdAmount } from '../campaign-settings-inputs.ts'
import { textsOf, wordsOf } from '../texts-inputs.ts'
import { prizesMax } from './giveaways.ts'

const shortText = textsOf(z.string().trim().max(200))
const longText = textsOf(z.string().trim().max(20_000))
const whole = (min: number, max: number) => z.number().int().min(min).max(max)

export const giveawayPrize = z.object({
  name: shortText,
  valueUsd: usdAmount,
  /** Each of these prizes goes to another winner. */
  count: whole(1, 100),
  /** The publisher declares the right to show it. */
  image: z.object({ name: z.string().max(100), alt: shortText }).nullable(),
})

/** A draft may be incomplete. */
export const giveawayInput = z
  .object({
    title: shortText,
    /** The sponsor answers for the prizes. */
    sponsor: wordsOf(z.string().trim().max(200)),
    contact: wordsOf(z.string().trim().max(300)),
    prizes: z.array(giveawayPrize).max(prizesMax),
    declaresImageRights: z.boolean(),
    rulesText: longText,
    privacyText: longText,
    /** Residents of these countries may enter. */
    countries: z.array(countryCode).max(250),
    minimumAge: whole(13, 99),
    opensAt: z.iso.datetime(),
    closesAt: z.iso.datetime(),
    alternates: whole(0, 100),
    /** Days for a winner to confirm, and then to hand over the prize. */
    confirmDays: whole(1, 60),
    handOverDays: whole(1, 365),
    /** At least this time is from closing to the random value. */
    drawHours: whole(2, 168),
  })
  .refine(({ opensAt, closesAt }) => Date.parse(opensAt) < Date.parse(closesAt), {
    path: ['closesAt'],
    message: 'closes_too_early',
  })

export const giveawayEntryInput = z.object({
  country: countryCode,
  ageConfirmed: z.literal(true),
  /** The hash of the rules that the entrant read. */
  rulesSha256: z.string().regex(/^[0-9a-f]{64}$/),
})

export const handOverInput = z.object({ evidence: wordsOf(z.string().trim().min(10).max(1000)) })
