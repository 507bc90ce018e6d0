import { assert, constantFrom, property, string } from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/database.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { buyerOfToken, peopleOf } from '../../../test/support/people.ts'
import { race } from '../../../test/support/race.ts'
import { statement } from '../../../test/support/statement.ts'
import { operatorLogin } from '../../shared/api/operators-inputs.ts'
import { sql } from '../database/database.ts'
import { seedCampaign } from '../demo/seed.ts'
import { system } from '../unit-of-work/unit-of-work.ts'
import { looksOf } from './name-look.ts'

const { db } = await createTestDatabase()
await seedCampaign(db, false)
await db.query(
  sql`update campaign set settings = settings || '{"name": "Harbour", "symbol": "HRBR", "seller": {"name": "Harbour Works Ltd"}}'`,
)
const { accounts, operators, actions } = peopleOf(db)
let serial = 0

async function buyer() {
  const email = `buyer${(serial += 1)}@example.org`
  const network = { network: '192.0.2.1', userAgent: 'Test/1.0' }
  const { session } = await accounts.register(
    { name: 'Ann', email, phone: '+10000000', password: 'gravel and violets' },
    network,
    'browser',
  )
  return buyerOfToken(accounts, session.token)
}
const call = async (nickname: string | null, who?: Awaited<ReturnType<typeof buyer>>) =>
  accounts.updateProfile(who ?? (await buyer()), { nickname })
const invite = (login: string) =>
  actions.execute(operators.actions['operator.invite'], system, { login, role: 'support' })

describe.each([
  ['Cyrillic for Latin', 'Anna Carp', 'Аnnа Саrр'],
  ['whole words of Cyrillic', 'Copec', 'Сорес'],
  ['Greek capitals', 'NIKE', 'ΝΙΚΕ'],
  ['I, l and 1', 'Ill Bill', '1lI BiII'],
  ['O and 0', 'Zorro', 'Z0rr0'],
  ['rn for m', 'Mammoth', 'Marnrnoth'],
  ['vv for w', 'Warsaw', 'VVarsaw'],
  ['two spaces', 'Moon Ito', 'Moon  Ito'],
  ['points, lines and dashes', 'Sun.Ito', 'Sun_I-t-o'],
  ['full-width letters', 'Wide', 'Ｗｉｄｅ'],
  ['letters of mathematics', 'Bold', '𝐁𝐨𝐥𝐝'],
  ['small capitals', 'Alice', 'ᴀʟɪᴄᴇ'],
  ['marks over letters', 'Jose', 'José'],
  ['a letter through which a line goes', 'Lodz', 'Łodz'],
  ['two letters in one', 'Caesar', 'Cæsar'],
  ['a Russian letter of another case', 'Иван', 'ИВАН'],
  ['a letter that is an apostrophe', 'Oneil', 'Oʼneil'],
  ['a stretched Arabic letter', 'محمد', 'محـمد'],
])('%s', (_, first, second) => {
  it('is no other nickname', async () => {
    const owner = await buyer()
    await call(first, owner)
    await expect(call(second)).rejects.toEqual(refused('nickname_taken'))
    // Whoever has the name may write it otherwise, and leaves it to others after a time.
    await call(second, owner)
    await expect(call(first)).rejects.toEqual(refused('nickname_taken'))
    await call(null, owner)
    await db.query(sql`update nicknames_given_up set given_up_at = given_up_at - interval '30 days'`)
    await call(first)
  })

  it('is no other login', async () => {
    await invite(first)
    await expect(invite(second)).rejects.toEqual(refused('login_taken'))
  })
})

test.each([
  ['Anton', 'Antony'],
  ['Иван', 'Иванов'],
  ['Лев', 'Лес'],
  ['Борис', 'Норис'],
  ['Vera', 'Nera'],
  ['Guy', 'Gyu'],
  ['Comma 4', 'Comma 40'],
  ['はな', 'はね'],
  ['が', 'か'],
  ['김', '감'],
  ['محمد', 'حمد'],
])('%s is not %s', async (one, other) => {
  const [first, second] = await looksOf(db, [one, other])
  expect(first).not.toBe(second)
})

test('letters that are never seen make no other name, wherever they stand', async () => {
  const unseen = ['\u200b', '\u200d', '\u00ad', '\u2060', '\ufeff', '\u3164', '\u202e', '\u{e0041}', '\ufe0f']
  const [plain, ...others] = await looksOf(db, [
    'Otter',
    ...unseen.map((letter) => `O${letter}tter${letter}`),
  ])
  expect(others).toEqual(unseen.map(() => plain))
})

test('a name has one key, however it is written and however often it is folded', async () => {
  const names: string[] = []
  assert(
    property(
      string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
      constantFrom('', ' ', '\u200b', '_'),
      (name, more) => {
        names.push(`${more}${name.replaceAll('\0', '')}${more}`)
      },
    ),
    { numRuns: 500 },
  )
  const keys = await looksOf(db, names)
  expect(await looksOf(db, keys)).toEqual(keys)
  // By the database's own Unicode: this program's may know letters that an older database does not.
  for (const form of ['nfc', 'nfd', 'nfkc', 'nfkd']) {
    const text = `select normalize(name, ${form}) as name from unnest($1::text[]) name`
    const written = await db.query<{ name: string }>(statement(`test_${form}`, text), [names])
    expect(
      await looksOf(
        db,
        written.map(({ name }) => name),
      ),
    ).toEqual(keys)
  }
  expect(await looksOf(db, ['ABCDEFGHIJKLMNOPQRSTUVWXYZ'])).toEqual(
    await looksOf(db, ['abcdefghijklmnopqrstuvwxyz']),
  )
  expect(await looksOf(db, ['АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ'])).toEqual(
    await looksOf(db, ['абвгдеёжзийклмнопрстуфхцчшщъыьэюя']),
  )
})

test('of ten who take names that look alike at once, one has it [BOARD-3]', async () => {
  const names = ['Racer', 'Rасer', 'Rаcеr', 'R acer', 'RACER', 'Ｒacer', 'Ra_cer', 'rácer', 'Rac.er', 'raсer']
  const callers = await Promise.all(names.map(() => buyer()))
  const results = await race(
    db,
    names.map((name, index) => () => call(name, callers[index])),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of results)
    if (result.status === 'rejected') expect(result.reason).toEqual(refused('nickname_taken'))
})

test('nobody is called like the sale, its token or its seller [BOARD-3]', async () => {
  const who = await buyer()
  for (const nickname of [
    'Harbour',
    'Наrbоur',
    'har bour',
    'HRBR',
    'hrЬr',
    'Harbour Works Ltd',
    'Harbour.Works.1td',
  ])
    await expect(call(nickname, who), nickname).rejects.toEqual(refused('nickname_taken'))
  for (const nickname of ['Harbour Fan', 'HRBR 2', 'Works']) await call(nickname, who)
  await call(null, who)
})

test.each(['\u3164\u3164', 'ow\u202ener', 'two\nlines', '\u200b\u200b'])('%j is no login', (login) => {
  expect(operatorLogin.safeParse(login).success).toBe(false)
})

test('the database itself refuses a login that looks like an older one [BOARD-3]', async () => {
  await db.query(sql`insert into operators (login, role) values ('olga.b', 'owner'), ('otto.b', 'owner')`)
  for (const login of ['о1ga.b', 'OTTO.B', '0tto b'])
    await expect(
      db.query(sql`insert into operators (login, role) values (${login}, 'owner')`),
    ).rejects.toThrow(/operators_login_(alike|unique)/)
})
