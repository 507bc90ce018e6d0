/** The drafts of `src/shared/legal-drafts.ts` in Spanish, from the same figures. */
export interface DraftFacts {
  readonly name: string
  readonly address: string
  readonly contact: string
  readonly symbol: string
  readonly quoteMinutes: number
  readonly watched: number
  readonly fixedHours: number
  readonly refundsBelowSoftCap: boolean
  readonly minimumAge: number
}

export const risks = `**Puede perder todo lo que pague.** No gaste lo que no pueda perder.

- **El token puede quedar sin valor.** Nadie aquí sabe cuánto costará, y ninguna página de este sitio lo predice.
- **Puede que nunca cotice.** Una fecha de cotización se muestra solo cuando se ha anunciado; una fecha anunciada puede no cumplirse.
- **Puede que nunca se entregue.** La entrega necesita un contrato que funcione y personas que hagan lo que dijeron.
- **Un pago no se puede retirar.** Una dirección, una red o una moneda equivocadas significan normalmente que el dinero se ha perdido.
- **El tipo de cambio se mueve.** Una cotización lo mantiene unos minutos; lo que valga después una moneda no es asunto del vendedor.
- **Las aprobaciones a mano se basan en la confianza.** El sitio puede probar lo que confirmó una cadena de bloques. Lo que aprobó un operador se cuenta aparte, porque no se puede probar.
- **Los programas tienen fallos.** También las personas que los manejan. Una contraseña o una billetera filtradas pueden costarle los tokens.
- **La ley puede cambiar.** Comprar, tener o vender tokens puede estar prohibido o gravado donde usted vive.

Esta lista no está completa. Pregunte a alguien que no gane con su compra.`

const softCap = (refunds: boolean) =>
  refunds
    ? 'Si la última etapa termina por debajo del mínimo (soft cap), cada pago aprobado se debe devolver, sin que nadie tenga que decidirlo. Cada comprador indica la dirección a la que va.'
    : 'Si no se alcanza el mínimo (soft cap), no se reembolsa nada por ello: así consta junto al mínimo.'

const age = (minimumAge: number) =>
  minimumAge > 0
    ? `Personas de al menos ${minimumAge} años que puedan comprar según la ley de su país.`
    : 'Personas que puedan comprar según la ley de su país.'

export const terms = (sale: DraftFacts) => `## Quién vende

El vendedor es ${sale.name}${sale.address}. Contacto: ${sale.contact}.

## Qué se vende

Tokens llamados ${sale.symbol}, en etapas con una meta y un final. El precio, la meta y el final de cada etapa están en la página de inicio. Una etapa no acepta pedidos después de su final ni cuando se alcanza su meta. Un final puede moverse una vez, nunca después de haber pasado; la fecha anterior sigue a la vista.

## Un pedido

- Una cotización mantiene su tipo de cambio ${sale.quoteMinutes} minutos y sirve una vez.
- Un pedido reserva sus tokens hasta que se paga, se cancela o vence: ${sale.watched} minutos donde los pagos se vigilan, ${sale.fixedHours} horas en una dirección fija.
- Donde los pedidos sin pagar reservan mucho de lo que queda, o los suyos reservan tanto como pueden, un pedido nuevo no reserva nada y lo dice antes de que usted lo confirme: su lugar se toma cuando se ve su pago o un operador lo aprueba. Si para entonces no queda sitio, se le debe lo que pagó.
- Puede cancelarlo mientras no se haya pagado nada.
- Un pago se cuenta cuando se confirma en su cadena de bloques o cuando lo aprueba un operador; ambas cosas se cuentan aparte en cada página.
- La bonificación es la del mejor de dos niveles: el que usted tiene cuando pide la cotización y el que alcanzan los tokens que compra su pago.
- Lo que se ve a tiempo tiene el tipo de cambio de la cotización. Qué ocurre con demasiado poco, demasiado y demasiado tarde se muestra antes de pagar, con cada cifra.

## Entrega

Los tokens comprados constan en su cuenta después de la aprobación. Cuándo y en qué red se entregan está en el plan de entrega de la página de inicio. Hasta que allí se nombre un contrato del token, no existe ninguno.

## Devolución del dinero

Un pago en criptomoneda no se puede retirar. Si un pedido se rechaza después de que llegara su pago, el pago se le debe a usted y consta públicamente como debido. ${softCap(sale.refundsBelowSoftCap)}

## Quién puede comprar

${age(sale.minimumAge)} Usted lo declara en cada pedido, y la declaración se guarda con él.`

export const privacy = ({
  name,
  contact,
}: Pick<
  DraftFacts,
  'name' | 'contact'
>) => `De lo que aquí se guarda sobre usted responde ${name}. Contacto: ${contact}.

## Qué se recoge

- **Su cuenta**: nombre, dirección de correo, número de teléfono si se pide, idioma, un apodo si lo elige. El nombre y el teléfono se guardan cifrados. La contraseña se guarda solo como un hash (Argon2id), del que no se puede leer.
- **Segundos factores**: el secreto de su aplicación de códigos, cifrado; hashes de los códigos de recuperación; las claves públicas de las llaves de acceso.
- **Sesiones**: el nombre del navegador, la dirección de red desde la que vino, cuándo se usó por última vez. Usted las ve y las termina en su perfil.
- **Pedidos**: importes, moneda, dirección, el identificador de transacción que usted escribe y lo que declaró (país, edad, condiciones y riesgos aceptados). Una dirección que usted indica para un reembolso se guarda cifrada; una cadena de bloques la muestra cuando se ha pagado.
- **El libro mayor**: cada abono y cada cargo de su cuenta. En él solo se añade.
- **Límites**: con qué frecuencia una red o una cuenta ha intentado algo últimamente, como hashes con clave.
- **Reacciones** a los anuncios, una de cada tipo, y sus **comentarios** sobre ellos, mostrados a todos; su apodo está al lado de uno solo si usted lo dijo. Lo que denuncia lo ven solo los operadores; lo que marca, solo usted. **Una dirección que sigue los anuncios por correo**, con cuenta o sin ella: solo después de confirmarse con un enlace, para nada más que esos correos, hasta que salga con el enlace de cualquiera de ellos. **Navegadores en los que pidió avisos**: la dirección que dio el servicio de avisos del navegador y sus claves, cifradas, y el nombre del navegador, hasta que lo quite en su perfil o termine su sesión. El servicio de avisos (del fabricante del navegador) lleva cada aviso y no puede leerlo.
- **Notas** que los operadores escriben sobre su cuenta, hasta que usted la elimine.

## Cómo se usa

Para aceptar pedidos, para acreditarlos, para escribirle los correos que les corresponden (confirmar la dirección, restablecer la contraseña, pedido creado, aprobado, rechazado, nuevo inicio de sesión, contraseña cambiada) y para mantener a otros fuera de su cuenta. Para nada más.

## Quién lo ve

Los operadores de la venta, hasta donde llega su rol; cada cambio que hacen queda registrado. La clasificación le muestra solo si usted lo eligió, con una dirección enmascarada o su apodo. La lista pública de pedidos aprobados no tiene hora, dirección ni referencia. Una cadena de bloques muestra cada pago a todos: así funcionan las cadenas de bloques.

## Cookies

Una para su sesión, una para el tema, una para la barra lateral, una para su respuesta sobre la analítica. Donde se recompensan los enlaces de amigos, dos más: una guarda durante 30 días el código de un enlace que usted abrió, y otra guarda durante 180 días un valor aleatorio que este navegador recibió cuando alguien inició sesión desde él; con la cuenta se guarda un hash con clave de ese valor. No dice nada de usted ni del navegador, y sirve solo para rechazar una recompensa por traerse a uno mismo. Nada que cuente visitas se carga antes de que usted acepte, y después solo en las páginas para las que el operador lo configuró. Antes de eso no se pide nada a ningún otro servidor.

## Sus derechos

En su perfil puede leer y corregir sus datos, exportarlos todos y eliminar la cuenta. Eliminarla la hace anónima: los pedidos y los asientos quedan bajo una referencia sin su nombre, porque las sumas tienen que seguir cuadrando. Se rechaza mientras haya algo pendiente o debido a usted.

## Cambios

Cada versión de este texto se guarda con su fecha. Cuánto se guarda todo lo demás está debajo de este texto, con los plazos en vigor.`
