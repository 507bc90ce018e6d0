import type { PendingActionKind } from '../../../../shared/api/approvals.ts'
import { shortenedLabels } from '../../../../shared/retention.ts'
import type { OperatorEvent, OwnerNotice } from '../../mail-kinds.ts'
import type { Facts, Templates } from '../../templates/template.ts'
import { shownTime } from '../../text.ts'

type Kind =
  | 'operator_password_changed'
  | 'api_key_ends'
  | 'operator_invitation'
  | 'operator_link'
  | 'operator_notice'
  | 'owner_notice'

/** Mails to operators, in Spanish. */
export const operators: Templates<Kind> = {
  operator_password_changed: ({ name, at }) => ({
    subject: 'Se fijó su contraseña de operador',
    blocks: [
      {
        p: `Hola, ${name}: su contraseña de operador se fijó el ${shownTime(at)}. Las demás sesiones terminaron.`,
      },
      { must: 'Si no fue usted, haga que un propietario le retire el acceso enseguida.' },
    ],
  }),
  api_key_ends: ({ name, key, hint, at }) => ({
    subject: 'Una clave de API suya termina pronto',
    blocks: [
      { p: `Hola, ${name}: los programas que usan esta clave se rechazan cuando termine.` },
      {
        facts: [
          ['Clave', `${key} (${hint})`],
          ['Termina', shownTime(at)],
        ],
      },
      { p: 'Renuévela en la página Integraciones, o deje que termine si ya no la usa nada.' },
    ],
  }),
  operator_invitation: ({ login, role, link }, brand) => ({
    subject: `Su cuenta de operador de ${brand.name}`,
    blocks: [
      { p: `Se creó una cuenta de operador para usted. Usuario: ${login}, rol: ${word(role)}.` },
      { button: 'Fijar su contraseña', href: link },
      { small: 'El enlace funciona una vez, durante 24 horas.' },
    ],
  }),
  operator_link: ({ login, link }, brand) => ({
    subject: `Un enlace nuevo para su cuenta de operador de ${brand.name}`,
    blocks: [
      {
        p: `Un propietario hizo crear un enlace nuevo para el usuario ${login}. Sus sesiones han terminado.`,
      },
      { button: 'Fijar una contraseña nueva', href: link },
      {
        small:
          'El enlace funciona una vez, durante 24 horas. Si usted no lo pidió, avise a los demás propietarios.',
      },
    ],
  }),
  operator_notice: ({ lines, link }, brand) => ({
    subject: `${brand.name}: ha ocurrido algo`,
    blocks: [...lines.map((must) => ({ must })), { button: 'Abrir el área de operadores', href: link }],
  }),
  owner_notice: ({ notice, by, at }) => ({
    subject: subjectOf(notice),
    blocks: [
      { facts: [...factsOf(notice), [doers[notice.what] ?? 'Cambiado por', by], ['Cuándo', shownTime(at)]] },
      { must: adviceOf(notice) },
    ],
  }),
}

const actions: Record<PendingActionKind, string> = {
  'currency.add': 'una moneda nueva con su billetera',
  'currency.update': 'el cambio de una billetera o un tipo de cambio',
  'currency.evm-wallet': 'el cambio de una billetera EVM',
  'mail.publish': 'el texto de un correo',
  'grant.add': 'un saldo añadido a mano',
  'grant.reverse': 'una concesión por revertir',
  'campaign.update': 'el cambio de ajustes de la campaña',
  'campaign.one-operator': 'ya no hay segundo operador',
  'order.approve': 'una aprobación sin un pago a tiempo',
  'order.reject': 'el rechazo de un pedido aprobado o pagado',
  'currency.escrow': 'una moneda que se paga en un depósito, o ya no',
  'currency.wallet': 'otra billetera para una moneda',
  'chain.confirmations': 'otras confirmaciones de una cadena',
  'chain.resume': 'una cadena detenida que debe seguir',
  'chain.node': 'otro nodo de una cadena',
  'chain.node-remove': 'un nodo de una cadena que se debe quitar',
  'rate-source.set': 'otra fuente de precios',
  'rate-source.remove': 'una fuente de precios que se debe quitar',
  'rate-source.leave-out': 'una fuente de precios que se debe omitir o volver a consultar',
  'payment.attach': 'un pago asignado a un pedido',
  'payment.refund': 'un pago por reembolsar',
  'refund.sent': 'la transacción de un reembolso',
  'refund.paid': 'un reembolso que se dice pagado',
  'refund.write-off': 'un reembolso por dar de baja',
  'payment.write-off': 'un pago por dar de baja',
  'chain.refund-senders': 'las direcciones desde las que se pagan reembolsos',
  'wallet.add': 'una clave de cuenta',
  'price.change': 'otro valor de la moneda principal',
  'stage.add': 'una etapa con otro valor',
  'stage.update': 'otro valor de una etapa',
  'operator.invite': 'un operador invitado',
  'operator.change': 'el cambio de un operador',
  'operator.renew-link': 'un enlace nuevo para un operador',
  'giveaway.publish': 'un sorteo por publicar',
  'round.announce': 'una ronda de entrega por anunciar',
  'round.freeze': 'una ronda de entrega por congelar',
  'round.go-live': 'una ronda de entrega por poner en marcha',
  'escrow.announce': 'las condiciones de un depósito en garantía',
  'escrow.enter': 'un depósito en garantía por poner en vigor',
}

const summary: Record<string, string> = {
  ...shortenedLabels('es'),
  user: 'Usuario',
  order: 'Pedido',
  mail: 'Correo',
  language: 'Idioma',
  subject: 'Asunto',
  text: 'Texto',
  currency: 'Moneda',
  amount: 'Importe',
  usd: 'Dólares',
  tokens: 'Tokens',
  before: 'Antes',
  bonus: 'Bonificación',
  buyer: 'Comprador',
  network: 'Red',
  due: 'A pagar',
  wallet: 'Billetera',
  addresses: 'Primeras direcciones',
  key: 'Clave de cuenta',
  confirmations: 'Confirmaciones',
  transaction: 'Transacción',
  address: 'Dirección',
  contract: 'Contrato',
  rate: 'Tipo de cambio',
  source: 'Fuente del tipo de cambio',
  stage: 'Etapa',
  login: 'Usuario',
  role: 'Rol',
  email: 'Correo electrónico',
  access: 'Acceso',
  secondFactor: 'Segundo factor',
  round: 'Ronda',
  cutAt: 'Aprobado o concedido hasta',
  freezeFrom: 'Congelada como muy pronto',
  startsAt: 'Desbloqueo desde',
  startPercent: 'Libre al inicio, %',
  cliffSeconds: 'Período de espera, segundos',
  linearSeconds: 'Después de forma uniforme, segundos',
  inEscrow: 'Pagado en el depósito',
  leftoverTo: 'Lo que nadie reclame va a',
  seller: 'Cuenta del vendedor',
  treasury: 'Lo recaudado va a',
  closesAt: 'Los pagos terminan',
  deliverBy: 'Entregado a más tardar',
  reviewSeconds: 'Revisión por el vendedor, segundos',
  locksFirst: 'Los tokens se bloquean primero',
  total: 'Tokens',
  block: 'Visto en el bloque definitivo',
  code: 'Hash del código que hay allí',
  reason: 'Motivo',
}

/** As the confirmation shows it: amounts, addresses before and after. */
const summaryFacts = (values: Record<string, string>): Facts =>
  Object.entries(values).map(([label, value]) => [
    summary[label] ?? label,
    (label === 'role' ? word(value) : value) || '—',
  ])

const doers: Partial<Record<OwnerNotice['what'], string>> = {
  action_waiting: 'Pedido por',
  action_confirmed: 'Confirmado por',
}

function adviceOf({ what }: OwnerNotice): string {
  if (what === 'action_waiting')
    return 'Este correo lo reciben todos los propietarios y quien lo pidió. No se hace nada hasta que otro operador lo confirme en la página Aprobaciones; si no estaba acordado, rechácelo allí.'
  return 'Este correo lo reciben todos los propietarios y el operador afectado. Si no estaba acordado, pause la venta y mire el registro de auditoría.'
}

const events: Record<OperatorEvent, (login: string) => string> = {
  link_renewed: (login) => `Se creó un enlace nuevo de un solo uso para ${login}`,
  second_factor_removed: (login) => `Se quitó el segundo factor de ${login} y se creó un enlace nuevo`,
  operator_disabled: (login) => `Se retiró el acceso a ${login}`,
  operator_enabled: (login) => `Se devolvió el acceso a ${login}`,
  operator_email_changed: (login) => `Se cambió la dirección para avisos a ${login}`,
}

function subjectOf(notice: OwnerNotice): string {
  switch (notice.what) {
    case 'wallet_changed':
      return `Se cambió la billetera para ${notice.currency}`
    case 'wallet_announced':
      return `El diario anunció una billetera nueva: ${notice.wallet}`
    case 'rate_source_changed':
      if (notice.currency === '*') return 'Se cambiaron las fuentes de precios'
      return `Se cambió la fuente del tipo de cambio de ${notice.currency}`
    case 'role_changed':
      return `Se cambió el rol de ${notice.login}`
    case 'operator_invited':
      return `Se invitó a ${notice.login} como operador`
    case 'action_waiting':
      return `Espera a un segundo operador: ${actions[notice.action]}`
    case 'action_confirmed':
      return `Confirmado por un segundo operador: ${actions[notice.action]}`
    default:
      return events[notice.what](notice.login)
  }
}

/** Roles, and where a rate is from, as the pages call them. */
const words: Record<string, string> = {
  owner: 'propietario',
  finance: 'finanzas',
  content: 'contenido',
  support: 'soporte',
  feed: 'fuente de precios',
}
const word = (code: string) => words[code] ?? code

function factsOf(notice: OwnerNotice): Facts {
  if (notice.what === 'action_waiting') return summaryFacts(notice.summary)
  if (notice.what === 'action_confirmed')
    return [...summaryFacts(notice.summary), ['Pedido por', notice.asked]]
  if (notice.what === 'operator_invited') return [['Rol', word(notice.role)]]
  if (notice.what === 'wallet_announced')
    return [
      ['Billetera', notice.wallet],
      ['Huella de su clave de cuenta', notice.key],
    ]
  if (!('before' in notice)) return [['Usuario', notice.login]]
  return [
    ['Antes', word(notice.before) || 'ninguno'],
    ['Después', word(notice.after) || 'ninguno'],
  ]
}
