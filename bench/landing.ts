import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Browser, chromium } from '@playwright/test'
import sharp from 'sharp'
import { paths } from '../src/client/paths.ts'
import type { GiveawayDraft, OperatorGiveaway } from '../src/shared/api/giveaways.ts'
import { bytesOf, loadOf } from '../test/support/scripts.ts'
import { addOperator, tokenOf } from './fill.ts'
import { root, run } from './machine.ts'
import { median, type Row, shown } from './rows.ts'
import { smallShop } from './shops.ts'
import type { Stage } from './stage.ts'

const CHROMIUM = '/usr/bin/chromium'
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const KB = 1000
/** Lighthouse's error for a trace without the navigation. */
const NO_TRACE = 'NO_NAVSTART'

/** Measures Lighthouse's scores, and the scripts that a browser loads. */
export async function measure(stage: Stage): Promise<Row[]> {
  const shop = await smallShop(stage)
  const server = await stage.server(shop)
  try {
    const rows = [
      ...(await sizes(server.url)),
      ...(await lighthouse(stage, server.url)),
      ...(await paints(stage, server.url)),
    ]
    await openGiveaway(server.url, await addOperator(shop.client, 'content'))
    await expectGiveaway(server.url)
    return [...rows, ...(await lighthouse(stage, server.url, 'landing page with a live giveaway'))]
  } finally {
    await server.stop()
  }
}

/** As an operator would; it opens at once. */
async function openGiveaway(url: string, token: string): Promise<void> {
  const send = async <Answer>(method: string, path: string, type: string, body: string | Blob) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type }
    const answer = await fetch(`${url}/api/v1${path}`, { method, headers, body })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Answer
  }
  const picture = await sharp({ create: { width: 1280, height: 720, channels: 3, background: '#ff4f9a' } })
    .composite([
      {
        input: Buffer.from(
          '<svg width="720" height="720"><circle cx="360" cy="360" r="300" fill="#1f1147"/></svg>',
        ),
      },
    ])
    .jpeg()
    .toBuffer()
  const { name } = await send<{ name: string }>(
    'POST',
    '/operator/uploads',
    'image/jpeg',
    new Blob([new Uint8Array(picture)]),
  )
  const texts = (en: string, ru: string) => ({ en, ru })
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const draft: GiveawayDraft = {
    title: texts('Win a red bicycle', 'Выиграйте красный велосипед'),
    sponsor: 'Example Ltd',
    contact: 'prizes@example.org',
    prizes: [
      {
        name: texts('A red bicycle', 'Красный велосипед'),
        valueUsd: '500',
        count: 1,
        image: { name, alt: texts('A bicycle', 'Велосипед') },
      },
    ],
    declaresImageRights: true,
    rulesText: texts('One entry a person.', 'Одна заявка на человека.'),
    privacyText: texts('Kept until the prize is handed over.', 'Хранится до вручения приза.'),
    countries: ['DE', 'FR'],
    minimumAge: 18,
    opensAt: inDays(0),
    closesAt: inDays(10),
    alternates: 2,
    confirmDays: 3,
    handOverDays: 30,
    drawHours: 2,
  }
  const { id, revision } = await send<OperatorGiveaway>(
    'POST',
    '/operator/giveaways',
    'application/json',
    JSON.stringify(draft),
  )
  await send(
    'POST',
    `/operator/giveaways/${id}/publication`,
    'application/json',
    JSON.stringify({ revision }),
  )
}

/** Throws unless the page shows giveaway and picture. */
async function expectGiveaway(url: string): Promise<void> {
  const html = await (await fetch(url)).text()
  const [section = ''] = /<section id="main-prize"[\s\S]*?<\/section>/.exec(html) ?? []
  if (!/<img[^>]+src="\/uploads\//.test(section)) throw new Error('The landing page shows no live giveaway.')
}

async function sizes(url: string): Promise<Row[]> {
  const html = await (await fetch(url)).text()
  const styles = await Promise.all(
    [...html.matchAll(/<link[^>]+rel="stylesheet"[^>]+href="([^"]+)"/g)].map(async ([, href]) =>
      (await fetch(new URL(href as string, url))).text(),
    ),
  )
  const page = [html, ...styles].reduce((sum, text) => sum + gzipSync(text).length, 0) / KB
  const blocking = [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)]
    .filter(
      ([, attributes = '']) => !/type="(module|application\/(ld\+)?json)"|\b(async|defer)\b/.test(attributes),
    )
    .map(([, attributes, text]) => (attributes?.includes('src=') ? Number.NaN : gzipSync(text ?? '').length))
  const before = blocking.reduce((sum, bytes) => sum + bytes, 0)

  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
  try {
    const landing = await scriptsFor(browser, url, '/')
    const buyer = []
    for (const path of Object.values(paths)) {
      if (typeof path !== 'string' || !path.startsWith(paths.dashboard)) continue
      buyer.push(await scriptsFor(browser, url, path, tokenOf(1)))
    }
    const heaviest = buyer.reduce((most, one) => (one.total > most.total ? one : most))
    return [
      row('landing page: HTML and CSS, gzip', 24, page),
      {
        what: 'landing page: script before the page can be read',
        target: '0',
        measured: `${before} B`,
        passed: before === 0,
        runs: 1,
        notes: blocking.length > 0 ? `${blocking.length} inline or blocking script` : '',
      },
      row('landing page: all script, gzip', 75, landing.total, `scrolled to its end; ${landing.largest}`),
      row(
        'buyer’s area: script for the first page, gzip',
        200,
        heaviest.total,
        `the heaviest of ${buyer.length} pages of a signed-in buyer: ${heaviest.path}; ${heaviest.largest}`,
      ),
    ]
  } finally {
    await browser.close()
  }
}

/** The scripts that a phone loads on a first visit. */
async function scriptsFor(browser: Browser, url: string, path: string, token?: string) {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } })
  if (token) await context.addCookies([{ name: 'session', value: token, url }])
  const { scripts } = await loadOf(context, url + path)
  await context.close()
  return {
    path,
    total: bytesOf(scripts) / KB,
    largest: `${scripts.length} files, largest: ${scripts
      .slice(0, 5)
      .map(({ name, bytes }) => `${name} ${shown(bytes / KB, 1)}`)
      .join(', ')}`,
  }
}

const row = (what: string, target: number, measured: number, notes?: string): Row => ({
  what,
  target: `≤ ${target} kB`,
  measured: `${shown(measured, 1)} kB`,
  passed: measured <= target,
  runs: 1,
  notes,
})

interface Report {
  /** True if the run was repeated. */
  again?: boolean
  categories: Record<string, { score: number | null }>
  audits: Record<string, { numericValue?: number; score: number | null; title: string }>
}

/** Mobile, several times. `token` signs a buyer in. */
async function reportsOf(
  stage: Stage,
  url: string,
  categories: readonly string[],
  token?: string,
): Promise<Report[]> {
  const runs = stage.quick ? 1 : 3
  const reports: Report[] = []
  for (let turn = 1; turn <= runs; turn += 1) {
    const file = join(stage.folder, 'lighthouse.json')
    const ask = () =>
      run(
        process.execPath,
        [
          join(root, 'node_modules/lighthouse/cli/index.js'),
          url,
          '--quiet',
          '--output=json',
          `--output-path=${file}`,
          `--only-categories=${categories.join(',')}`,
          `--chrome-flags=--headless=new ${FLAGS.join(' ')}`,
          ...(token ? [`--extra-headers=${JSON.stringify({ cookie: `session=${token}` })}`] : []),
        ],
        { CHROME_PATH: CHROMIUM },
      )
    const first = await ask()
    // The run measured nothing, so a repeat does not select results.
    const again = first.out.includes(NO_TRACE)
    if (again) console.log(`  ${url}: ${NO_TRACE} from Lighthouse, asked again once`)
    const { out, status } = again ? await ask() : first
    if (status !== 0) throw new Error(`Lighthouse failed: ${out}`)
    reports.push({ ...(JSON.parse(readFileSync(file, 'utf8')) as Report), again })
  }
  return reports
}

/** Notes repeated runs of Lighthouse. */
function repeatsOf(reports: readonly Report[]): string {
  const repeats = reports.filter(({ again }) => again).length
  return repeats > 0 ? `asked again after ${NO_TRACE}: ${repeats}` : ''
}

const medianOf = (reports: readonly Report[], audit: string) =>
  median(reports.map((report) => report.audits[audit]?.numericValue ?? Number.NaN))

/** All paints as one row. */
async function paints(stage: Stage, url: string): Promise<Row[]> {
  const pages = [
    paths.login,
    paths.register,
    paths.dashboard,
    paths.buy,
    paths.status,
    paths.tokenHub,
    paths.updates,
    paths.transparency,
    '/reserves',
    '/operator',
  ]
  const measured = []
  for (const path of pages) {
    const token = path.startsWith(paths.dashboard) ? tokenOf(1) : undefined
    const reports = await reportsOf(stage, url + path, ['performance'], token)
    const first = medianOf(reports, 'first-contentful-paint') / 1000
    const largest = medianOf(reports, 'largest-contentful-paint') / 1000
    const shift = medianOf(reports, 'cumulative-layout-shift')
    const figures = `${path} ${shown(first)} s / ${shown(largest)} s / ${shown(shift, 3)}`
    console.log(figures)
    const passed = first <= 1 && largest <= 2 && shift <= 0.02
    measured.push({ reports, first, largest, shift, figures, passed })
  }
  const range = (values: readonly number[], digits = 2) =>
    `${shown(Math.min(...values), digits)} to ${shown(Math.max(...values), digits)}`
  const missed = measured.filter(({ passed }) => !passed)
  return [
    {
      what: `${pages.join(', ')}: first paint / largest paint / layout shift`,
      target: 'each ≤ 1.0 s / ≤ 2.0 s / ≤ 0.02',
      measured: [
        `${range(measured.map(({ first }) => first))} s`,
        `${range(measured.map(({ largest }) => largest))} s`,
        range(
          measured.map(({ shift }) => shift),
          3,
        ),
      ].join(' / '),
      passed: missed.length === 0,
      runs: measured[0]?.reports.length ?? 0,
      notes: [...missed.map(({ figures }) => figures), repeatsOf(measured.flatMap(({ reports }) => reports))]
        .filter(Boolean)
        .join('; '),
    },
  ]
}

async function lighthouse(stage: Stage, url: string, page = 'landing page'): Promise<Row[]> {
  const reports = await reportsOf(stage, url, CATEGORIES)
  const runs = reports.length
  const scores = CATEGORIES.map((name) => ({
    name,
    score: median(reports.map((report) => (report.categories[name]?.score ?? 0) * 100)),
  }))
  const audit = (name: string) => medianOf(reports, name)
  const paint = audit('largest-contentful-paint') / 1000
  const shift = audit('cumulative-layout-shift')
  const failing = Object.values(reports[0]?.audits ?? {})
    .filter(({ score }) => score !== null && score < 0.5)
    .map(({ title }) => title)
  return [
    {
      what: `${page}: Lighthouse mobile, lowest of the four categories`,
      target: '≥ 99',
      measured: shown(Math.min(...scores.map(({ score }) => score)), 0),
      passed: scores.every(({ score }) => score >= 99),
      runs,
      notes: [
        scores.map(({ name, score }) => `${name} ${shown(score, 0)}`).join(', '),
        failing.slice(0, 5).join(', '),
        repeatsOf(reports),
      ]
        .filter(Boolean)
        .join('; '),
    },
    {
      what: `${page}: largest paint`,
      target: '≤ 1.2 s',
      measured: `${shown(paint)} s`,
      passed: paint <= 1.2,
      runs,
    },
    {
      what: `${page}: layout shift`,
      target: '≤ 0.01',
      measured: shown(shift, 3),
      passed: shift <= 0.01,
      runs,
    },
  ]
}
