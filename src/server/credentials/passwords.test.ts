import { readdir, readFile } from 'node:fs/promises'
import { verify } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { Secrets } from '../secrets/secrets.ts'
import { checkNewPassword, judgePassword, Passwords, refuseWhenLineIsFull, takeLine } from './passwords.ts'

const KEY = 'a key of thirty-two characters!!'
const OTHER_KEY = 'another key of thirty-two letters'
const secrets = new Secrets({ keys: [KEY] })
const passwords = new Passwords({ secrets })
const cheap = new Passwords({ secrets, cost: { memoryCost: 8 * 1024, timeCost: 1, parallelism: 1 } })

test('argon2id with 19 MiB and two passes', async () => {
  const hash = await passwords.hash('a long enough secret')
  expect(secrets.decrypt('password', Buffer.from(hash, 'base64'))).toMatch(
    /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/,
  )
  expect(await passwords.verify(hash, 'a long enough secret')).toBe(true)
  expect(await passwords.verify(hash, 'a long enough secreT')).toBe(false)
})

test('the same text composed differently is the same password', async () => {
  const hash = await passwords.hash('caf\u00e9 au lait 1')
  expect(await passwords.verify(hash, 'cafe\u0301 au lait 1')).toBe(true)
})

test('nobody has no password, not even the dummy', async () => {
  expect(await passwords.verify(null, 'nobody has this password')).toBe(false)
  expect(await passwords.verify(undefined, 'nobody has this password')).toBe(false)
})

test('every letter of the longest password counts, whatever its script', async () => {
  const long = 'п'.repeat(127)
  const hash = await cheap.hash(`${long}a`)
  expect(await cheap.verify(hash, `${long}a`)).toBe(true)
  for (const other of [`${long}b`, long]) expect(await cheap.verify(hash, other)).toBe(false)
})

test('a stolen table verifies no password without the server’s key [RIGHT-14]', async () => {
  const stored = await passwords.hash('a long enough secret')
  expect(stored).not.toContain('$')
  await expect(verify(stored, 'a long enough secret')).rejects.toThrow()
  const thief = new Passwords({ secrets: new Secrets({ keys: [OTHER_KEY] }) })
  expect(await thief.verify(stored, 'a long enough secret')).toBe(false)
  const rotated = new Passwords({ secrets: new Secrets({ keys: [OTHER_KEY, KEY] }) })
  expect(await rotated.verify(stored, 'a long enough secret')).toBe(true)
})

test('a hash that is cheaper than today’s, unsealed or under an older key is renewed, any other stays [RIGHT-14]', async () => {
  const password = 'a long enough secret'
  const argonOf = (sealed = '') => secrets.decrypt('password', Buffer.from(sealed, 'base64'))
  const weak = await cheap.hash(password)
  expect(argonOf(await passwords.renewed(weak, password))).toContain('m=19456,t=2,')
  const today = await passwords.hash(password)
  expect(await passwords.renewed(today, password)).toBeUndefined()
  expect(await cheap.renewed(today, password)).toBeUndefined()
  expect(argonOf(await passwords.renewed(argonOf(today), password))).toBe(argonOf(today))
  const rotated = new Secrets({ keys: [OTHER_KEY, KEY] })
  const moved = await new Passwords({ secrets: rotated }).renewed(today, password)
  expect(rotated.decrypt('password', Buffer.from(moved ?? '', 'base64'))).toBe(argonOf(today))
  expect(moved?.slice(0, 8)).toBe(rotated.heads()[0])
})

test.each([
  'password123',
  'P@ssw0rd2024!',
  'PASSWORD!!!!',
  'Qwertyuiop',
  'qwertyuiop123',
  '1234567890',
  '0987654321',
  'aaaaaaaaaaaa',
  'abcabcabcabc',
  'abcdefghijkl',
  '1q2w3e4r5t',
  'iloveyou!!!1',
  'пароль123456',
  'йцукенгшщз',
  'Welcome2026!',
  'passwordpassword',
  'dogecoin2026',
  // Leaked, or what a leaked one soon leads to.
  'michaeljordan23',
  'liverpool1892',
  'trustno1trustno1',
  '1q2w3e4r5t6y',
  'iloveyou1234',
])('%s is too common', async (password) => {
  await expect(checkNewPassword(password)).rejects.toMatchObject({ code: 'password_too_common' })
})

test.each([
  'correct staple horse',
  'plum-otter-92',
  'Xk29vbQw!z',
  'мой кот спит днём',
  'gravel and violets',
  'kT8#mmzPq1w',
])('%s is taken', async (password) => {
  await expect(checkNewPassword(password)).resolves.toBeUndefined()
})

test('only the beginning of a long password is judged, because judging takes longer the more there is', async () => {
  await expect(checkNewPassword('4@8({[</369&#!17%0$5+2'.repeat(6).slice(0, 128))).resolves.toBeUndefined()
  await expect(checkNewPassword(`gravel and violets asleep${'a'.repeat(100)}`)).resolves.toBeUndefined()
})

test('the own address is no password', async () => {
  const hints = ['ekaterinburg@example.org']
  await expect(checkNewPassword('ekaterinburg77', hints)).rejects.toMatchObject({
    code: 'password_too_common',
  })
  await expect(checkNewPassword('some other thing', hints)).resolves.toBeUndefined()
})

test.each([
  ['password123!', 'common'],
  ['trustno1trustno1', 'common'],
  ['ann.lee-wins', 'personal'],
  ['abcdefghijkl', 'sequence'],
  ['aaaaaaaaaaaa', 'repeat'],
  ['kT8#mmzPq1wX', null],
] as const)('%s is judged with its reason: %s', async (password, why) => {
  const judged = await judgePassword(password, ['ann.lee@example.org'])
  expect(judged.why).toBe(why)
  expect(judged.strength >= 3).toBe(why === null)
})

test('what is judged weak is refused, what is judged strong is taken, whatever the password [RIGHT-32]', async () => {
  const samples = [
    'michaeljordan23',
    'elizabethtaylor',
    'wonderful world',
    '19840612 1984',
    'zaq12wsxcde34',
    'plum-otter-92',
  ]
  for (const sample of samples) {
    const { why } = await judgePassword(sample)
    const taken = await checkNewPassword(sample).then(
      () => true,
      () => false,
    )
    expect([sample, taken]).toEqual([sample, why === null])
  }
})

test('beyond so many that wait a check is refused by the name of its queue, and the rest are done [RIGHT-25]', async () => {
  const refused = { code: 'unavailable', details: { limit: 'password_queue', retryAfterSeconds: 2 } }
  const stored = await cheap.hash('a long enough secret')
  const answers = await Promise.allSettled(Array.from({ length: 210 }, () => cheap.verify(stored, 'y')))
  const failures = answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => reason)
  expect(failures.filter(({ code }) => code === 'unavailable').length).toBeGreaterThan(0)
  expect(failures.find(({ code }) => code === 'unavailable')).toMatchObject(refused)
  expect(await passwords.verify(stored, 'a long enough secret')).toBe(true)
})

test('an operator and a login are let through while 200 hashes of signed-in people wait, and one more of those is refused [RIGHT-25]', async () => {
  const stored = await cheap.hash('a long enough secret')
  const done: string[] = []
  const check = (lane: 'operator' | 'login' | 'account') =>
    cheap.verify(stored, 'a long enough secret', lane).then(
      () => done.push(lane),
      ({ code }) => done.push(`${lane} ${code}`),
    )
  const flood = Array.from({ length: 210 }, () => check('account'))
  await Promise.all([...flood, check('operator'), check('login')])
  expect(done).toContain('account unavailable')
  const served = done.filter((one) => !one.endsWith('unavailable'))
  expect(served.indexOf('operator')).toBeLessThan(12)
  expect(served.indexOf('login')).toBeLessThan(12)
})

test('of strangers who come faster than passwords are checked so many are let in and the rest refused before anything is done [RIGHT-25]', async () => {
  let begun = 0
  let letGo = () => {}
  const gate = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const comers = Array.from({ length: 250 }, () =>
    takeLine('user', async () => {
      begun += 1
      await gate
    }),
  )
  const outcomes = Promise.allSettled(comers)
  await Promise.resolve()
  const atOnce = begun
  expect(atOnce).toBeGreaterThan(0)
  expect(atOnce).toBeLessThan(10)
  expect(() => refuseWhenLineIsFull('user')).toThrow(expect.objectContaining({ code: 'unavailable' }))
  letGo()
  const refused = (await outcomes).filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(50 - atOnce)
  expect(refused[0]).toMatchObject({ reason: { code: 'unavailable', details: { limit: 'password_queue' } } })
  expect(() => refuseWhenLineIsFull('user')).not.toThrow()
  await expect(takeLine('user', async () => 'in')).resolves.toBe('in')
})

test('a password of signs costs no more than a few of letters to be judged', async () => {
  /** Milliseconds of the processor for five judgements, the least of three times. */
  const costOf = async (password: string) => {
    const each: number[] = []
    for (let time = 0; time < 3; time += 1) {
      const before = process.cpuUsage()
      for (let nth = 0; nth < 5; nth += 1) await judgePassword(`${password}${nth}`)
      const { user, system } = process.cpuUsage(before)
      each.push((user + system) / 1_000)
    }
    return Math.min(...each)
  }
  await costOf('the dictionaries are loaded')
  const [letters, signs] = [await costOf('gravel-and-violets-77'), await costOf('4@8({[<369&#!1|0$5+7%2')]
  expect(signs).toBeLessThan(letters * 4 + 30)
})

test('the thread that judges passwords gives way to those that answer and hash', async () => {
  await judgePassword('the dictionaries are loaded')
  const threads = await readdir('/proc/self/task')
  // Threads end between the two looks.
  const stats = await Promise.all(
    threads.map((id) => readFile(`/proc/self/task/${id}/stat`, 'utf8').catch(() => '')),
  )
  const niceOf = (stat: string) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  expect(stats.map(niceOf).filter((nice) => nice > 0).length).toBe(1)
})

test('fifty at once all get their turn', async () => {
  const hash = await passwords.hash('a long enough secret')
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      passwords.verify(hash, index % 2 ? 'a long enough secret' : 'x'),
    ),
  )
  expect(answers.filter(Boolean)).toHaveLength(25)
})
