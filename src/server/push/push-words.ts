import type { Language } from '../../shared/languages.ts'

/** What an order has come to, of which its buyer is told. */
export const orderTurns = [
  'approved',
  'rejected',
  'expired',
  'underpaid',
  'late',
  'refund_due',
  'refund_paid',
] as const
export type OrderTurn = (typeof orderTurns)[number]

/** A number and a state: a screen that is locked shows it to whoever is near. */
export const turnWords: Record<Language, Record<OrderTurn, (order: string) => string>> = {
  en: {
    approved: (order) => `Order #${order} is approved.`,
    rejected: (order) => `Order #${order} is rejected.`,
    expired: (order) => `Order #${order} has expired.`,
    underpaid: (order) => `Order #${order}: less was paid than it asks for. See what to do.`,
    late: (order) => `Order #${order}: the payment came late. See what to do.`,
    refund_due: (order) => `Order #${order}: a refund is due to you.`,
    refund_paid: (order) => `Order #${order}: a refund was paid.`,
  },
  es: {
    approved: (order) => `El pedido n.º ${order} está aprobado.`,
    rejected: (order) => `El pedido n.º ${order} está rechazado.`,
    expired: (order) => `El pedido n.º ${order} ha vencido.`,
    underpaid: (order) => `Pedido n.º ${order}: se pagó menos de lo que pide. Vea qué hacer.`,
    late: (order) => `Pedido n.º ${order}: el pago llegó tarde. Vea qué hacer.`,
    refund_due: (order) => `Pedido n.º ${order}: le corresponde un reembolso.`,
    refund_paid: (order) => `Pedido n.º ${order}: se pagó un reembolso.`,
  },
  ru: {
    approved: (order) => `Заказ №${order} одобрен.`,
    rejected: (order) => `Заказ №${order} отклонён.`,
    expired: (order) => `Срок заказа №${order} истёк.`,
    underpaid: (order) => `Заказ №${order}: оплачено меньше, чем нужно. Посмотрите, что делать.`,
    late: (order) => `Заказ №${order}: платёж пришёл поздно. Посмотрите, что делать.`,
    refund_due: (order) => `Заказ №${order}: вам полагается возврат.`,
    refund_paid: (order) => `Заказ №${order}: возврат выплачен.`,
  },
}
