import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/database.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { limitsOf } from '../../../test/support/people.ts'
import { race } from '../../../test/support/race.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { sql } from '../database/database.ts'
import { seedCampaign } from '../demo/seed.ts'
import { Mailer } from '../mail/mail.ts'
import type { Mail } from '../mail/mail-kinds.ts'
import { Retention } from '../retention/retention.ts'
import { Followers } from './followers.ts'

const { db } = await createTestDatabase()
await seedCampaign(db, false)
const publicUrl = 'https://sale.example.org'

/** What a mail server took, and what it does with the next mails: takes them, refuses them, or hangs up without a word. */
const sink = { taken: [] as { to: string; raw: string }[], next: [] as ('refuse' | 'hang up')[] }
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, session, done) {
    const parts: Buffer[] = []
    stream.on('data', (part: Buffer) => parts.push(part))
    stream.on('end', () => {
      const what = sink.next.shift()
      if (what === 'refuse') return done(Object.assign(new Error('later'), { responseCode: 451 }))
      const to = session.envelope.rcptTo[0]?.address ?? ''
      sink.taken.push({ to, raw: Buffer.concat(parts).toString('utf8') })
      if (what === 'hang up')
        return smtp.connections.forEach((connection: { close(): void }) => connection.close())
      done()
    })
  },
})
await new Promise<void>((listening) => smtp.listen(0, '127.0.0.1', listening))
const { port } = smtp.server.address() as AddressInfo
const mailerBy = (at: number) =>
  new Mailer({
    database: db,
    secrets: testSecrets,
    mail: { kind: 'smtp', url: `smtp://127.0.0.1:${at}`, from: 'news@example.org', mayBePlain: true },
    publicUrl,
    log: { info: () => {} },
  })
const mailer = mailerBy(port)
afterAll(async () => {
  mailer.close()
  await new Promise<void>((closed) => smtp.close(closed))
})

const mails: Mail[] = []
const followers = new Followers({
  db,
  limits: limitsOf(db, true),
  publicUrl,
  sendMail: async (_tx, mail) => {
    mails.push(mail)
  },
})
const tokenOf = (mail: Mail | undefined) =>
  mail && 'link' in mail ? (mail.link.split('/').at(-1) ?? '') : ''
let people = 0
/** Somebody who confirmed so many minutes ago. */
async function follower(language: 'en' | 'ru' = 'en', minutesAgo = 60): Promise<string> {
  people += 1
  const email = `Follower${people}@example.org`
  await followers.ask(email, language, `network ${people}`)
  await followers.confirm(tokenOf(mails.at(-1)))
  await db.query(
    sql`update followers set confirmed_at = now() - make_interval(mins => ${minutesAgo}) where email = ${email}`,
  )
  return email
}
const announce = async (minutesAgo: number) =>
  (
    await db.one<{ id: string }>(
      sql`insert into announcements (title, body, published_at)
          values ('{"en": "News <b>", "ru": "Новости"}', '{"en": "Read **it**.", "ru": ""}', now() - make_interval(mins => ${minutesAgo}))
          returning id`,
    )
  ).id
interface Job {
  id: string
  payload: { announcementId: number; followerId: number }
}
const jobs = () =>
  db.query<Job>(
    sql`select j.id::text, j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
         where t.identifier = 'announcement_mail' order by j.id`,
  )
const send = ({ id, payload }: Job) => mailer.tasks.announcement_mail(payload, { id })
const switchTo = (on: boolean) =>
  db.query(sql`update campaign set settings = jsonb_set(settings, '{followers}', to_jsonb(${on}::boolean))`)

beforeEach(async () => {
  await switchTo(true)
  await db.query(sql`delete from followers`)
  await db.query(sql`delete from announcements`)
  await db.query(sql`delete from graphile_worker._private_jobs`)
  mails.length = 0
  sink.taken.length = 0
  sink.next.length = 0
})

describe('following by mail', () => {
  test('begins only once the address is confirmed, by a link that says nothing twice [TEXT-9]', async () => {
    await followers.ask(' New@Example.org ', 'ru', 'a')
    expect(mails).toMatchObject([{ kind: 'follow_confirm', to: 'New@Example.org', language: 'ru' }])
    expect(tokenOf(mails[0]).length).toBeGreaterThan(30)
    expect(JSON.stringify(await db.query(sql`select * from followers`))).not.toContain(tokenOf(mails[0]))
    // Asked again at once, whoever reads the mail still has one link, and it works.
    await followers.ask('new@example.org', 'en', 'a')
    expect(mails).toHaveLength(1)
    expect(await followers.count()).toEqual({ isOn: true, confirmed: 0, waiting: 1 })
    expect(await followers.isAsked(tokenOf(mails[0]))).toBe(true)
    await followers.confirm(tokenOf(mails[0]))
    await followers.confirm(tokenOf(mails[0]))
    expect(await followers.count()).toEqual({ isOn: true, confirmed: 1, waiting: 0 })
    // Whoever asks for an address that follows learns nothing, and its owner gets no mail.
    await followers.ask('NEW@example.org', 'en', 'b')
    expect(mails).toHaveLength(1)
  })

  test('can’t be asked for a stranger’s mailbox over and over by other names of it [TEXT-6]', async () => {
    const asked = ['victim@gmail.com', 'v.ictim@gmail.com', 'victim+a@gmail.com', 'Vic.tim+b@googlemail.com']
    for (const [place, address] of asked.slice(0, 3).entries())
      await followers.ask(address, 'en', `bot ${place}`)
    await expect(followers.ask(asked[3] ?? '', 'en', 'bot 3')).rejects.toEqual(refused('too_many_requests'))
    expect(mails).toHaveLength(3)
  })

  test('is refused while it is switched off, without an address, too often, and by a link that ran out [TEXT-9]', async () => {
    await expect(followers.ask('nobody', 'en', 'c')).rejects.toEqual(refused('follow_address'))
    await followers.ask('once@example.org', 'en', 'c')
    for (const _ of [2, 3]) await followers.ask('once@example.org', 'en', 'c')
    await expect(followers.ask('Once@example.org', 'en', 'd')).rejects.toMatchObject({
      code: 'too_many_requests',
    })
    await db.query(sql`update followers set asked_at = now() - interval '8 days'`)
    await expect(followers.confirm(tokenOf(mails[0]))).rejects.toEqual(refused('link_expired'))
    await expect(followers.confirm('another')).rejects.toEqual(refused('link_expired'))
    expect(await followers.isAsked(tokenOf(mails[0]))).toBe(false)
    await switchTo(false)
    await expect(followers.ask('later@example.org', 'en', 'e')).rejects.toEqual(refused('followers_off'))
    const [run] = (await new Retention({ db }).run(), await db.query(sql`select email from followers`))
    expect(run).toBeUndefined()
  })

  test('gives one mail for each announcement, however many processes tell of it at once [TEXT-10]', async () => {
    const [ann, boris] = [await follower(), await follower('ru')]
    await followers.ask('waiting@example.org', 'en', 'f')
    const late = await follower('en', 1)
    await announce(10)
    await announce(2)
    await announce(60 * 49)
    await race(
      db,
      Array.from({ length: 6 }, () => () => followers.tell()),
    )
    const added = await jobs()
    expect(added).toHaveLength(2)
    await race(
      db,
      [...added, ...added, ...added].map((job) => () => send(job)),
    )
    expect(sink.taken.map(({ to }) => to).toSorted()).toEqual([ann, boris].toSorted())
    expect(sink.taken.map(({ to }) => to)).not.toContain(late)
    // An announcement that is changed, or dated anew, is not told again.
    await db.query(
      sql`update announcements set edited_at = now(), published_at = published_at + interval '1 minute'`,
    )
    await followers.tell()
    expect(await jobs()).toHaveLength(2)
  })

  test('each mail has one click out of it, which works without asking back [TEXT-11]', async () => {
    await follower('ru')
    const id = await announce(10)
    await followers.tell()
    const [job] = await jobs()
    await send(job as Job)
    const raw = (sink.taken[0]?.raw ?? '').replaceAll('=\r\n', '').replaceAll('\r\n ', ' ')
    const link =
      /^List-Unsubscribe: <(https:\/\/sale\.example\.org\/ru\/updates\/leave\/[\w-]{22})>\r?$/m.exec(raw)?.[1]
    expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
    expect(raw).toContain(`${publicUrl}/ru/updates/${id}`)
    expect(raw.split(link ?? '?').length).toBeGreaterThan(2)
    const key = link?.split('/').at(-1) ?? ''
    await followers.leave('another')
    expect((await followers.count()).confirmed).toBe(1)
    await switchTo(false)
    await followers.leave(key)
    await followers.leave(key)
    expect(await followers.count()).toEqual({ isOn: false, confirmed: 0, waiting: 0 })
  })

  test('whoever left, and whatever was withdrawn, after the mail was added gets none [TEXT-11]', async () => {
    const email = await follower()
    await follower()
    await announce(10)
    await followers.tell()
    const [first, second] = (await jobs()) as [Job, Job]
    await db.query(sql`delete from followers where email = ${email}`)
    await send(first)
    await db.query(sql`update announcements set published_at = null`)
    await send(second)
    await db.query(sql`update announcements set published_at = now() - interval '10 minutes'`)
    await switchTo(false)
    await send(second)
    expect(sink.taken).toEqual([])
    await switchTo(true)
    await send(second)
    expect(sink.taken).toHaveLength(1)
  })

  test('what a server refused is tried again; what it may have taken is not [TEXT-10]', async () => {
    await follower()
    await announce(10)
    await followers.tell()
    const [job] = (await jobs()) as [Job]
    const unreached = mailerBy(1)
    await expect(unreached.tasks.announcement_mail(job.payload, { id: job.id })).rejects.toThrow()
    unreached.close()
    sink.next.push('refuse', 'hang up')
    await expect(send(job)).rejects.toThrow('later')
    expect(sink.taken).toHaveLength(0)
    await send(job)
    await send(job)
    expect(sink.taken).toHaveLength(1)
    expect(await db.query(sql`select state from mail_deliveries where id = ${job.id}`)).toEqual([
      { state: 'given_up' },
    ])
  })
})
