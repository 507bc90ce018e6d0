import { beforeEach, describe, expect, it, vi } from 'vitest'
import { executorOf, quietUnits } from '../../../test/support/actions.ts'
import { makeTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { addOperator, addUser } from '../../../test/support/header-server.ts'
import { queuedBehind } from '../../../test/support/race.ts'
import { statement } from '../../../test/support/statement.ts'
import type { CampaignSettings } from '../../shared/campaign-settings.ts'
import { campaignSettings } from '../../shared/campaign-settings-inputs.ts'
import { defaultFaq, lastingQuestions } from '../../shared/faq.ts'
import { type Database } from '../database/database.ts'
import { seedCampaign } from '../demo/seed.ts'
import { InvalidInput } from '../invalid-input.ts'
import { Refusal, RetryableError } from '../refusal.ts'
import { Campaign } from './campaign.ts'
import { refuseSettingsChange } from './change-rules.ts'

type Level = CampaignSettings['levels'][number]

const HOUR = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()

let database: TestDatabase
let campaign: ReturnType<typeof campaignOf>
let operatorId: string

beforeEach(async () => {
  database = await makeTestDatabase({ holds: 'demo' })
  operatorId = await addOperator(database.db, 'owner', 'owner')
  campaign = campaignOf(database.db, operatorId)
  return () => database.close()
})

/** The campaign with the actions that these tests execute, all by one owner. */
function campaignOf(db: Database, ownerId: string) {
  const reader = new Campaign({ db, units: quietUnits(db) })
  const execute = executorOf(db, reader.actions, ownerId)
  return {
    show: () => reader.show(),
    history: async () => (await reader.history({ limit: 100 })).items,
    applyStagePrice: () => reader.applyStagePrice(),
    update: (revision: number, settings: object) => execute('campaign.update', { revision, settings }),
    addStage: (stage: object) => execute('stage.add', stage),
    updateStage: (id: number, revision: number, stage: object) =>
      execute('stage.update', { id, revision, stage }),
    removeStage: (id: number, revision: number) => execute('stage.remove', { id, revision }),
    setPrice: (change: object) => execute('price.change', change),
    setPaused: (change: object) => execute('campaign.pause', change),
  }
}

const code = async (work: Promise<unknown>) => {
  try {
    await work
  } catch (error) {
    if (error instanceof Refusal)
      return `${error.code}${error.details?.['path'] ? ` ${error.details['path']}` : ''}`
    throw error
  }
  return 'done'
}
const change = async (patch: Partial<CampaignSettings>) => {
  const { revision, settings } = await campaign.show()
  return campaign.update(revision, { ...settings, ...patch })
}
const tryChange = (patch: Partial<CampaignSettings>) => code(change(patch))
/** Gives the first level these perks; answers them as they stand then. */
const givePerks = async (...perks: object[]) => {
  const { revision, settings } = await campaign.show()
  const levels = settings.levels.map((level, place) => (place === 0 ? { ...level, perks } : level))
  const saved = (await campaign.update(revision, { ...settings, levels })) as { settings: CampaignSettings }
  return saved.settings.levels[0]?.perks
}
const stageChange = async (patch: object) => {
  const { revision, stages } = await campaign.show()
  const stage = stages[0]
  if (!stage) throw new Error('no stage')
  const { name, goalUsd, priceUsd, startsAt, endsAt } = stage
  return campaign.updateStage(stage.id, revision, { name, goalUsd, priceUsd, startsAt, endsAt, ...patch })
}

const ORDER = statement(
  'test_edit_order',
  `select made.* from currencies k, stages s,
          create_orders(array[row($1, $2, null, null, '{}', true, k.id, s.id,
            row($3::numeric, $3::numeric / 20, 5, round($3::numeric * 4.5, 2), 1, 1)::order_amounts,
            4.5, 5, 'bronze', k.address, k.address, false, null, null, null, null)::order_request]) made
    where k.code = 'USDT' order by s.id limit 1`,
)
const APPROVE = statement(
  'test_edit_approve',
  `select * from approve_orders(array[row($1, null, $2, 'test', null)::approval], 'operator')`,
)
const PLAIN_LEVEL = statement(
  'test_edit_plain_level',
  `update campaign set settings = jsonb_set(settings, '{levels,0,name}', '"Bronze"')`,
)
const STAGE_NAMES = statement('test_edit_stage_names', 'select name, names from stages where id = $1')
const UPLOAD = statement(
  'test_edit_upload',
  `insert into uploads (name, media_type, size_bytes, sha256, bytes, width, height)
   values ($1, $2, 1, sha256('x'), 'x', case when $2 like 'image/%' then 1 end, case when $2 like 'image/%' then 1 end)`,
)
const LEFT = statement(
  'test_edit_left',
  `select (select sum(pool_usd) from stage_capacity) as goal, (select pool_usd from campaign_capacity) as cap`,
)

/** An order for so many tokens at 4.50, approved or only made. */
async function order(tokens: string, approved: boolean, name = `o${tokens}`): Promise<void> {
  const userId = await addUser(database.db, `${name}@example.org`)
  const made = await database.db.one<{ order_id: string; refusal: string | null }>(ORDER, [
    userId,
    name,
    tokens,
  ])
  expect(made.refusal).toBeNull()
  if (approved) await database.db.one(APPROVE, [made.order_id, operatorId])
}

describe('before the first order', () => {
  it('changes settings, dates them in public, and keeps looks out of that history [STAGE-10]', async () => {
    const changed = await change({ hardCapUsd: '1900000000', tagline: { en: 'New', ru: '' } })
    expect(changed.settings).toMatchObject({ hardCapUsd: '1900000000', tagline: { en: 'New' } })
    expect(changed.revision).toBe(2)
    const history = await campaign.history()
    expect(history).toMatchObject([{ setting: 'hardCapUsd', before: '2000000000', after: '1900000000' }])
    const left = await database.db.one<{ goal: string; cap: string }>(LEFT)
    expect(left).toEqual({ goal: '6475000.00', cap: '1900000000.00' })
  })

  it('is shown as it is after a clock that went before was set right [STAGE-7]', async () => {
    const reader = new Campaign({ db: database.db, units: quietUnits(database.db) })
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + HOUR)
    await reader.current()
    clock.mockRestore()
    await change({ hardCapUsd: '1900000000' })
    expect((await reader.current()).settings.hardCapUsd).toBe('1900000000')
  })

  it('loses no setting to a program that does not know it: saving is refused until that is replaced [STAGE-9]', async () => {
    const { settings } = await campaign.show()
    const known = JSON.stringify({ ...settings, referral: undefined })
    const save = statement('test_older_program', 'update campaign set settings = $1, revision = revision + 1')
    await expect(database.db.query(save, [known])).rejects.toBeInstanceOf(RetryableError)
    expect((await campaign.show()).settings).toEqual(settings)
  })

  it('leaves alone whatever a client does not name, at every depth, and refuses a whole that does not fit [STAGE-11]', async () => {
    const referral = { percent: '5', mostTokensEach: '10', mostTokens: '100', countriesExcluded: ['GB'] }
    const { settings } = await campaign.show()
    const tagline = { en: 'Coin', ru: 'Монета' }
    const standing = await change({
      referral,
      tagline,
      delivery: { ...settings.delivery, chain: 'polygon' },
      retention: { ...settings.retention, declarations: 400, failedJobs: 40 },
    })
    const { referral: _left, ...whole } = standing.settings
    const { chain: _chain, ...delivery } = whole.delivery
    const sent = { ...whole, delivery, tagline: { en: 'Sent' }, retention: { failedJobs: 50 } }
    const changed = await campaign.update(standing.revision, sent)
    expect(changed.settings).toEqual({
      ...standing.settings,
      tagline: { ...tagline, en: 'Sent' },
      retention: { ...standing.settings.retention, failedJobs: 50 },
    })
    const most = { ...sent, referral: { mostTokensEach: '101' } }
    await expect(campaign.update(changed.revision, most)).rejects.toThrow('invalid input')
    expect((await change({ referral: null })).settings.referral).toBeNull()
  })

  it('takes questions of its own in any order, and keeps those on delivery, refunds and risks with the program’s words [TEXT-15]', async () => {
    const { faq } = (await campaign.show()).settings
    expect(faq).toEqual(defaultFaq)
    const own = {
      key: 'own-1',
      question: { en: 'Who is Ito?', ru: '' },
      answer: { en: 'A figure of **ours**.', ru: '' },
    }
    const next = [own, ...faq.toReversed().filter(({ key }) => key !== 'listing')]
    expect((await change({ faq: next })).settings.faq).toEqual(next)
    const history = await campaign.history()
    expect(history[0]).toMatchObject({ setting: 'faq', after: next })
    const words = { en: 'You get everything back.', ru: '' }
    const wrong = {
      ...Object.fromEntries(
        lastingQuestions.map((key) => [`without ${key}`, next.filter((entry) => entry.key !== key)]),
      ),
      'an answer in the program’s place': next.map((entry) =>
        entry.key === 'refunds' ? { ...entry, answer: words } : entry,
      ),
      'no answer': [...next, { ...own, key: 'own-2', answer: { en: ' ', ru: '' } }],
      'one entry twice': [...next, own],
      'none at all': [],
      'too many': [...next, ...Array.from({ length: 30 }, (_, n) => ({ ...own, key: `own-${n + 2}` }))],
    }
    for (const [what, sent] of Object.entries(wrong))
      await expect(change({ faq: sent }), what).rejects.toThrow('invalid input')
    expect((await campaign.show()).settings.faq).toEqual(next)
  })

  it('takes an accent that text can be read on, and a logo only of what was uploaded as an image', async () => {
    const image = `${'a'.repeat(24)}.png`
    const paper = `${'b'.repeat(24)}.pdf`
    for (const [name, mediaType] of [
      [image, 'image/png'],
      [paper, 'application/pdf'],
    ])
      await database.db.query(UPLOAD, [name, mediaType])
    const none = { ink: null, paper: null, now: null }
    const brand = (logoUploadId: string | null) => ({ brand: { accent: '#0a5c36', ...none, logoUploadId } })
    expect(await tryChange(brand(`${'c'.repeat(24)}.png`))).toBe('upload_unknown')
    expect(await tryChange(brand(paper))).toBe('upload_unknown')
    expect((await change(brand(image))).settings.brand.logoUploadId).toBe(image)
    expect((await change(brand(null))).settings.brand.logoUploadId).toBeNull()
    const { settings } = await campaign.show()
    const issuesOf = (accent: string) =>
      campaignSettings
        .safeParse({ ...settings, brand: { accent, logoUploadId: '../x.png' } })
        .error?.issues.map((issue) => issue.path.join('.'))
    expect(issuesOf('#0a5c36')).toEqual(['brand.logoUploadId'])
    expect(issuesOf('#f00;color:red')).toEqual(['brand.accent', 'brand.logoUploadId'])
  })

  it('keeps plain names of levels as they were, and takes one for each language, once in each [STAGE-2]', async () => {
    await database.db.query(PLAIN_LEVEL)
    const { revision, settings } = await campaign.show()
    const [bronze, silver, ...rest] = settings.levels as [Level, Level, ...Level[]]
    expect(bronze.name).toBe('Bronze')
    const named = (name: Level['name']) => ({ ...settings, levels: [{ ...bronze, name }, silver, ...rest] })
    const untouched = await campaign.update(revision, named({ en: 'Bronze', ru: '' }))
    expect(untouched.revision).toBe(revision)
    await expect(campaign.update(revision, named({ en: 'Bronze', ru: 'Серебро' }))).rejects.toMatchObject({
      issues: [{ path: 'settings.levels.1.name.ru', code: 'name_taken' }],
    })
    const name = { en: 'Bronze', ru: 'Бронза' }
    expect((await campaign.update(revision, named(name))).settings.levels[0]?.name).toEqual(name)
    expect((await campaign.history())[0]).toMatchObject({
      setting: 'levels',
      before: [{ name: 'Bronze' }, {}, {}, {}, {}, {}],
      after: [{ name }, {}, {}, {}, {}, {}],
    })
  })

  it('takes ink and paper that text can be read with, and says by how much it could not', async () => {
    const { settings } = await campaign.show()
    const issuesOf = (brand: object) =>
      campaignSettings
        .safeParse({ ...settings, brand: { ...settings.brand, ...brand } })
        .error?.issues.map((issue) => [issue.path.join('.'), issue.message])
    expect(issuesOf({ ink: '#102040', paper: '#fff8f0', now: '#ffcc00' })).toBeUndefined()
    expect(issuesOf({ ink: '#888888' })).toEqual([
      ['brand.ink', expect.stringMatching(/^ink_contrast [1-4](\.\d+)?$/)],
    ])
    expect(issuesOf({ ink: '#ffffff', paper: '#101010' })).toEqual([
      ['brand.ink', expect.stringMatching(/^ink_contrast 0\.\d+$/)],
    ])
    expect(issuesOf({ paper: 'white' })?.map(([path]) => path)).toEqual(['brand.paper'])
  })

  it('saving what stands changes nothing and makes no history', async () => {
    const before = await campaign.show()
    expect((await change({})).revision).toBe(before.revision)
    expect(await campaign.history()).toEqual([])
  })

  it('refuses caps that could sell or reward more than the shares hold [OPEN-4, OPEN-5]', async () => {
    expect(await tryChange({ hardCapUsd: '2025000000.01' })).toBe('supply_reached hardCapUsd')
    expect(await tryChange({ hardCapUsd: '2025000000' })).toBe('done')
    const { settings } = await campaign.show()
    const levels = settings.levels.map((level, index) =>
      index === 5 ? { ...level, bonusPercent: '23' } : level,
    )
    expect(await tryChange({ levels })).toBe('supply_reached bonusShare')
    // What is granted is no bonus of orders any more.
    const barely = (bonusPercent: string) => ({
      levels: settings.levels.map((level, index) => (index === 5 ? { ...level, bonusPercent } : level)),
    })
    expect(await tryChange(barely('22.22'))).toBe('done')
    expect(await tryChange({ levels: settings.levels })).toBe('done')
    await database.db.query(
      statement(
        'test_granted',
        'update campaign_capacity set granted_tokens = 20000, pool_bonus_tokens = pool_bonus_tokens - 20000',
      ),
    )
    expect(await tryChange(barely('22.22'))).toBe('supply_reached bonusShare')
    await database.db.query(
      statement(
        'test_granted_not',
        'update campaign_capacity set granted_tokens = 0, pool_bonus_tokens = pool_bonus_tokens + 20000',
      ),
    )
    expect(await tryChange({ softCapUsd: '1', hardCapUsd: '6474999' })).toBe('cap_reached goalUsd')
  })

  it('refuses a draft whose share for bonuses is less than what is granted [OPEN-5, GRANT-3]', async () => {
    const { settings } = await campaign.show()
    const draft = {
      priceUsd: null,
      stages: [],
      grantedTokens: '500',
      hasOrders: false,
      hasRounds: false,
      hasEscrows: false,
      now: new Date().toISOString(),
    }
    const shares = settings.shares.map((share) =>
      share.key === settings.bonusShare ? { ...share, percent: '0' } : share,
    )
    const lower = () => refuseSettingsChange(settings, { ...settings, shares }, draft)
    expect(lower).toThrow(expect.objectContaining({ code: 'supply_reached' }))
  })

  it('refuses a higher bonus that a grant of the same moment leaves no tokens for [OPEN-5, GRANT-3]', async () => {
    const { db } = database
    const userId = await addUser(db, 'granted@example.org')
    const { levels } = (await campaign.show()).settings
    const barely = levels.map((level, index) => (index === 5 ? { ...level, bonusPercent: '22.22' } : level))
    const outcomes = await queuedBehind(
      db,
      { ...statement('test_pools', 'select lock_pools()'), values: [] },
      [
        () =>
          db
            .one<{ refusal: string | null }>(
              statement(
                'test_grant',
                "select refusal from grant_tokens($1, 20000, row($2, 'test', null, null, null)::granted_by)",
              ),
              [userId, operatorId],
            )
            .then(({ refusal }) => refusal),
        () => tryChange({ levels: barely }),
      ],
    )
    expect(outcomes).toEqual([null, 'supply_reached bonusShare'])
  })

  it('shows the second of two editors the document that the first one left [STAGE-12]', async () => {
    const { revision, settings } = await campaign.show()
    const results = await Promise.allSettled(
      ['One', 'Two', 'Three'].map((name) => campaign.update(revision, { ...settings, name })),
    )
    const won = results.filter((result) => result.status === 'fulfilled')
    expect(won).toHaveLength(1)
    for (const result of results) {
      if (result.status === 'fulfilled') continue
      expect(result.reason.code).toBe('conflict')
      expect(result.reason.details.current.settings.name).toBe(won[0]?.value.settings.name)
    }
  })

  it('names what is missing before the sale can open [OPEN-1]', async () => {
    expect(await campaign.show()).toMatchObject({ missing: [], advised: [] })
    const { settings } = await campaign.show()
    const emptied = await change({
      seller: { ...settings.seller, name: '', contact: ' ' },
      delivery: { ...settings.delivery, network: '', date: null, vesting: { en: '', ru: '' } },
    })
    expect(emptied.missing).toEqual(['seller.name', 'seller.contact', 'delivery.network', 'delivery.date'])
  })

  it('refuses a delivery date that is over, and keeps one that was set before', async () => {
    const { settings } = await campaign.show()
    const dated = (date: string) => change({ delivery: { ...settings.delivery, date } })
    await expect(dated('2020-01-01')).rejects.toMatchObject({
      issues: [{ path: 'settings.delivery.date', code: 'moment_past' }],
    })
    const today = new Date().toISOString().slice(0, 10)
    expect((await dated(today)).settings.delivery.date).toBe(today)
  })

  it('names everything on an empty campaign [OPEN-1]', async () => {
    const empty = await makeTestDatabase()
    await seedCampaign(empty.db, false)
    const { missing, advised, ...shown } = await new Campaign({
      db: empty.db,
      units: quietUnits(empty.db),
    }).show()
    await empty.close()
    expect(shown).toMatchObject({
      unopened: true,
      pauseReason: { en: 'The sale has not been opened yet.', ru: 'Продажа ещё не открыта.' },
      nextStageName: { en: 'Stage 1', ru: 'Этап 1' },
    })
    expect(advised).toEqual(['name', 'legal.privacy'])
    expect(missing).toEqual([
      'seller.name',
      'seller.contact',
      'delivery.network',
      'delivery.date',
      'legal.terms',
      'legal.risks',
      'priceUsd',
      'stages',
      'currencies',
    ])
  })
})

describe('stages', () => {
  const times = (stage: { startsAt: string; endsAt: string } | undefined) => ({
    startsAt: stage?.startsAt,
    endsAt: stage?.endsAt,
  })
  const next = (more: object = {}) => ({
    name: 'Stage 2',
    goalUsd: '1000',
    priceUsd: '5',
    startsAt: inHours(24 * 40),
    endsAt: inHours(24 * 50),
    ...more,
  })

  it('has a name in each language, once in each, and the plain one in files [STAGE-2]', async () => {
    const name = { en: 'Stage 2', ru: 'Этап 2', es: 'Etapa 2' }
    const added = await campaign.addStage(next({ name }))
    const stage = added.stages[1]
    expect(stage?.name).toEqual(name)
    const row = () => database.db.one<{ name: string; names: object | null }>(STAGE_NAMES, [stage?.id])
    expect(await row()).toEqual({ name: 'Stage 2', names: name })
    const rename = (to: unknown, { revision } = added) =>
      campaign.updateStage(stage?.id ?? 0, revision, { ...next(), ...times(stage), name: to })
    await expect(rename({ en: 'Second', ru: 'этап 1' })).rejects.toMatchObject({
      issues: [{ path: 'name.ru', code: 'name_taken' }],
    })
    const far = { startsAt: inHours(24 * 60), endsAt: inHours(24 * 70) }
    await expect(campaign.addStage(next({ name: 'STAGE 1', ...far }))).rejects.toThrow(InvalidInput)
    // The same name in another order of its languages is no change.
    const same = await rename({ ru: name.ru, es: name.es, en: name.en })
    expect(same.revision).toBe(added.revision)
    const renamed = await rename('Второй')
    expect(await row()).toEqual({ name: 'Второй', names: null })
    const [last] = (await campaign.history()).filter(({ setting }) => setting.endsWith('.name'))
    expect(last).toMatchObject({ before: name, after: 'Второй' })
    expect(renamed.stages[1]?.name).toBe('Второй')
  })

  it('adds, changes and removes them; overlap and goals above the cap are refused [OPEN-5, STAGE-1]', async () => {
    const added = await campaign.addStage(next())
    expect(added.stages.map((stage) => stage.name)).toEqual([{ en: 'Stage 1', ru: 'Этап 1' }, 'Stage 2'])
    expect(added.nextStageName).toEqual({ en: 'Stage 3', ru: 'Этап 3' })
    expect(
      await code(campaign.addStage(next({ startsAt: inHours(24 * 49), endsAt: inHours(24 * 60) }))),
    ).toBe('stages_overlap')
    const far = { startsAt: inHours(24 * 60), endsAt: inHours(24 * 70) }
    expect(await code(campaign.addStage(next({ ...far, goalUsd: '1999999999' })))).toBe('cap_reached goalUsd')
    expect(await code(campaign.addStage(next({ ...far, priceUsd: '0.01' })))).toBe(
      'supply_reached hardCapUsd',
    )
    const removed = await campaign.removeStage(added.stages[1]?.id ?? 0, added.revision)
    expect(removed.stages).toHaveLength(1)
    expect((await database.db.one<{ cap: string }>(LEFT)).cap).toBe('2000000000.00')
    expect(await code(campaign.removeStage(9_999, removed.revision))).toBe('not_found')
  })

  it('takes one of several changes that were made of the same version, and shows the others what stands', async () => {
    const { revision, stages } = await campaign.addStage(next())
    const id = stages[1]?.id ?? 0
    const results = await Promise.allSettled(
      ['100', '200', '300'].map((goalUsd) => campaign.updateStage(id, revision, next({ goalUsd }))),
    )
    const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    expect(won).toHaveLength(1)
    const goal = (shown: { stages: readonly { goalUsd: string }[] }) => shown.stages[1]?.goalUsd
    for (const result of results) {
      if (result.status === 'fulfilled') continue
      expect(result.reason.code).toBe('conflict')
      expect(goal(result.reason.details.current)).toBe(goal(won[0] ?? { stages: [] }))
    }
  })

  it('removes none that somebody changed meanwhile', async () => {
    const { revision, stages } = await campaign.addStage(next())
    const id = stages[1]?.id ?? 0
    await campaign.updateStage(id, revision, next({ goalUsd: '100' }))
    await expect(campaign.removeStage(id, revision)).rejects.toMatchObject({
      code: 'conflict',
      details: { current: { revision: revision + 1, stages: [{}, { id, goalUsd: '100.00' }] } },
    })
    expect((await campaign.removeStage(id, revision + 1)).stages).toHaveLength(1)
  })

  it('gives the main currency the value of a stage that begins [STAGE-3]', async () => {
    const { stages, revision } = await campaign.show()
    await campaign.removeStage(stages[0]?.id ?? 0, revision)
    const begun = await campaign.addStage(next({ startsAt: inHours(-1), endsAt: inHours(5) }))
    expect(begun.priceUsd).toBe('5.00000000')
    expect(await campaign.applyStagePrice()).toBe(false)
  })

  it('never removes one that orders name [STAGE-4]', async () => {
    await order('40', false)
    const { stages, revision } = await campaign.show()
    await database.db.query(
      statement('test_edit_start', "update stages set starts_at = now() + interval '1 hour'"),
    )
    expect(await code(campaign.removeStage(stages[0]?.id ?? 0, revision))).toBe('stage_in_use')
  })

  it('moves an end freely before the first order, without calling it moved', async () => {
    await stageChange({ endsAt: inHours(24 * 20) })
    const moved = await stageChange({ endsAt: inHours(24 * 25) })
    expect(moved.stages[0]).toMatchObject({ firstEndsAt: null, endMoved: false })
  })
})

describe('after the first order', () => {
  it('fixes what happens if the soft cap is missed, even before an approval [OPEN-6]', async () => {
    expect(await tryChange({ softCapPolicy: 'refund' })).toBe('done')
    await order('40', false)
    expect(await tryChange({ softCapPolicy: 'none' })).toBe('setting_locked softCapPolicy')
  })

  it('keeps caps and goals as they are, neither more nor less [FIXED-1]', async () => {
    await order('1000', false)
    for (const hardCapUsd of ['2000000001', '1999999999'])
      expect(await tryChange({ hardCapUsd })).toBe('setting_locked hardCapUsd')
    for (const softCapUsd of ['1000000001', '999999999'])
      expect(await tryChange({ softCapUsd })).toBe('setting_locked softCapUsd')
    expect(await tryChange({ softCapUsd: '1000000000.00', hardCapUsd: '2000000000.0' })).toBe('done')
    for (const goalUsd of ['6475000.01', '6474999.99'])
      expect(await code(stageChange({ goalUsd }))).toBe('setting_locked goalUsd')
    expect(await code(stageChange({ goalUsd: '6475000.00' }))).toBe('done')
  })

  it('lets the days to take an order back only rise [BACK-5]', async () => {
    expect(await tryChange({ moneyBackDays: 30 })).toBe('done')
    await expect(tryChange({ moneyBackDays: 13 })).rejects.toThrow('invalid input')
    await order('40', false)
    expect(await tryChange({ moneyBackDays: 29 })).toBe('setting_locked moneyBackDays')
    expect(await tryChange({ moneyBackDays: 31 })).toBe('done')
  })

  it.each([{ softCapPolicy: 'refund' as const }, { moneyBackDays: 14 }])(
    'starts no stage later and ends none sooner than it said where the money goes back: %o [BACK-5, FIXED-4]',
    async (givesBack) => {
      expect(await tryChange(givesBack)).toBe('done')
      const later = { startsAt: inHours(24 * 50), endsAt: inHours(24 * 60) }
      const { stages } = await campaign.addStage({ name: 'More', goalUsd: '10', priceUsd: '5', ...later })
      await order('40', false)
      const move = async (place: number, times: { startsAt?: string; endsAt?: string }) => {
        const { revision } = await campaign.show()
        const stage = stages[place]
        if (!stage) throw new Error('the stage stands')
        const { id, name, goalUsd, priceUsd, startsAt, endsAt } = stage
        return code(
          campaign.updateStage(id, revision, { name, goalUsd, priceUsd, startsAt, endsAt, ...times }),
        )
      }
      expect(await move(0, { endsAt: inHours(1) })).toBe('setting_locked endsAt')
      expect(await move(1, { endsAt: inHours(24 * 59) })).toBe('setting_locked endsAt')
      expect(await move(1, { startsAt: inHours(24 * 51) })).toBe('setting_locked startsAt')
      expect(await move(1, { startsAt: inHours(24 * 49), endsAt: inHours(24 * 61) })).toBe('done')
    },
  )
})

describe.each([false, true])('after the first order (approved: %s)', (isApproved) => {
  beforeEach(() => order('1000', isApproved))

  it('fixes supply and shares, though not their names [FIXED-2]', async () => {
    const { settings } = await campaign.show()
    expect(await tryChange({ totalSupply: '1000000001' })).toBe('setting_locked totalSupply')
    expect(await tryChange({ soldShare: 'team', bonusShare: settings.bonusShare })).toMatch(
      /^setting_locked soldShare/,
    )
    const swapped = settings.shares.map((share, index) =>
      index === 0 ? { ...share, percent: '14' } : index === 1 ? { ...share, percent: '11' } : share,
    )
    expect(await tryChange({ shares: swapped })).toBe('setting_locked shares')
    const renamed = settings.shares.map((share) => ({ ...share, name: { en: `${share.name.en}!`, ru: '' } }))
    expect(await tryChange({ shares: renamed })).toBe('done')
  })

  it('lets bonuses only rise and thresholds only fall [FIXED-3]', async () => {
    const { settings } = await campaign.show()
    const withLevel = (index: number, patch: object) =>
      settings.levels.map((level, at) => (at === index ? { ...level, ...patch } : level))
    expect(await tryChange({ levels: withLevel(1, { bonusPercent: '6.99' }) })).toBe(
      'setting_locked levels.1.bonusPercent',
    )
    expect(await tryChange({ levels: withLevel(1, { threshold: '201' }) })).toBe(
      'setting_locked levels.1.threshold',
    )
    expect(await tryChange({ levels: settings.levels.slice(0, -1) })).toBe('setting_locked levels.5')
    expect(await tryChange({ levels: withLevel(1, { threshold: '199', bonusPercent: '7.5' }) })).toBe('done')
    const between = {
      ...settings.levels[1],
      key: 'pewter',
      name: 'Pewter',
      threshold: '450',
      bonusPercent: '9',
      perks: [],
    }
    const added = [...withLevel(1, { threshold: '199', bonusPercent: '7.5' })]
    added.splice(2, 0, between as (typeof added)[number])
    expect(await tryChange({ levels: added })).toBe('done')
    // Whoever holds less than the first threshold has the first level's bonus, so that a new first one must not give less.
    const first = {
      ...settings.levels[0],
      key: 'tin',
      name: 'Tin',
      threshold: '10',
    } as (typeof added)[number]
    expect(await tryChange({ levels: [{ ...first, bonusPercent: '4.99' }, ...added] })).toBe(
      'setting_locked levels',
    )
    expect(await tryChange({ levels: [first, ...added] })).toBe('done')
  })

  it('keeps the seller’s name and contact [FIXED-6]', async () => {
    const { settings } = await campaign.show()
    expect(await tryChange({ seller: { ...settings.seller, contact: '' } })).toBe(
      'setting_locked seller.contact',
    )
  })

  it('moves an end once, keeps the old one beside it, and dates it in public [FIXED-4]', async () => {
    const before = (await campaign.show()).stages[0]
    const moved = await stageChange({ endsAt: inHours(24 * 45) })
    expect(moved.stages[0]).toMatchObject({ firstEndsAt: before?.endsAt, endMoved: true })
    expect(await code(stageChange({ endsAt: inHours(24 * 46) }))).toBe('setting_locked endsAt')
    expect(await code(stageChange({ name: 'Renamed' }))).toBe('done')
    expect((await campaign.history()).map((line) => line.setting)).toEqual([
      `stages.${before?.id}.name`,
      `stages.${before?.id}.endsAt`,
    ])
  })

  it('moves no end that has passed, nor adds a stage to a sale that is over [FIXED-4]', async () => {
    await database.db.query(
      statement(
        'test_end_stage',
        `update stages set starts_at = now() - interval '2 days', ends_at = now() - interval '1 day'`,
      ),
    )
    expect(await code(stageChange({ endsAt: inHours(5) }))).toBe('setting_locked endsAt')
    const late = { name: 'More', goalUsd: '10', priceUsd: '5', startsAt: inHours(1), endsAt: inHours(2) }
    expect(await code(campaign.addStage(late))).toBe('setting_locked stages')
  })

  it('refuses a new start, a past end and a price beside the main currency value [FIXED-5]', async () => {
    expect(await code(stageChange({ startsAt: inHours(1) }))).toBe('setting_locked startsAt')
    expect(await code(stageChange({ endsAt: inHours(-0.0001) }))).toBe('setting_locked endsAt')
    expect(await code(stageChange({ priceUsd: '4' }))).toBe('setting_locked priceUsd')
    const { stages, revision } = await campaign.show()
    expect(await code(campaign.removeStage(stages[0]?.id ?? 0, revision))).toBe('setting_locked stages')
  })
})

describe('the main currency value', () => {
  const RATES = statement(
    'test_rates',
    `select code, rate, revision from currencies where code in ('USDT', 'BTC', 'SHIB') order by code`,
  )
  const rates = () => database.db.query<{ code: string; rate: string; revision: number }>(RATES)

  it('rescales every rate by old / new, keeps what was ordered, and dates it [RATE-3]', async () => {
    await order('40', false, 'before')
    const before = await rates()
    expect(await campaign.setPrice({ priceUsd: '9.00' })).toEqual({ priceUsd: '9' })
    const after = await rates()
    expect(after.find((row) => row.code === 'USDT')?.rate).toBe('0.111111111111')
    expect(after.map((row) => row.revision)).toEqual(before.map((row) => row.revision + 1))
    const kept = await database.db.one<{ price_usd: string }>(
      statement('test_order_price', 'select price_usd from orders'),
    )
    expect(kept.price_usd).toBe('4.50000000')
    const { stages, priceUsd } = await campaign.show()
    expect([priceUsd, stages[0]?.priceUsd]).toEqual(['9.00000000', '9.00000000'])
    const history = await database.db.query(
      statement(
        'test_prices',
        'select price_usd, previous_usd, reason from price_changes order by id desc limit 1',
      ),
    )
    expect(history).toEqual([{ price_usd: '9.00000000', previous_usd: '4.50000000', reason: 'operator' }])
    const lines = await database.db.one<{ count: string }>(
      statement('test_rate_lines', `select count(*) from currency_rates where reason = 'price'`),
    )
    expect(Number(lines.count)).toBeGreaterThanOrEqual(14)
  })

  it('changes nothing for the same value, tells of one meanwhile, refuses a rate of 0 [RATE-3]', async () => {
    await campaign.setPrice({ priceUsd: '4.5' })
    expect((await rates())[0]?.revision).toBe(1)
    expect(await code(campaign.setPrice({ priceUsd: '5', previousUsd: '4.4' }))).toBe('conflict')
    expect(await code(campaign.setPrice({ priceUsd: '5', previousUsd: '4.50' }))).toBe('done')
  })

  it('comes to one value and one rescaling however many change it at once', async () => {
    const values = ['5', '6', '7', '8', '9', '10']
    await Promise.all(values.map((priceUsd) => campaign.setPrice({ priceUsd })))
    const { priceUsd } = await campaign.show()
    const usdt = (await rates()).find((row) => row.code === 'USDT')
    expect(Number(usdt?.rate) * Number(priceUsd)).toBeCloseTo(1, 8)
    const chain = await database.db.query<{ price_usd: string; previous_usd: string | null }>(
      statement('test_price_chain', 'select price_usd, previous_usd from price_changes order by id'),
    )
    chain.forEach((line, index) => expect(line.previous_usd).toBe(chain[index - 1]?.price_usd ?? null))
  })
})

describe('a new stage', () => {
  it('is not added to a campaign that its operator did not see [RIGHT-36]', async () => {
    const { revision, stages } = await campaign.show()
    const last = Math.max(...stages.map(({ endsAt }) => Date.parse(endsAt)))
    const at = (days: number) => new Date(last + days * 86_400_000).toISOString()
    const stage = { name: 'Later', goalUsd: '1000', priceUsd: '4.5', startsAt: at(1), endsAt: at(2) }
    await expect(campaign.addStage({ ...stage, revision: revision - 1 })).rejects.toMatchObject({
      code: 'conflict',
      details: { current: { revision } },
    })
    expect((await campaign.show()).stages).toEqual(stages)
    expect((await campaign.addStage({ ...stage, revision })).stages).toHaveLength(stages.length + 1)
  })
})

describe('pause', () => {
  it('needs a reason that everybody may read, and is dated in public [STAGE-6]', async () => {
    const pause = (en: string, previousPausedAt: string | null = null) =>
      campaign.setPaused({ paused: true, previousPausedAt, reason: { en, ru: '' } })
    expect(await code(pause(' '))).toBe('reason_required')
    const paused = await pause('Checking a wallet')
    expect(paused.pausedAt).not.toBeNull()
    expect(paused.stages[0]?.state).toBe('paused')
    // Who did not see it yet is shown it: neither the reason nor the pause is overwritten in silence.
    await expect(pause('Lunch')).rejects.toMatchObject({
      code: 'conflict',
      details: { current: { pausedAt: paused.pausedAt, pauseReason: { en: 'Checking a wallet' } } },
    })
    const resume = () => campaign.setPaused({ paused: false, previousPausedAt: paused.pausedAt })
    const resumed = await resume()
    expect(await code(resume())).toBe('conflict')
    expect(resumed).toMatchObject({ pausedAt: null, pauseReason: null, unopened: false })
    expect((await campaign.history()).map((line) => [line.setting, line.after])).toEqual([
      ['paused', null],
      ['paused', { reason: { en: 'Checking a wallet', ru: '' } }],
    ])
  })
})

describe('what a level promises', () => {
  const perk = { key: 'perk-a', text: { en: 'A vote', ru: 'Голос' } }
  const proof = 'https://example.org/vote'
  const longAgo = '2020-01-01T00:00:00.000Z'

  it('is dated by the server, whatever a form says, and again where it is written anew [LOG-24]', async () => {
    const began = Date.now()
    const typed = { ...perk, promisedFor: '2026-12-01', firstPromisedFor: '2020-01-01', keptAt: longAgo }
    expect(await givePerks(typed)).toMatchObject([
      { promisedFor: '2026-12-01', firstPromisedFor: '2026-12-01', proof: null, keptAt: null },
    ])
    const [kept] = (await givePerks({ ...typed, proof })) ?? []
    const keptAt = kept?.keptAt ?? ''
    expect(Date.parse(keptAt)).toBeGreaterThanOrEqual(began - 1000)
    // Saved again, moved among others: the same moment.
    const other = { key: 'perk-b', text: { en: 'A sticker', ru: 'Стикер' } }
    const again = await givePerks(other, { ...typed, proof, keptAt: null })
    expect(again).toMatchObject([{ keptAt: null }, { keptAt }])
    const [, rewritten] =
      (await givePerks(other, { ...typed, text: { en: 'Two votes', ru: 'Два голоса' }, proof, keptAt })) ?? []
    expect(Date.parse(rewritten?.keptAt ?? '')).toBeGreaterThan(Date.parse(keptAt))
    expect(await givePerks({ ...typed, proof: null, keptAt })).toMatchObject([{ keptAt: null }])
  })

  it('keeps the first day that was named, put off or taken away [LOG-24]', async () => {
    await givePerks({ ...perk, promisedFor: '2026-12-01' })
    expect(await givePerks({ ...perk, promisedFor: '2027-03-01', firstPromisedFor: null })).toMatchObject([
      { promisedFor: '2027-03-01', firstPromisedFor: '2026-12-01' },
    ])
    expect(await givePerks({ ...perk, promisedFor: null })).toMatchObject([
      { promisedFor: null, firstPromisedFor: '2026-12-01' },
    ])
    expect(await givePerks({ ...perk, promisedFor: '2028-01-01' })).toMatchObject([
      { firstPromisedFor: '2026-12-01' },
    ])
  })

  it.each([
    [{ link: 'http://example.org' }],
    [{ proof: 'javascript:alert(1)' }],
    [{ promisedFor: '2026-02-30' }],
    [{ promisedFor: 'soon' }],
    [{ key: 'A key' }],
  ])('is refused with %j', async (wrong) => {
    await expect(givePerks({ ...perk, ...wrong })).rejects.toBeInstanceOf(InvalidInput)
  })

  it('is refused twice under one key', async () => {
    await expect(givePerks(perk, perk)).rejects.toBeInstanceOf(InvalidInput)
  })
})

/** Settings as a campaign has them that was saved before there were these. */
const OLDER_SETTINGS = [
  'alter table campaign disable trigger campaign_loses_no_setting',
  `update campaign set settings = settings - '{referral,faq,languages,videoOrigins,sourceUrl}'::text[]
                                           #- '{retention,failedJobs}' #- '{brand,ink}'`,
  'alter table campaign enable trigger campaign_loses_no_setting',
].map((part, n) => statement(`test_older_settings_${n}`, part))

describe('a campaign that was saved by an older program', () => {
  it('reads a setting that the stored ones lack as its default, and makes no history of it', async () => {
    const { settings } = await campaign.show()
    for (const part of OLDER_SETTINGS) await database.db.query(part)
    expect((await campaign.show()).settings).toEqual(settings)
    await change({ videoOrigins: ['https://video.example'], hardCapUsd: '1900000000' })
    expect((await campaign.show()).settings).toEqual({
      ...settings,
      videoOrigins: ['https://video.example'],
      hardCapUsd: '1900000000',
    })
    expect((await campaign.history()).map(({ setting }) => setting)).toEqual(['hardCapUsd'])
  })
})
