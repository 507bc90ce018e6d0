import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2'
import { connect as connectSocket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { freePort } from './database-server.ts'
import { patienceMs } from './patience.ts'
import { tlsCertificate, tlsKey, tlsName } from './tls.ts'

// Proxies of deploy/proxy before a local server, with another name, ports and certificate.

const handedOut = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../deploy/proxy/${name}`, import.meta.url)), 'utf8')
const NAME = 'presale.example.org'

export interface Proxy {
  readonly port: number
  /** The cache folder of nginx. */
  readonly cache?: string
  stop(): Promise<void>
}

/** Throws for a place that is missing. */
function filledIn(text: string, places: readonly (readonly [from: string, to: string])[]): string {
  return places.reduce((filled, [from, to]) => {
    if (!filled.includes(from)) throw new Error(`deploy/proxy has no ${from}`)
    return filled.replaceAll(from, to)
  }, text)
}

/** Starts with the shipped configuration, before a server on `port`; `files` is a folder of static files. */
export async function startNginx(folder: string, port: number, files = folder): Promise<Proxy> {
  const [secure, plain] = [await freePort(), await freePort()]
  const base = join(folder, 'nginx')
  const cache = join(base, 'cache')
  mkdirSync(cache, { recursive: true })
  writeCertificate(base)
  const site = filledIn(handedOut('nginx.conf'), [
    [`/etc/letsencrypt/live/${NAME}/fullchain.pem`, join(base, 'certificate.pem')],
    [`/etc/letsencrypt/live/${NAME}/privkey.pem`, join(base, 'key.pem')],
    [NAME, tlsName],
    ['127.0.0.1:3000', `127.0.0.1:${port}`],
    ['listen 443', `listen 127.0.0.1:${secure}`],
    ['    listen [::]:443 ssl http2;\n', ''],
    ['listen 80', `listen 127.0.0.1:${plain}`],
    ['    listen [::]:80;\n', ''],
    ['/var/cache/nginx/presale', cache],
    ['    location / {', `    location /own/ { alias ${files}/; }\n    location / {`],
  ])
  writeFileSync(join(base, 'site.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((of) => `${of}_temp_path ${base}/${of};`)
    .join(' ')
  const main = filledIn(handedOut('nginx-main.conf'), [
    ['user www-data;', 'user root; daemon off;'],
    ['worker_processes auto;', 'worker_processes 1;'],
    ['/run/nginx.pid', `${base}/pid`],
    ['/etc/nginx/conf.d/*.conf', `${base}/site.conf`],
    ['access_log /var/log/nginx/access.log;', `access_log off; keepalive_requests 100000000; ${temporary}`],
    ['/var/log/nginx/error.log', `${base}/error.log`],
  ])
  writeFileSync(join(base, 'nginx.conf'), main)
  const child = spawn('nginx', ['-p', base, '-c', join(base, 'nginx.conf')], {
    env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return { ...(await listening(child, secure)), cache }
}

export async function startCaddy(folder: string, port: number): Promise<Proxy> {
  const secure = await freePort()
  const base = join(folder, 'caddy')
  mkdirSync(base, { recursive: true })
  writeCertificate(base)
  const site = filledIn(handedOut('Caddyfile'), [
    [`${NAME} {`, `https://${tlsName}:${secure} {\n\ttls ${base}/certificate.pem ${base}/key.pem`],
    ['127.0.0.1:3000', `127.0.0.1:${port}`],
  ])
  writeFileSync(join(base, 'Caddyfile'), `{\n\tadmin off\n\tauto_https off\n}\n${site}`)
  const child = spawn('caddy', ['run', '--config', join(base, 'Caddyfile'), '--adapter', 'caddyfile'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: base, XDG_DATA_HOME: base, XDG_CONFIG_HOME: base },
  })
  return listening(child, secure)
}

function writeCertificate(folder: string): void {
  writeFileSync(join(folder, 'certificate.pem'), tlsCertificate)
  writeFileSync(join(folder, 'key.pem'), tlsKey)
}

async function listening(child: ChildProcess, port: number): Promise<Proxy> {
  const ended = once(child, 'close')
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    said = (said + chunk).slice(-4_000)
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; ) {
    try {
      await (await openHttp2(port)).close()
      return { port, stop }
    } catch {
      if (child.exitCode !== null) throw new Error(`the proxy ended (${child.exitCode}): ${said}`)
      await delay(50)
    }
  }
  await stop()
  throw new Error('the proxy did not start')
}

/** Connects like a browser: TLS, HTTP/2, from `localAddress`. */
export async function openHttp2(port: number, localAddress = '127.0.0.1'): Promise<ClientHttp2Session> {
  const session = connect(`https://${tlsName}`, {
    createConnection: () =>
      connectTls({
        // The certificate is for this name.
        socket: connectSocket({ host: '127.0.0.1', port, localAddress }),
        servername: tlsName,
        ca: tlsCertificate,
        ALPNProtocols: ['h2'],
      }),
  })
  await once(session, 'connect')
  return session
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export async function ask(
  session: ClientHttp2Session,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const stream = session.request({ ':method': method, ':path': path, ...headers })
  stream.setEncoding('utf8').end(body)
  let text = ''
  stream.on('data', (chunk: string) => {
    text += chunk
  })
  const [[answer]] = await Promise.all([
    once(stream, 'response') as Promise<[IncomingHttpHeaders & { ':status': number }]>,
    once(stream, 'end'),
  ])
  return { status: answer[':status'], headers: answer, text }
}
