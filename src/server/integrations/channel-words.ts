import type { NoticeKind } from '../../shared/api/channels.ts'
import type { Language } from '../notices/notices.ts'

/** So many of one kind since the last message, and the last of them: an order's number, or what else names it. */
export interface Told {
  readonly kind: NoticeKind
  readonly count: number
  readonly last: string
}

type Words = Record<NoticeKind, (count: number, last: string) => string>

const words: Record<Language, Words> = {
  en: {
    order_created: (count, last) => `New orders: ${count}, the last is #${last}`,
    order_approved: (count, last) => `Orders approved: ${count}, the last is #${last}`,
    payment_to_decide: (count) => `Payments to decide about: ${count}`,
    refund_owed: (count, last) => `Refunds that became due: ${count}, the last of order #${last}`,
    refund_claimed: (count, last) => `Addresses named for refunds: ${count}, the last for order #${last}`,
    action_waiting: (count) => `Waits for a second operator: ${count}`,
    currency_changed: (count, last) => `Currencies changed: ${count}, the last is ${last}`,
    campaign_changed: (count) => `Changes of the campaign: ${count}`,
  },
  ru: {
    order_created: (count, last) => `Новых заказов: ${count}, последний №${last}`,
    order_approved: (count, last) => `Одобрено заказов: ${count}, последний №${last}`,
    payment_to_decide: (count) => `Платежей, о которых надо решить: ${count}`,
    refund_owed: (count, last) => `Новых возвратов к выплате: ${count}, последний по заказу №${last}`,
    refund_claimed: (count, last) => `Указано адресов для возврата: ${count}, последний по заказу №${last}`,
    action_waiting: (count) => `Ждёт второго оператора: ${count}`,
    currency_changed: (count, last) => `Изменено валют: ${count}, последняя ${last}`,
    campaign_changed: (count) => `Изменений кампании: ${count}`,
  },
  es: {
    order_created: (count, last) => `Pedidos nuevos: ${count}, el último es el n.º ${last}`,
    order_approved: (count, last) => `Pedidos aprobados: ${count}, el último es el n.º ${last}`,
    payment_to_decide: (count) => `Pagos sobre los que decidir: ${count}`,
    refund_owed: (count, last) =>
      `Reembolsos que pasaron a deberse: ${count}, el último del pedido n.º ${last}`,
    refund_claimed: (count, last) =>
      `Direcciones indicadas para reembolsos: ${count}, la última para el pedido n.º ${last}`,
    action_waiting: (count) => `Espera a un segundo operador: ${count}`,
    currency_changed: (count, last) => `Monedas cambiadas: ${count}, la última es ${last}`,
    campaign_changed: (count) => `Cambios de la campaña: ${count}`,
  },
}

/** What a message says, a line for each kind. */
export function linesOf(told: readonly Told[], language: Language): string[] {
  return told.map(({ kind, count, last }) => words[language][kind](count, last))
}

/** The counts of one kind become one, with the last that was told. */
export function merge(told: readonly Told[]): Told[] {
  const byKind = new Map<NoticeKind, Told>()
  for (const one of told) {
    const before = byKind.get(one.kind)
    byKind.set(one.kind, before ? { ...one, count: before.count + one.count } : one)
  }
  return [...byKind.values()]
}

const codeLines: Record<Language, (code: string) => string> = {
  en: (code) => `The code ${code} proves that notices may be sent here. It is good for 15 minutes.`,
  es: (code) => `El código ${code} prueba que los avisos se pueden enviar aquí. Vale 15 minutos.`,
  ru: (code) => `Код ${code} подтверждает, что сюда можно присылать уведомления. Он действует 15 минут.`,
}

export const codeLine = (code: string, language: Language) => codeLines[language](code)
