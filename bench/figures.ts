import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Proxy, startNginx as startProxy } from '../test/support/proxies.ts'
import { freePort, stopProcess } from './machine.ts'
import { median, type Row, shown } from './rows.ts'
import { manyOrders, smallShop } from './shops.ts'
import type { Stage } from './stage.ts'
import { wrk } from './wrk.ts'

const PATH = '/api/v1/campaign'

/** Figures against nginx serving a file of the same size, with and without cache, at many and few orders. */
export async function measure(stage: Stage): Promise<Row[]> {
  const rounds = stage.quick ? 2 : 5
  const seconds = stage.quick ? 2 : 5
  const few = await stage.server(await smallShop(stage))
  const many = await stage.server(await manyOrders(stage))
  const body = Buffer.from(await (await fetch(few.url + PATH)).arrayBuffer())
  const nginx = await startNginx(stage.folder, body)
  const proxy = await proxyWithFile(stage, few.url, body)
  const results = { nginx: [], few: [], many: [], cached: [], own: [] } as Record<Side, number[]>
  try {
    for (let round = 1; round <= rounds; round += 1) {
      for (const [name, url] of [
        ['nginx', `${nginx.url}/file.json`],
        ['few', few.url + PATH],
        ['many', many.url + PATH],
        ['cached', `https://127.0.0.1:${proxy.port}${PATH}`],
        ['own', `https://127.0.0.1:${proxy.port}/own/file.json`],
      ] as const) {
        const result = await wrk({ url, connections: 32, seconds })
        if (result.failures > 0) throw new Error(`${result.failures} failures of ${name}`)
        results[name].push(result.perSecond)
        console.log(`  ${name}: ${shown(result.perSecond, 0)}/s`)
      }
    }
  } finally {
    await Promise.all([nginx.stop(), proxy.stop(), few.stop(), many.stop()])
  }
  const against = (a: number[], b: number[]) => a.map((value, index) => value / (b[index] as number))
  const file = against(results.few, results.nginx)
  const size = against(results.many, results.few)
  const cached = against(results.cached, results.own)
  return [
    {
      what: 'public figures as JSON ÷ nginx serving a file of the same size, 32 connections',
      target: '≥ 0.5',
      measured: shown(median(file)),
      passed: median(file) >= 0.5,
      runs: rounds,
      values: file,
      notes: `${shown(median(results.few), 0)} against ${shown(median(results.nginx), 0)} a second, ${body.length} bytes, neither compressed`,
    },
    {
      what: 'public figures behind nginx’s cache (deploy/proxy) ÷ its own file of the same size, 32 connections',
      target: '≥ 0.9',
      measured: shown(median(cached)),
      passed: median(cached) >= 0.9,
      runs: rounds,
      values: cached,
      notes: `${shown(median(results.cached), 0)} against ${shown(median(results.own), 0)} a second, both by TLS`,
    },
    {
      what: 'public figures at 1,000,000 orders ÷ at 1,000',
      target: '≥ 0.9',
      measured: shown(median(size)),
      passed: median(size) >= 0.9,
      runs: rounds,
      values: size,
      notes: `${shown(median(results.many), 0)} against ${shown(median(results.few), 0)} a second${stage.quick ? '; 100,000 orders' : ''}`,
    },
  ]
}

type Side = 'nginx' | 'few' | 'many' | 'cached' | 'own'

function proxyWithFile({ folder }: Stage, url: string, body: Buffer): Promise<Proxy> {
  const files = join(folder, 'proxy-files')
  mkdirSync(files, { recursive: true })
  writeFileSync(join(files, 'file.json'), body)
  return startProxy(join(folder, 'proxy'), Number(new URL(url).port), files)
}

async function startNginx(folder: string, body: Buffer) {
  const port = await freePort()
  const base = join(folder, 'nginx')
  mkdirSync(join(base, 'root'), { recursive: true })
  writeFileSync(join(base, 'root', 'file.json'), body)
  writeFileSync(
    join(base, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${base}/pid; error_log ${base}/error.log; user root;
     events { worker_connections 1024; }
     http {
       access_log off; sendfile on; tcp_nodelay on; keepalive_requests 100000000; default_type application/json;
       client_body_temp_path ${base}/a; proxy_temp_path ${base}/b; fastcgi_temp_path ${base}/c; uwsgi_temp_path ${base}/d; scgi_temp_path ${base}/e;
       open_file_cache max=10;
       server { listen 127.0.0.1:${port}; root ${base}/root; }
     }`,
  )
  const child = spawn('nginx', ['-p', base, '-c', join(base, 'nginx.conf')], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const isUp = await fetch(`${url}/file.json`).then(
      (reply) => reply.arrayBuffer().then(() => reply.ok),
      () => false,
    )
    if (isUp) return { url, stop: () => stopProcess(child) }
    await delay(50)
  }
  throw new Error('nginx did not start')
}
