import { never, remove, replace } from './edit.ts'
import { embedded, mutantsOf } from './mutant.ts'

const nodes = 'src/server/payments/chain-nodes.test.ts'
const sources = 'src/server/rates/rate-sources.test.ts'
const push = 'src/server/push/push.test.ts'
const inBrowser = { project: 'e2e', files: ['test/e2e/push-event.test.ts'] } as const

/** Wrong requests to nodes, rate sources and push services, or wrong trust in their answers. */
export const outsideMutants = mutantsOf({
  'named-address-inside': {
    says: 'What a page names may lead to the server’s own network.',
    edits: remove(
      'src/server/outside/named-address.ts:reasonAgainstNamed',
      'isOutside(url, listed) ? reasonAgainstUrl(splitCredentials(url).endpoint) :',
    ),
    killers: embedded(sources),
  },
  'node-by-one': {
    says: 'One operator alone says which node tells what was paid.',
    edits: replace(
      'src/shared/actions.ts:actions',
      "'chain.node': freshOfTwo('currencies:write', 'wallet_changed')",
      "'chain.node': { right: 'currencies:write', stepUp: true, canNeedApproval: false }",
    ),
    killers: embedded(nodes),
  },
  'node-over-the-environment': {
    says: 'A page names another node than the environment.',
    edits: remove(
      'src/server/payments/node-actions.ts:checkPlace',
      "if (nodes.isGiven(network, place)) refuse('node_of_environment')",
    ),
    killers: embedded(nodes),
  },
  'node-in-clear': {
    says: 'The address of a node, which may hold a key, stands in the database as it is.',
    edits: replace(
      'src/server/payments/node-actions.ts:setNode',
      'needs.secrets.encrypt(NODE_PURPOSE, url, id)',
      'Buffer.from(url)',
    ),
    killers: embedded(nodes),
  },
  'node-twice': {
    says: 'One node stands in both places and agrees with itself.',
    edits: replace(
      'src/server/payments/node-actions.ts:refuseTwin',
      'node.place !== input.place && nodes.isTwin(node.host, input.url)',
      "node.place === input.place && node.host === ''",
    ),
    killers: embedded(nodes),
  },
  'node-twice-by-another-name': {
    says: 'A node stands in both places under another port or name of its domain.',
    edits: replace(
      'src/server/payments/chain-nodes.ts:isTwin',
      'host === hostOf(url) || voiceOf(`https://${host}`, hosts) === voiceOf(url, hosts)',
      'host === hostOf(url) && hosts.length >= 0',
    ),
    killers: embedded(nodes),
  },
  'node-writes-on': {
    says: 'What a replaced node says is still written.',
    edits: remove('src/server/payments/node-actions.ts:changed', 'epoch = epoch + 1,'),
    killers: embedded(nodes),
  },
  'node-takes-the-chain-along': {
    says: 'What an operator let a chain take from one node holds for the next one.',
    edits: remove('src/server/payments/node-actions.ts:changed', 'and ${place} <> 1'),
    killers: embedded(nodes),
  },
  'node-over-a-change': {
    says: 'A node is named over a change that was not seen.',
    edits: remove(
      'src/server/payments/node-actions.ts:requireRevision',
      'if ((row?.revision ?? null) === revision)',
    ),
    killers: embedded(nodes),
  },
  'source-by-one': {
    says: 'One operator alone says where rates come from.',
    edits: replace(
      'src/shared/actions.ts:actions',
      "'rate-source.set': freshOfTwo('currencies:write', 'wallet_changed')",
      "'rate-source.set': { right: 'currencies:write', stepUp: true, canNeedApproval: false }",
    ),
    killers: embedded(sources),
  },
  'source-left-out-by-one': {
    says: 'One operator alone leaves out the sources that would contradict.',
    edits: replace(
      'src/shared/actions.ts:actions',
      "'rate-source.leave-out': freshOfTwo('currencies:write', 'wallet_changed')",
      "'rate-source.leave-out': { right: 'currencies:write', stepUp: true, canNeedApproval: false }",
    ),
    killers: embedded(sources),
  },
  'source-in-clear': {
    says: 'The address of a source, which may hold a key, stands in the database as it is.',
    edits: replace(
      'src/server/rates/rate-source-actions.ts:setSource',
      'needs.secrets.encrypt(SOURCE_PURPOSE, url, id)',
      'Buffer.from(url)',
    ),
    killers: embedded(sources),
  },
  'source-over-the-environment': {
    says: 'A page leaves out a source that the environment names.',
    edits: remove(
      'src/server/rates/rate-source-actions.ts:checkLeaveOut',
      "if (sources.isGiven(name)) refuse('rate_source_of_environment')",
    ),
    killers: embedded(sources),
  },
  'source-twice': {
    says: 'Two sources are one, and agree about anything.',
    edits: replace(
      'src/server/rates/rate-sources.ts:#refuseVoice',
      "if (twin) refuse('rate_source_twice', { host: twin.shown.host })",
      'void twin',
    ),
    killers: embedded(sources),
  },
  'source-twice-later': {
    says: 'A source is asked beside one of the same voice that the environment named later.',
    edits: replace(
      'src/server/rates/rate-sources.ts:#ofPage',
      "if (voices.has(voice)) return { shown: { ...shown, silence: 'same_voice' }, url, source: null }",
      'voices.has(voice)',
    ),
    killers: embedded(sources),
  },
  'source-behind-a-name': {
    says: 'A source is asked wherever its name leads.',
    edits: never('src/server/rates/rate-sources.ts:#named', 'isOutside(url, hosts)'),
    killers: embedded(sources),
  },
  'source-speaks-after-its-end': {
    says: 'What a source said is written though it was taken away meanwhile.',
    edits: replace(
      'src/server/rates/rates.ts:refresh',
      'said.filter(({ source }) => asked.has(source))',
      'said.filter(({ source }) => asked.has(source) || true)',
    ),
    killers: embedded(sources),
  },
  'source-dated-beyond-time': {
    says: 'One source that dates its price beyond any calendar stops every rate.',
    edits: replace(
      'src/server/rates/median.ts:instantOf',
      'return Math.abs(at.getTime()) < LAST_MS ? at.toISOString() : null',
      'return at.toISOString()',
    ),
    killers: embedded(sources),
  },
  'source-writes-anything': {
    says: 'What a source wrote is kept as a price whatever it is.',
    edits: remove('src/server/rates/median.ts:judgeSources', '&& FIGURE.test(quote.priceUsd)'),
    killers: embedded(sources),
  },
  'source-without-end': {
    says: 'An answer is read however long it is.',
    edits: remove(
      'src/server/outside/outside.ts:shortBody',
      "if (size > bytesMax) throw new Error('the answer is too long')",
    ),
    killers: embedded(sources),
  },
  'rate-of-one': {
    says: 'One source alone sets a rate.',
    edits: replace('src/server/rates/median.ts:AGREE_MIN', 'const AGREE_MIN = 2', 'const AGREE_MIN = 1'),
    killers: embedded(sources),
  },
  'refresh-without-agreement': {
    says: 'A refresh says nothing of it where the sources agree on no currency.',
    edits: remove(
      'src/server/rates/rates.ts:agreed',
      "if (prices.length === 0) refuse('rates_unavailable', { why: 'no_agreement' })",
    ),
    killers: embedded(sources),
  },
  'notices-before-the-browser-answers': {
    says: 'A browser that nobody has is sent every notice of its account.',
    edits: remove('src/server/push/push.ts:tell', ' and d.confirmed_at is not null'),
    killers: embedded(push),
  },
  'notice-no-longer-so': {
    says: 'A browser is told what is no longer so.',
    edits: replace(
      'src/server/push/push.ts:#sendOrder',
      'else ${turn} in (o.status, o.detail) end`',
      'else ${turn}::text is not null end`',
    ),
    killers: embedded(push),
  },
  'notice-to-nobody': {
    says: 'A browser that is gone is sent notices for ever.',
    edits: replace(
      'src/server/push/push.ts:#send',
      "const { id, … if (outcome === 'gone')",
      "const { id, … if (outcome === 'gone' && !id)",
    ),
    killers: embedded(push),
  },
  'notice-inside': {
    says: 'A browser’s user has the server call its own network.',
    edits: [
      remove('src/server/push/sender.ts:reasonAgainst', 'if (reason) return reason'),
      remove('src/server/outside/outside.ts:connectionTo', 'if (reason) throw new Error(reason)'),
    ],
    killers: embedded(push),
  },
  'notice-of-another': {
    says: 'Where two people use a browser, one is told of the other’s orders.',
    edits: [
      remove(
        'src/server/push/push.ts:keep',
        'await tx.query(sql`delete from push_devices where mark = ${mark}`)',
      ),
      replace(
        'src/server/push/push.ts:keep',
        'delete from push_devices where mark = ${mark} and user_id = ${by.userId} returning',
        'delete from push_devices where user_id = ${by.userId} and mark = ${mark} returning',
      ),
    ],
    killers: embedded(push),
  },
  'notice-again': {
    says: 'A notice that is sent again stands there twice.',
    edits: replace('src/client/service-worker.js', 'tag, icon:', 'icon:'),
    killers: inBrowser,
  },
  'notice-elsewhere': {
    says: 'A notice leads to another site.',
    edits: remove(
      'src/client/service-worker.js:openPage',
      'if (page.origin !== self.location.origin) return',
    ),
    killers: inBrowser,
  },
  'notice-without-its-order': {
    says: 'A notice of an order leads to all orders.',
    edits: remove('src/client/service-worker.js:openPage', '(order && (await pathOfOrder(order))) ||'),
    killers: inBrowser,
  },
  'coins-as-a-float': {
    says: 'The verifier loses the last digit of an output of many coins.',
    edits: replace(
      'verify/nodes.ts:coinsAsWritten',
      "typeof value === 'number' ? source : value",
      "typeof value === 'number' ? String(value) : value",
    ),
    killers: { project: 'unit', files: ['verify/nodes.test.ts'] },
  },
  'coins-without-their-exponent': {
    says: 'The verifier takes a small output for a large one.',
    edits: remove('verify/decimals.ts:unitsOfJson', '+ Number(exponent)'),
    killers: { project: 'unit', files: ['verify/nodes.test.ts'] },
  },
  'output-out-of-the-chain': {
    says: 'The verifier finds a payment whose block is not on the chain.',
    edits: remove('verify/nodes.ts:faultOfOutput', '|| found.in_active_chain === false'),
    killers: { project: 'unit', files: ['verify/nodes.test.ts'] },
  },
  'output-unconfirmed': {
    says: 'The verifier finds a payment that no block holds.',
    edits: remove('verify/nodes.ts:faultOfOutput', '!((found.confirmations ?? 0) >= 1) ||'),
    killers: { project: 'unit', files: ['verify/nodes.test.ts'] },
  },
  'output-to-somebody-else': {
    says: 'The verifier finds a payment that went to another address.',
    edits: remove('verify/nodes.ts:faultOfOutput', '|| to !== address'),
    killers: { project: 'unit', files: ['verify/nodes.test.ts'] },
  },
  'failed-transaction-found': {
    says: 'The verifier finds a payment whose transaction failed.',
    edits: remove('verify/nodes.ts:faultOfValue', "if (receipt.status !== '0x1') return 'it failed'"),
    killers: { project: 'unit', files: ['verify/nodes.test.ts'] },
  },
  'balance-below-what-was-paid': {
    says: 'The verifier finds coins that the address never held.',
    edits: replace('verify/nodes.ts:faultOfBalance', 'held >= paid ||', 'held >= 0n ||'),
    killers: { project: 'unit', files: ['verify/nodes.test.ts'] },
  },
  'got-what-was-not-sent': {
    says: 'The verifier finds coins that an address sent on, whatever it got.',
    edits: replace(
      'verify/nodes.ts:faultOfBalance',
      '(await this.gotIn(address, height)) >= paidThen',
      'true',
    ),
    killers: embedded('test/security-regressions/coins-that-a-contract-sent.test.ts'),
  },
  'transfer-of-another-token': {
    says: 'The verifier takes a worthless token for the one that was to be paid.',
    edits: replace(
      'verify/nodes.ts:faultOfTransfer',
      'contract.toLowerCase() === asset && topics.length',
      'contract !== null && topics.length',
    ),
    killers: { project: 'unit', files: ['verify/nodes.test.ts'] },
  },
})
