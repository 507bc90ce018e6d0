import type { Stand, StandingOrder, StandingPayment } from '../stand.ts'
import { Exact } from './exact.ts'
import type { Model, Order } from './model.ts'
import { isAlive, isTooLittle, type Payment } from './payments.ts'

class Differences {
  readonly found: string[] = []

  same(what: string, stands: string | number | boolean | null, must: string | number | boolean | null): void {
    if (stands !== must) this.found.push(`${what}: stands ${stands}, must be ${must}`)
  }

  equal(what: string, stands: string, must: Exact): void {
    if (!readExact(stands).equals(must)) this.found.push(`${what}: stands ${stands}, must be ${must}`)
  }
}

const readExact = (text: string) =>
  text.startsWith('-') ? Exact.zero.minus(Exact.of(text.slice(1))) : Exact.of(text)

/**
 * `users` are the ids of the model's buyers. With `isWhole` every row is fresh, so that states that depend on
 * the clock are current.
 */
export function compare(model: Model, stand: Stand, users: readonly string[], isWhole: boolean): string[] {
  const differences = new Differences()
  compareSale(differences, model, stand)
  differences.same('orders', stand.orders.length, model.orders.length)
  for (const order of model.orders) {
    const row = stand.orders.find(({ number }) => number === order.number)
    if (row) compareOrder(differences, order, row, stand)
    else differences.found.push(`order is missing: ${order.number}`)
    if (row && isWhole) differences.same('detail of order', row.detail, model.detailOf(order))
  }
  differences.same('payments', stand.payments.length, model.payments.all.length)
  for (const payment of model.payments.all) {
    const row = rowOf(stand, payment)
    if (row) comparePayment(differences, payment, row)
    else differences.found.push(`payment is missing: ${payment.transaction} ${payment.key}`)
  }
  for (const { key, listed } of stand.grants)
    differences.same('round of grant', listed, model.granted.get(key ?? '')?.isListed ?? null)
  users.forEach((user, buyer) => {
    const row = stand.holdings.find((holding) => holding.user === user)
    differences.equal(`balance of buyer ${buyer}`, row?.balance ?? '0', model.balanceOf(buyer))
    differences.equal(`deposits of buyer ${buyer}`, row?.deposits ?? '0', model.depositsOf(buyer))
  })
  compareRewards(differences, model, stand, users)
  return differences.found
}

export function rowOf(stand: Stand, payment: Payment): StandingPayment | undefined {
  return stand.payments.find(
    ({ chain, transaction, key, address }) =>
      chain === payment.network &&
      transaction === payment.transaction &&
      key === payment.key &&
      address === payment.address,
  )
}

function compareSale(differences: Differences, model: Model, stand: Stand): void {
  differences.equal('price', stand.price, model.price)
  differences.same('pause of the sale', stand.paused, model.isPaused)
  for (const { code, rate, refusal } of stand.coins) {
    differences.equal(`rate of ${code}`, rate, model.rate(code))
    differences.same(`refusal of ${code}`, refusal, model.refusalOf(code))
  }
  for (const stage of model.stages) {
    const row = stand.stages.find(({ id }) => id === stage.id)
    if (!row) continue
    const sold = model.sold(stage.id)
    differences.equal(`left of stage ${stage.id}`, row.left, model.leftOfStage(stage))
    differences.equal(`raised on chain in stage ${stage.id}`, row.on_chain, model.raised(stage.id, 'chain'))
    differences.equal(
      `raised by operators in stage ${stage.id}`,
      row.by_operator,
      model.raised(stage.id, 'operator'),
    )
    differences.equal(`sold in stage ${stage.id}`, row.base, sold.base)
    differences.equal(`bonus in stage ${stage.id}`, row.bonus, sold.bonus)
    differences.same(`approved orders in stage ${stage.id}`, row.orders, sold.orders)
  }
  const { verdict } = model.softCap
  const said = verdict && (verdict.isReached ? 'reached' : 'missed')
  differences.same('verdict about the soft cap', stand.soft_cap.verdict, said)
  differences.same('time of the verdict', stand.soft_cap.at, verdict?.at ?? null)
  if (verdict && stand.soft_cap.raised !== null)
    differences.equal('raised at the verdict', stand.soft_cap.raised, verdict.raised)
  differences.equal('left of the hard cap', stand.left.usd, model.left.usd)
  differences.equal('left for sale', stand.left.sale, model.left.sale)
  differences.equal('left for bonuses', stand.left.bonus, model.left.bonus)
}

function compareRewards(
  differences: Differences,
  { rewards }: Model,
  stand: Stand,
  users: readonly string[],
): void {
  const indexOf = (user: string) => users.indexOf(user)
  const links = stand.links.map(({ user, country }) => `${indexOf(user)} of ${country}`)
  const friends = stand.friends.map(
    ({ user, referrer, terms }) => `${indexOf(user)} by ${indexOf(referrer)}: ${terms}`,
  )
  const browsers = stand.browsers.map(({ user, count }) => `${count} of ${indexOf(user)}`)
  const found = stand.found.map(({ user, refusal }) => `${indexOf(user)} by ${refusal}`)
  const byBuyer = <T>(entries: Iterable<[number, T]>) => [...entries].toSorted(([a], [b]) => a - b)
  const must = {
    links: byBuyer(rewards.links).map(([buyer, country]) => `${buyer} of ${country}`),
    friends: byBuyer(rewards.friends).map(([buyer, { referrer, terms }]) => {
      const { percent, mostEach, most, excluded } = terms
      return `${buyer} by ${referrer}: ${percent} ${mostEach} ${most} ${excluded.join(',')}`
    }),
    found: byBuyer(rewards.found).map(([buyer, refusal]) => `${buyer} by ${refusal}`),
    browsers: byBuyer(rewards.browsers).map(([buyer, { size }]) => `${size} of ${buyer}`),
  }
  differences.same('links', links.join('; '), must.links.join('; '))
  differences.same('friends', friends.join('; '), must.friends.join('; '))
  differences.same('browsers', browsers.join('; '), must.browsers.join('; '))
  differences.same('one person', found.join('; '), must.found.join('; '))
  differences.same('decided rewards', stand.rewards.length, rewards.decisions.length)
  for (const [n, row] of stand.rewards.entries()) {
    const decision = rewards.decisions[n]
    if (!decision) continue
    differences.same('order of reward', row.order, decision.order)
    differences.equal('base of reward', row.base, decision.base)
    differences.same('referrer of reward', indexOf(row.referrer), decision.referrer)
    differences.same('refusal of reward', row.refusal, decision.refusal)
    if (decision.tokens) differences.equal('tokens of reward', row.tokens ?? '0', decision.tokens)
    differences.same('taking back of reward', row.reversed, decision.isTakenBack)
    differences.same('round of reward', row.listed, decision.isListed)
  }
}

function compareOrder(differences: Differences, order: Order, row: StandingOrder, { listed }: Stand): void {
  const of = (what: string) => `${what} of order`
  differences.same(of('status'), row.status, order.status)
  differences.same(of('way'), row.via, order.via)
  differences.same(of('stage'), row.stage, order.ordered.stage)
  differences.same(of('signature'), row.signed, order.signedUntil)
  differences.same(of('word of its buyer'), row.sent, order.isSent)
  differences.same(of('named transaction'), row.named, order.named)
  differences.same(of('expiry'), row.expires, order.ordered.expiresAt)
  differences.same(of('approvals'), row.approvals, order.approvals)
  differences.same(of('error'), row.error, null)
  for (const key of ['base', 'bonus', 'usd', 'rate', 'coins'] as const)
    differences.equal(of(key), row[key], order[key])
  for (const key of ['base', 'bonus', 'usd'] as const)
    differences.equal(of(`room (${key})`), row[`room_${key}`], order.room[key])
  const parts = listed.find(({ number }) => number === order.number)
  for (const key of ['base', 'bonus'] as const)
    differences.equal(of(`part in rounds (${key})`), parts?.[key] ?? '0', order.listed[key])
  for (const key of ['price', 'asked'] as const) differences.equal(of(key), row[key], order.ordered[key])
}

function comparePayment(differences: Differences, payment: Payment, row: StandingPayment): void {
  const of = (what: string) => `${what} of payment`
  differences.same(of('order'), row.order, payment.order)
  differences.same(of('coin'), row.fault !== null && row.fault !== 'returned', payment.isForeign)
  differences.same(of('dust'), row.fault === 'dust', payment.isDust)
  differences.same(of('return'), row.fault === 'returned', payment.isReturned)
  differences.same(of('height'), row.height, payment.block?.height ?? null)
  differences.same(of('life'), row.alive, isAlive(payment))
  differences.same(of('confirmation'), row.confirmed, payment.isConfirmed)
  differences.same(of('being final'), row.alive && row.final, isAlive(payment) && payment.isFinal)
  differences.same(of('being too little'), row.state === 'too_little', isTooLittle(payment))
  differences.same(of('time seen'), row.seen, payment.seenAt)
  differences.same(of('first showing'), row.first, payment.firstSeenAt)
  differences.same(of('time mined'), row.mined, payment.minedAt)
  differences.equal(of('amount'), row.amount, payment.amount)
  differences.equal(of('credit'), row.credited, payment.credited)
  differences.equal(of('owed part'), row.owed, payment.owed)
}
