import { dollars, figure } from '../../../figures.ts'
import type { MailContent, OrderFacts } from '../../mail-kinds.ts'
import type { Brand, Facts, Templates } from '../../templates/template.ts'
import { shownTime } from '../../text.ts'
import { operators } from './operator-mails.ts'
import { secondFactor } from './second-factor.ts'

type Spanish<Kind extends MailContent['kind']> = Templates<Kind>

const account: Spanish<
  | 'confirm_email'
  | 'change_email'
  | 'email_changing'
  | 'reset_password'
  | 'password_changed'
  | 'new_sign_in'
  | 'failed_attempts'
  | 'code_used_again'
  | 'second_factor_changed'
> = {
  confirm_email: ({ name, link }, brand) => ({
    subject: `Confirme su dirección para ${brand.name}`,
    blocks: [
      { p: `Hola, ${name}: confirme que esta dirección es suya.` },
      { button: 'Confirmar la dirección', href: link },
      {
        small:
          'El enlace funciona una vez, durante 7 días. Si usted no se registró, ignore este correo: no ocurre nada.',
      },
    ],
  }),
  change_email: ({ name, link }, brand) => ({
    subject: `Confirme su nueva dirección para ${brand.name}`,
    blocks: [
      { p: `Hola, ${name}: siga el enlace para usar desde ahora esta dirección en su cuenta.` },
      { button: 'Usar esta dirección', href: link },
      {
        small: 'El enlace funciona una vez, durante 24 horas. Si usted no lo pidió, ignore este correo.',
      },
    ],
  }),
  email_changing: ({ name, newEmail }) => ({
    subject: 'Su dirección está por cambiar',
    blocks: [
      { p: `Hola, ${name}: alguien con sesión en su cuenta pidió cambiar su dirección a ${newEmail}.` },
      { must: 'Si no fue usted, cambie ahora su contraseña: eso detiene el cambio.' },
    ],
  }),
  reset_password: ({ name, link }, brand) => ({
    subject: `Contraseña nueva para ${brand.name}`,
    blocks: [
      {
        p: `Hola, ${name}: siga el enlace para elegir una contraseña nueva. Todas las sesiones abiertas terminarán.`,
      },
      { button: 'Elegir una contraseña nueva', href: link },
      {
        small:
          'El enlace funciona una vez, durante una hora. Si usted no lo pidió, ignore este correo: su contraseña sigue igual.',
      },
    ],
  }),
  password_changed: ({ name, at }) => ({
    subject: 'Se cambió su contraseña',
    blocks: [
      { p: `Hola, ${name}: su contraseña se cambió el ${shownTime(at)}. Las demás sesiones terminaron.` },
      { must: 'Si no fue usted, pida enseguida una contraseña nueva con “¿Olvidó la contraseña?”.' },
    ],
  }),
  new_sign_in: ({ name, device, network, at }) => ({
    subject: 'Nuevo inicio de sesión en su cuenta',
    blocks: [
      { p: `Hola, ${name}: alguien inició sesión en su cuenta desde un lugar que no habíamos visto antes.` },
      {
        facts: [
          ['Cuándo', shownTime(at)],
          ['Dispositivo', device || 'desconocido'],
          ['Red', network],
        ],
      },
      {
        must: 'Si fue usted, no hay nada que hacer. Si no, cambie su contraseña: eso termina todas las demás sesiones.',
      },
    ],
  }),
  failed_attempts: ({ name, attempts, networks, at }) => ({
    subject: 'Intentos fallidos de iniciar sesión en su cuenta',
    blocks: [
      {
        p: `Hola, ${name}: en un día se dio para su cuenta una contraseña o un código incorrectos. Intentos: ${attempts}.`,
      },
      {
        facts: [
          ['El último', shownTime(at)],
          ['Redes', networks || 'dentro de una sesión abierta'],
        ],
      },
      {
        must: 'Si fue usted, no hay nada que hacer. Si no: nadie entró con estos intentos, y adivinar se frena. Una contraseña que no use en ningún otro lugar y un segundo factor hacen que siga así. La página de su cuenta enumera los intentos.',
      },
      { small: 'Recibe este correo una vez al día como máximo.' },
    ],
  }),
  code_used_again: ({ name, network, at }) => ({
    subject: 'Un código de su segundo factor se usó por segunda vez',
    blocks: [
      { p: `Hola, ${name}: un código con el que usted había entrado se dio otra vez y se rechazó.` },
      {
        facts: [
          ['Cuándo', shownTime(at)],
          ['Red', network || 'dentro de una sesión abierta'],
        ],
      },
      {
        must: 'Si pulsó el botón dos veces, no hay nada que hacer. Si no, alguien ha visto su código y conoce su contraseña: cambie ahora la contraseña y termine las demás sesiones.',
      },
      { small: 'Recibe este correo una vez al día como máximo.' },
    ],
  }),
  second_factor_changed: ({ name, change, at }) => ({
    subject: 'Se cambió su segundo factor',
    blocks: [
      { p: `Hola, ${name}. ${secondFactor[change]} Fue el ${shownTime(at)}.` },
      { must: 'Si no fue usted, cambie enseguida su contraseña y revise sus sesiones.' },
    ],
  }),
}

const announcements: Spanish<'follow_confirm' | 'announcement'> = {
  follow_confirm: ({ link }) => ({
    subject: 'Confirme que quiere recibir los anuncios por correo',
    blocks: [
      { p: 'Alguien escribió esta dirección en nuestro sitio para recibir un correo por cada anuncio.' },
      { button: 'Sí, envíenlos', href: link },
      {
        must: 'Si no fue usted, no haga nada: no llegará ningún correo, y la dirección se olvida después de siete días.',
      },
    ],
  }),
  announcement: ({ title, beginning, link, leaveLink }) => ({
    subject: title,
    blocks: [
      { p: beginning },
      { button: 'Leer el anuncio', href: link },
      { small: 'Usted pidió un correo por cada anuncio. Un clic lo termina:', href: leaveLink },
    ],
  }),
}

const delivery: Spanish<
  'delivery_address_typed' | 'delivery_address_named' | 'round_announced' | 'delivery_change_withdrawn'
> = {
  delivery_address_typed: ({ name, address, link }) => ({
    subject: 'Confirme adónde van sus tokens',
    blocks: [
      { p: `Hola, ${name}: en su cuenta se escribió esta dirección como la de sus tokens.` },
      { facts: [['Dirección', address]] },
      { must: 'Compárela con su billetera, carácter por carácter, antes de confirmar.' },
      { button: 'Ver la dirección', href: link },
      {
        small:
          'El enlace funciona una vez, durante 24 horas. Si usted no lo pidió, no lo abra y cambie ahora su contraseña.',
      },
    ],
  }),
  delivery_address_named: ({ name, address, countsFrom }) => ({
    subject: 'Adónde van sus tokens',
    blocks: [
      { p: `Hola, ${name}: se indicó esta dirección para sus tokens.` },
      {
        facts: [
          ['Dirección', address],
          ['Cuenta desde', shownTime(countsFrom)],
        ],
      },
      {
        must: 'Si no fue usted, cambie ahora su contraseña: eso retira una dirección que aún no cuenta. Después mire la dirección en su cuenta. Nadie le pedirá nunca que devuelva tokens, ni una frase.',
      },
    ],
  }),
  round_announced: ({ name, freezeFrom, nameBy, waiting, elsewhere, link }, brand) => ({
    subject: waiting
      ? `¿Es esta la dirección para sus ${brand.symbol}?`
      : `Indique una dirección para sus ${brand.symbol}`,
    blocks: [
      {
        p: `Hola, ${name}: la próxima entrega de tokens está por fijarse, y aún no cuenta ninguna dirección para los suyos.`,
      },
      {
        facts: [
          ...(waiting
            ? ([
                ['Indicada', waiting.address],
                ['Cuenta desde', shownTime(waiting.countsFrom)],
              ] as const)
            : []),
          ...(!waiting && elsewhere ? [['Indicada para otra red', elsewhere] as const] : []),
          ['Por firmar o confirmar hasta', shownTime(nameBy)],
          ['Se fija como muy pronto el', shownTime(freezeFrom)],
        ],
      },
      { must: roundAdvice(waiting !== null, elsewhere !== null) },
      { button: 'Abrir su cuenta', href: link },
      { small: 'Nadie le pedirá nunca su frase o su clave, ni tokens a cambio.' },
    ],
  }),
  delivery_change_withdrawn: ({ name, address }) => ({
    subject: 'Se retiró un cambio de adónde van sus tokens',
    blocks: [
      {
        p: `Hola, ${name}: se retiró una dirección que se indicó en su cuenta para sus tokens y que aún no contaba.`,
      },
      { facts: [['Sus tokens van a', address ?? 'ninguna dirección aún']] },
      { must: 'Si no fue usted, cambie ahora su contraseña. Después indique de nuevo su dirección.' },
    ],
  }),
}

function roundAdvice(isNamed: boolean, isElsewhere: boolean): string {
  if (isNamed)
    return 'Si esa dirección es suya, no hay nada que hacer. Si no lo es, cambie ahora su contraseña: eso la retira. Después indique la suya.'
  if (isElsewhere)
    return 'La red de la entrega cambió desde entonces, y una dirección cuenta solo en la red para la que se indicó. Indique hasta entonces la misma u otra de nuevo: cuenta un día después de que la haya firmado o confirmado. Si no, sus tokens siguen siendo suyos y esperan a una entrega posterior.'
  return 'Indique hasta entonces en su cuenta una dirección de su propia billetera: cuenta un día después de que la haya firmado o confirmado. Si no, sus tokens siguen siendo suyos y esperan a una entrega posterior.'
}

const giveaways: Spanish<'giveaway_won'> = {
  giveaway_won: ({ name, prize, sponsor, confirmBy, link }) => ({
    subject: 'Su participación salió en el sorteo',
    blocks: [
      {
        p: `Hola, ${name}: su participación salió sorteada. Cualquiera puede repetir el sorteo con el archivo publicado.`,
      },
      {
        facts: [
          ['Premio', prize],
          ['Patrocinador', sponsor],
          ['Por confirmar hasta', shownTime(confirmBy)],
        ],
      },
      {
        must: 'Confirme hasta entonces en su cuenta. Si no, el premio pasa a la siguiente participación del orden sorteado.',
      },
      { button: 'Abrir su cuenta', href: link },
      {
        small:
          'El premio no cuesta nada: nadie le pedirá nunca por él un pago, una comisión, su frase o su clave.',
      },
    ],
  }),
}

const orders: Spanish<
  | 'order_created'
  | 'order_approved'
  | 'order_rejected'
  | 'order_reversed'
  | 'order_underpaid'
  | 'order_late'
  | 'order_expired'
  | 'wallet_changed'
> = {
  order_created: (order, brand) => ({
    subject: `Se creó el pedido n.º ${order.number}`,
    blocks: [
      { p: `Hola, ${order.name}: su pedido espera su pago.` },
      { facts: orderFacts(order, brand) },
      {
        must: 'La dirección a la que pagar está en la página del pedido y en ningún otro lugar; nunca pague a una dirección de un correo.',
      },
      { button: 'Abrir el pedido', href: order.link },
    ],
  }),
  order_approved: (order, brand) => ({
    subject: `Se aprobó el pedido n.º ${order.number}`,
    blocks: [
      { p: `Hola, ${order.name}: su pedido se ha completado.` },
      { facts: orderFacts(order, brand) },
      { button: 'Abrir el pedido', href: order.link },
    ],
  }),
  order_rejected: (order, brand) => ({
    subject: `Se rechazó el pedido n.º ${order.number}`,
    blocks: [
      { p: `Hola, ${order.name}: su pedido no se pudo procesar y ha sido rechazado.` },
      { facts: orderFacts(order, brand) },
      {
        p: 'No envíe nada más por él. Si ha pagado, abra el pedido: su página dice qué ocurre con el pago.',
      },
      { button: 'Abrir el pedido', href: order.link },
    ],
  }),
  order_reversed: (order, brand) => ({
    subject: `Pedido n.º ${order.number}: se retiró su aprobación`,
    blocks: [
      { p: `Hola, ${order.name}: se retiró la aprobación de este pedido, y con ella sus tokens.` },
      { facts: orderFacts(order, brand) },
      { p: 'La página del pedido dice si se le debe devolver algo.' },
      { button: 'Abrir el pedido', href: order.link },
    ],
  }),
  order_underpaid: (order, brand) => ({
    subject: `Pedido n.º ${order.number}: falta una parte del importe`,
    blocks: [
      { p: `Hola, ${order.name}: se ha visto menos que el importe de este pedido.` },
      { facts: orderFacts(order, brand) },
      {
        p: 'La página del pedido dice cuánto falta, hasta cuándo tiene su tipo de cambio y qué ocurre si no llega nada más.',
      },
      { button: 'Abrir el pedido', href: order.link },
    ],
  }),
  order_late: (order, brand) => ({
    subject: `Pedido n.º ${order.number}: su pago llegó tarde, elija`,
    blocks: [
      { p: `Hola, ${order.name}: su pago llegó demasiado tarde para el tipo de cambio de este pedido.` },
      { facts: orderFacts(order, brand) },
      {
        p: 'Elija en la página del pedido: tokens al tipo de cambio de hoy, o su dinero de vuelta. La página dice hasta cuándo.',
      },
      { button: 'Abrir el pedido', href: order.link },
    ],
  }),
  order_expired: (order, brand) => ({
    subject: `Pedido n.º ${order.number}: el plazo para pagar ha terminado`,
    blocks: [
      {
        p: `Hola, ${order.name}: no se vio ni se confirmó ningún pago a tiempo; este pedido ya no reserva tokens.`,
      },
      { facts: orderFacts(order, brand) },
      {
        p: 'Si no ha pagado, no envíe nada a este pedido y haga uno nuevo. Si ha pagado, abra el pedido: su página dice qué hacer, y el pago no se pierde.',
      },
      { button: 'Abrir el pedido', href: order.link },
    ],
  }),
  wallet_changed: (order) => ({
    subject: `Pedido n.º ${order.number}: ha cambiado la billetera para ${order.currency}`,
    blocks: [
      { p: `Hola, ${order.name}: el vendedor ha cambiado la billetera que recibe ${order.currency}.` },
      {
        must: 'Su pedido conserva la dirección que se le dio. Si aún no ha pagado, mire antes su página.',
      },
      { button: 'Abrir el pedido', href: order.link },
    ],
  }),
}

const orderFacts = (order: OrderFacts, brand: Brand): Facts => [
  ['Importe', `${order.cryptoAmount} ${order.currency}`],
  ['Total', `${figure(order.receiveTokens, 'es')} ${brand.symbol}`],
  ['Tokens de bonificación', `${figure(order.bonusTokens, 'es')} ${brand.symbol}`],
  ['En dólares', dollars(order.usd, 'es')],
]

const refunds: Spanish<'refund_due' | 'refund_claimed' | 'refund_paid'> = {
  refund_due: (refund) => ({
    subject: `Pedido n.º ${refund.number}: se le debe devolver dinero`,
    blocks: [
      {
        p: `Hola, ${refund.name}: lo que usted pagó por este pedido, o una parte, no pudo convertirse en tokens. Se le debe devolver.`,
      },
      {
        facts: [
          ['Se le debe', `${figure(refund.amount, 'es')} ${refund.currency}`],
          ['En dólares', dollars(refund.usd, 'es')],
        ],
      },
      {
        must: 'La página del pedido dice por qué, y allí indica usted la dirección a la que debe ir. Nadie se la pedirá por correo, y nadie necesita nunca una clave privada.',
      },
      { button: 'Abrir el pedido', href: refund.link },
    ],
  }),
  refund_claimed: (refund) => ({
    subject: `Pedido n.º ${refund.number}: la dirección para su reembolso`,
    blocks: [
      { p: `Hola, ${refund.name}: se indicó esta dirección para lo que se le debe devolver.` },
      {
        facts: [
          ['Se le debe', `${figure(refund.amount, 'es')} ${refund.currency}`],
          ['A la dirección', refund.address],
        ],
      },
      {
        must: 'La página del pedido dice hasta cuándo se puede cambiar, salvo que el vendedor prepare antes el pago. Si no fue usted, cambie enseguida la dirección y su contraseña.',
      },
      { button: 'Abrir el pedido', href: refund.link },
    ],
  }),
  refund_paid: (refund) => ({
    subject: `Pedido n.º ${refund.number}: se pagó su reembolso`,
    blocks: [
      {
        must: refund.isByWord
          ? `Hola, ${refund.name}: el vendedor dice que esta transacción le devolvió el dinero. La cadena muestra lo que llegó; responda si no llegó.`
          : `Hola, ${refund.name}: la cadena ha confirmado la transacción que le devolvió el dinero.`,
      },
      {
        facts: [
          ['Devuelto', `${figure(refund.amount, 'es')} ${refund.currency}`],
          ['A la dirección', refund.address],
          ['Transacción', refund.transactionId],
        ],
      },
      { button: 'Abrir el pedido', href: refund.link },
    ],
  }),
}

/** Every mail in Spanish. */
export const mails: Spanish<MailContent['kind']> = {
  ...account,
  ...announcements,
  ...delivery,
  ...giveaways,
  ...operators,
  ...orders,
  ...refunds,
}
