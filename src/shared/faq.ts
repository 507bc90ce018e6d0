import { noTexts } from './texts.ts'

// Rules: TEXT-15
/** Questions answered from the settings, in their default order. */
export const liveQuestions = ['listing', 'delivery', 'refunds', 'risks', 'pay', 'seller', 'true'] as const
export type LiveQuestion = (typeof liveQuestions)[number]

/** No seller may remove these. */
export const lastingQuestions: readonly LiveQuestion[] = ['delivery', 'refunds', 'risks']

export const faqMax = 30

export const isLive = (key: string): key is LiveQuestion => (liveQuestions as readonly string[]).includes(key)

export const liveEntry = (key: LiveQuestion) => ({ key, question: noTexts, answer: noTexts })

export const defaultFaq = liveQuestions.map(liveEntry)
