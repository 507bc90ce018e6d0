import { sql } from '../../src/server/database/database.ts'
import type { OperatorCampaign } from '../../src/shared/api/campaign.ts'
import type { OperatorGiveaway, OwnGiveaway } from '../../src/shared/api/giveaways.ts'
import { type ApiCaller, apiOf, password } from './api.ts'
import { giveawayDraft, giveawaysOf, moveTo, untilDrawn } from './giveaways.ts'
import type { TestServer } from './server.ts'

const email = 'buyer@example.org'

/**
 * Adds a drawn and an open giveaway, referral links, announcements by mail, and comments, one hidden. The
 * buyer of `seedEveryState` won and has a link.
 */
export async function seedCommunity(server: TestServer, owner: ApiCaller): Promise<void> {
  const { settings, revision } = await owner<OperatorCampaign>('GET', '/operator/campaign')
  const referral = { percent: '5', mostTokensEach: '1000', mostTokens: '50000', countriesExcluded: ['GB'] }
  const open = { ...settings, referral, comments: true, followers: true }
  await owner('PUT', '/operator/campaign', { revision, settings: open })
  await server.database.db.query(sql`update users set confirmed_at = now() where email_key = ${email}`)
  const asked = { email, password, as: 'token' }
  const { token } = await apiOf(server.url)<{ token: string }>('POST', '/session', asked)
  const buyer = apiOf(server.url, token)
  await buyer('POST', '/referral', { country: 'EE' })
  await addComments(owner, buyer)
  await drawOne(server, owner, buyer)
  const { id } = await publishGiveaway(owner)
  await moveTo(server.database.db, id, { opensAt: -1, closesAt: 200 })
}

async function addComments(owner: ApiCaller, buyer: ApiCaller): Promise<void> {
  for (const body of ['Which chain\nis it on?', 'Buy from me instead']) {
    const { id } = await buyer<{ id: number }>('POST', '/announcements/1/comments', {
      body,
      showsName: false,
    })
    if (body.startsWith('Buy')) await owner('POST', `/operator/comments/${id}/hide`, { reason: 'spam' })
  }
}

async function publishGiveaway(owner: ApiCaller): Promise<OperatorGiveaway> {
  const once = () => ({ 'idempotency-key': crypto.randomUUID() })
  const { id, revision } = await owner<OperatorGiveaway>(
    'POST',
    '/operator/giveaways',
    giveawayDraft(),
    once(),
  )
  return owner('POST', `/operator/giveaways/${id}/publication`, { revision })
}

async function drawOne(server: TestServer, owner: ApiCaller, buyer: ApiCaller): Promise<void> {
  const { db } = server.database
  const { id } = await publishGiveaway(owner)
  const giveaways = giveawaysOf(server)
  const [own] = (await buyer<{ items: OwnGiveaway[] }>('GET', '/giveaways/own')).items
  const entry = { country: 'EE', ageConfirmed: true, rulesSha256: own?.giveaway.rulesSha256 }
  await buyer('POST', `/giveaways/${id}/entry`, entry)
  await untilDrawn(db, giveaways, id)
  // The first run draws, the second notifies.
  await giveaways.run()
  await giveaways.run()
  await buyer('POST', `/giveaways/${id}/confirmation`)
  const evidence = { evidence: 'Sent by parcel, receipt 4711' }
  await owner('POST', `/operator/giveaways/${id}/winners/1/hand-over`, evidence)
}
