// npm run verify -- https://site: recomputes every public figure of a sale from its journal.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { checkAddress } from './addresses.ts'
import { checkSite, readKey } from './check.ts'
import { EntryError } from './entries.ts'
import { LogFault, messageOf, Unchecked } from './fault.ts'
import { checkHolding, isHolder } from './holdings.ts'
import type { Proven } from './inclusion.ts'
import { sha256 } from './node-hash.ts'
import { TrustedNode } from './nodes.ts'
import { cosignersOf, parseVerifierKey, parseWitnessKey, signerOf, type VerifierKey } from './notes.ts'
import { printReport } from './print.ts'
import { checkProof, checkStillThere, lookAtAll } from './proof.ts'
import { readSeen, writeSeen } from './seen.ts'
import { ownReach, Site } from './site.ts'
import { readState, stateFileOf, writeState } from './state-file.ts'

const USAGE = `npm run verify -- https://site [--node NETWORK=URL]… [--state FILE] [--json]
npm run verify -- --proof FILE [https://site] [--vkey KEY] [--witness KEY] [--state FILE] [--json]
npm run verify -- --address FILE [https://site] [--is ADDRESS] [--vkey KEY] [--witness KEY] [--state FILE] [--json]
npm run verify -- --leaf FILE [https://site] [--email ADDRESS] [--vkey KEY] [--witness KEY] [--state FILE] [--json]

Downloads the journal of a sale, checks it, computes every figure again and compares each with what the site shows.
  --state FILE  what is kept for the next look; by default in your folder for state, by the site's host
  --node NETWORK=URL  a node that you trust, as ethereum=http://127.0.0.1:8545; each payment of that chain is looked up there
  --proof FILE  checks a receipt (.tlog-proof); with a site also that today's log still holds it
  --leaf FILE   checks what a buyer holds: the leaf (.holdings.json) leads to the sum of all that the log says
  --address FILE  checks where an order's address comes from (.address.json)
  --is ADDRESS  the address that the order is to be paid to has to be this one
  --email ADDRESS  the leaf has to be of the account with this address
  --vkey KEY    the log's key that you trust; by default the one of the last look, else the site's
  --witness KEY has to have signed the receipt's checkpoint, too; may be given several times
  --json        the whole report as JSON

Ends with 0 where all agrees, 1 where something does not, 2 where it could not be checked.
`

interface Options {
  site: Site | undefined
  state: string | undefined
  proof: string | undefined
  leaf: string | undefined
  email: string | undefined
  address: string | undefined
  is: string | undefined
  vkey: string | undefined
  nodes: ReadonlyMap<string, TrustedNode>
  witnesses: VerifierKey[]
  isJson: boolean
}

/** `npm run` starts scripts in the repository; relative paths are of the folder in which it was called. */
const pathOf = (path: string) => resolve(process.env['INIT_CWD'] ?? '.', path)

function readOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      state: { type: 'string' },
      proof: { type: 'string' },
      leaf: { type: 'string' },
      email: { type: 'string' },
      address: { type: 'string' },
      is: { type: 'string' },
      vkey: { type: 'string' },
      node: { type: 'string', multiple: true, default: [] },
      witness: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
    },
  })
  const [address, ...more] = positionals
  const file = values.proof ?? values.leaf ?? values.address
  if (more.length > 0 || (address === undefined && file === undefined)) throw new Unchecked(USAGE)
  if (address !== undefined && !/^https?:$/.test(URL.parse(address)?.protocol ?? '')) {
    throw new Unchecked(`“${address}” is no address of a site.\n\n${USAGE}`)
  }
  if (values.vkey !== undefined) keyFrom(values.vkey, parseVerifierKey)
  return {
    site: address === undefined ? undefined : new Site(address, ownReach),
    state: values.state === undefined ? undefined : pathOf(values.state),
    proof: values.proof === undefined ? undefined : pathOf(values.proof),
    leaf: values.leaf === undefined ? undefined : pathOf(values.leaf),
    email: values.email,
    address: values.address === undefined ? undefined : pathOf(values.address),
    is: values.is,
    vkey: values.vkey,
    nodes: new Map(values.node.map(readNode)),
    witnesses: values.witness.map((key) => keyFrom(key, parseWitnessKey)),
    isJson: values.json,
  }
}

function readNode(text: string): [string, TrustedNode] {
  const [, network = '', address = ''] = /^([a-z0-9-]+)=(https?:\/\/.+)$/.exec(text) ?? []
  if (network === '' || !URL.canParse(address)) throw new Unchecked(`“${text}” is no node.\n\n${USAGE}`)
  return [network, new TrustedNode(address)]
}

/** An invalid key is a wrong argument, not a fault of the log. */
function keyFrom(text: string, parse: typeof parseVerifierKey): VerifierKey {
  try {
    return parse(sha256, text)
  } catch (error) {
    throw new Unchecked(messageOf(error))
  }
}

function stateFile({ site, state }: Options): string {
  return state ?? stateFileOf(site ? new URL(site.url).host : '', process.env)
}

function progress(): (done: number, size: number) => void {
  let said: number | undefined
  return (done, size) => {
    said ??= Date.now()
    if (Date.now() < said + 1000) return
    said = Date.now()
    const end = process.stderr.isTTY && done < size ? '\r' : '\n'
    process.stderr.write(`${done} of ${size}, ${Math.floor((done * 100) / size)} %${end}`)
  }
}

async function verifySite(site: Site, options: Options): Promise<number> {
  const file = stateFile(options)
  const state = await readState(file)
  const { report, seen } = await checkSite({
    site,
    sha256,
    state,
    nodes: options.nodes,
    onProgress: progress(),
  })
  if (
    options.vkey !== undefined &&
    ![report.vkey, ...report.formerKeys.map(({ vkey }) => vkey)].includes(options.vkey)
  ) {
    report.faults.push(`The log has the key ${report.vkey} instead of ${options.vkey}.`)
    report.agrees = false
  } else if (seen) await writeState(file, writeSeen(seen))
  process.stdout.write(options.isJson ? `${JSON.stringify(report, null, 2)}\n` : printReport(report))
  return report.agrees ? 0 : 1
}

/** The key to check a receipt with, and the newest known key of its log. */
interface ProofKeys {
  key: VerifierKey
  newest: VerifierKey
}

/**
 * The given one, that of the last check, or the site's. A given key that was replaced by the last check
 * only signs up to that size.
 */
async function keysForProof(options: Options, text: string): Promise<ProofKeys> {
  const host = /\n\n([^\n/]+)/.exec(text)?.[1] ?? ''
  const state = await readState(
    options.site || options.state ? stateFile(options) : stateFileOf(host, process.env),
  )
  if (state !== undefined) {
    const { key: newest, former } = await readSeen(sha256, state)
    const followed = [newest, ...former]
    const named = followed.find((key) => key.text === options.vkey)
    // A receipt from before a replacement is valid with the key of then.
    if (options.vkey === undefined) return { key: signerOf(text, followed) ?? newest, newest }
    if (named) return { key: named, newest }
  }
  if (options.vkey !== undefined) return onlyKey(parseVerifierKey(sha256, options.vkey))
  if (options.site) return siteKey(options.site, text)
  throw new Unchecked(
    'Whose signature the receipt needs is not known: name the site, or its key with --vkey.',
  )
}

const onlyKey = (key: VerifierKey): ProofKeys => ({ key, newest: key })

/** The site's key. A replacement can't be verified by an older receipt alone. */
async function siteKey(site: Site, text: string): Promise<ProofKeys> {
  const key = await readKey(site, sha256)
  if (signerOf(text, [key])) return onlyKey(key)
  if (await site.has('journal/rotation/1'))
    throw new Unchecked(
      `It is not signed with today’s key, ${key.text}, but with another. ${lookAtAll(site)}`,
    )
  return onlyKey(key)
}

/** When each witness signed a checkpoint; throws for one that did not. */
async function seenByAll(note: string, witnesses: VerifierKey[]): Promise<{ witness: string; at: string }[]> {
  const found = await cosignersOf(note, witnesses)
  return witnesses.map((key) => {
    const seconds = found.find((one) => one.key.text === key.text)?.seconds
    if (seconds === undefined) throw new LogFault(`${key.text} has not signed the checkpoint.`)
    return { witness: key.text, at: new Date(Number(seconds) * 1000).toISOString() }
  })
}

function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error) => {
    throw new Unchecked(`${path} can't be read`, { cause: error })
  })
}

async function sayProven(
  { index, entry, checkpoint }: Proven,
  { keys, options, also }: { keys: ProofKeys; options: Options; also: Record<string, string> },
): Promise<void> {
  const { size } = checkpoint
  const seenBy = await seenByAll(checkpoint.text, options.witnesses)
  const { key, newest } = keys
  const today = options.site ? await checkStillThere(options.site, sha256, newest, checkpoint) : undefined
  if (options.isJson) {
    const found = {
      index,
      entry: JSON.parse(entry),
      ...also,
      size,
      vkey: key.text,
      seenBy,
      sizeToday: today?.size ?? null,
      agrees: true,
    }
    process.stdout.write(`${JSON.stringify(found, null, 2)}\n`)
    return
  }
  const lines = [entry, '', `This is entry ${index} of ${size} that the log signed with ${key.text}.`]
  for (const { witness, at } of seenBy) lines.push(`${witness} saw this list on ${at}.`)
  if (today) lines.push(`The log of today, ${today.size} entries, still holds it.`)
  process.stdout.write(`${lines.join('\n')}\n`)
}

async function verifyProof(path: string, options: Options): Promise<number> {
  const text = await readText(path)
  const keys = await keysForProof(options, text)
  await sayProven(await checkProof(sha256, text, keys.key), { keys, options, also: {} })
  if (!options.isJson)
    process.stdout.write(
      'Whether it was taken back after that is not in a receipt: the whole journal says it.\n',
    )
  return 0
}

async function verifyLeaf(path: string, options: Options): Promise<number> {
  const text = await readText(path)
  const keys = await keysForProof(options, text.replaceAll('\\n', '\n'))
  const { leaf, tokens, sum, proven } = await checkHolding(sha256, text, keys.key)
  if (options.email !== undefined && !isHolder(sha256, leaf, options.email))
    throw new LogFault(`The leaf is not of the account ${options.email}.`)
  await sayProven(proven, { keys, options, also: { day: leaf.day, tokens, sum } })
  if (!options.isJson)
    process.stdout.write(
      `The leaf leads to it: ${tokens} of the ${sum} tokens that all buyers held on ${leaf.day}.\nThat this sum is what the entries before add up to is checked by npm run verify with the site's address.\n`,
    )
  return 0
}

async function verifyAddress(path: string, options: Options): Promise<number> {
  const text = await readText(path)
  const keys = await keysForProof(options, text.replaceAll('\\n', '\n'))
  const { address, wallet, currency, announcedAt, proven } = await checkAddress(sha256, text, keys.key)
  if (options.is !== undefined && options.is !== address)
    throw new LogFault(`The file is of the address ${address}, not ${options.is}.`)
  await sayProven(proven, { keys, options, also: { address } })
  if (!options.isJson)
    process.stdout.write(
      `${
        wallet
          ? `${address} is address ${wallet.index} of the wallet ${wallet.number}, announced on ${announcedAt}.`
          : `${address} was the fixed address of ${currency ?? ''} from ${announcedAt} on; whose it is, the journal can't say.`
      }\nThat this number was announced once and not again is not in a file: the whole journal says it.\n`,
    )
  return 0
}

async function main(): Promise<number> {
  const isJson = process.argv.includes('--json')
  try {
    const options = readOptions(process.argv.slice(2))
    if (options.proof !== undefined) return await verifyProof(options.proof, options)
    if (options.leaf !== undefined) return await verifyLeaf(options.leaf, options)
    if (options.address !== undefined) return await verifyAddress(options.address, options)
    return await verifySite(options.site as Site, options)
  } catch (error) {
    const isWrong = error instanceof LogFault || error instanceof EntryError
    const message = messageOf(error)
    const result = isWrong ? { agrees: false, faults: [message] } : { agrees: null, unchecked: message }
    if (isJson) process.stdout.write(`${JSON.stringify(result)}\n`)
    else process.stderr.write(`${isWrong ? 'This does NOT agree' : 'Not checked'}: ${message}\n`)
    return isWrong ? 1 : 2
  }
}

// A long log needs little memory, so collect garbage after a growth of 25 % instead of 100 %.
setFlagsFromString('--heap-growing-percent=25')
process.exitCode = await main()
