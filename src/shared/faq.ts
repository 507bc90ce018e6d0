import { noTexts } from './texts.ts'

// Rules: TEXT-15
/** Questions that the program answers from the settings, in their default order. */
export const liveQuestions = ['listing', 'delivery', 'refunds', 'risks', 'pay', 'seller', 'true'] as const
export type LiveQuestion = (typeof liveQuestions)[number]

/** Live questions that no seller may remove. */
export const lastingQuestions: readonly LiveQuestion[] = ['delivery', 'refunds', 'risks']

export const faqMax = 30

export const isLive = (key: string): key is LiveQuestion => (liveQuestions as readonly string[]).includes(key)

/** An entry whose texts the program supplies. */
export const liveEntry = (key: LiveQuestion) => ({ key, question: noTexts, answer: noTexts })

export const defaultFaq = liveQuestions.map(liveEntry)
