import { embedded, type Mutant } from './mutant.ts'

const nodes = 'src/server/payments/chain-nodes.test.ts'
const sources = 'src/server/rates/rate-sources.test.ts'
const push = 'src/server/push/push.test.ts'
const inBrowser = { project: 'e2e', files: ['test/e2e/push-event.test.ts'] } as const

/** Whom the server asks outside and what it believes them: nodes and sources of rates that a page names; and what it tells browsers. */
export const outsideMutants: readonly Mutant[] = [
  {
    id: 'named-address-inside',
    says: 'What a page names may lead to the server’s own network.',
    edits: [
      [
        'src/server/named-address.ts',
        'return isOutside(url, listed) ? reasonAgainstUrl(splitCredentials(url).endpoint) : null',
        'return null',
      ],
    ],
    killers: [embedded(sources)],
  },
  {
    id: 'node-by-one',
    says: 'One operator alone says which node tells what was paid.',
    edits: [
      [
        'src/shared/acts.ts',
        "'chain.node': freshOfTwo('currencies:write')",
        "'chain.node': fresh('currencies:write')",
      ],
    ],
    killers: [embedded(nodes)],
  },
  {
    id: 'node-over-the-environment',
    says: 'A page names another node than the environment.',
    edits: [
      [
        'src/server/payments/node-acts.ts',
        "  if (nodes.isGiven(network, place)) refuse('node_of_environment')\n",
        '',
      ],
    ],
    killers: [embedded(nodes)],
  },
  {
    id: 'node-in-clear',
    says: 'The address of a node, which may hold a key, stands in the database as it is.',
    edits: [
      [
        'src/server/payments/node-acts.ts',
        'needs.secrets.encrypt(NODE_PURPOSE, url, id)',
        'Buffer.from(url)',
      ],
    ],
    killers: [embedded(nodes)],
  },
  {
    id: 'node-twice',
    says: 'One node stands in both places and agrees with itself.',
    edits: [
      [
        'src/server/payments/node-acts.ts',
        'node.place !== input.place && nodes.isTwin(node.host, input.url)',
        "node.place === input.place && node.host === ''",
      ],
    ],
    killers: [embedded(nodes)],
  },
  {
    id: 'node-twice-by-another-name',
    says: 'A node stands in both places under another port or name of its domain.',
    edits: [
      [
        'src/server/payments/chain-nodes.ts',
        'host === hostOf(url) || voiceOf(`https://${host}`, hosts) === voiceOf(url, hosts)',
        'host === hostOf(url) && hosts.length >= 0',
      ],
    ],
    killers: [embedded(nodes)],
  },
  {
    id: 'node-writes-on',
    says: 'What a replaced node says is still written.',
    edits: [
      [
        'src/server/payments/node-acts.ts',
        'revision = revision + 1, epoch = epoch + 1,',
        'revision = revision + 1,',
      ],
    ],
    killers: [embedded(nodes)],
  },
  {
    id: 'node-takes-the-chain-along',
    says: 'What an operator let a chain take from one node holds for the next one.',
    edits: [
      [
        'src/server/payments/node-acts.ts',
        'takes_new_chain = takes_new_chain and ${place} <> 1,',
        'takes_new_chain = takes_new_chain,',
      ],
    ],
    killers: [embedded(nodes)],
  },
  {
    id: 'node-over-a-change',
    says: 'A node is named over a change that was not seen.',
    edits: [
      [
        'src/server/payments/node-acts.ts',
        '  if ((row?.revision ?? null) === revision) return\n',
        '  return\n',
      ],
    ],
    killers: [embedded(nodes)],
  },
  {
    id: 'source-by-one',
    says: 'One operator alone says where rates come from.',
    edits: [
      [
        'src/shared/acts.ts',
        "'rate-source.set': freshOfTwo('currencies:write')",
        "'rate-source.set': fresh('currencies:write')",
      ],
    ],
    killers: [embedded(sources)],
  },
  {
    id: 'source-left-out-by-one',
    says: 'One operator alone leaves out the sources that would contradict.',
    edits: [
      [
        'src/shared/acts.ts',
        "'rate-source.leave-out': freshOfTwo('currencies:write')",
        "'rate-source.leave-out': fresh('currencies:write')",
      ],
    ],
    killers: [embedded(sources)],
  },
  {
    id: 'source-in-clear',
    says: 'The address of a source, which may hold a key, stands in the database as it is.',
    edits: [
      [
        'src/server/rates/rate-source-acts.ts',
        'needs.secrets.encrypt(SOURCE_PURPOSE, url, id)',
        'Buffer.from(url)',
      ],
    ],
    killers: [embedded(sources)],
  },
  {
    id: 'source-over-the-environment',
    says: 'A page leaves out a source that the environment names.',
    edits: [
      [
        'src/server/rates/rate-source-acts.ts',
        "  if (sources.isGiven(name)) refuse('rate_source_of_environment')\n",
        '',
      ],
    ],
    killers: [embedded(sources)],
  },
  {
    id: 'source-twice',
    says: 'Two sources are one, and agree about anything.',
    edits: [
      [
        'src/server/rates/rate-sources.ts',
        "if (twin) refuse('rate_source_twice', { host: twin.shown.host })",
        'void twin',
      ],
    ],
    killers: [embedded(sources)],
  },
  {
    id: 'source-twice-later',
    says: 'A source is asked beside one of the same voice that the environment named later.',
    edits: [
      [
        'src/server/rates/rate-sources.ts',
        "if (voices.has(voice)) return { shown: { ...shown, silence: 'same_voice' }, url, source: null }",
        'voices.has(voice)',
      ],
    ],
    killers: [embedded(sources)],
  },
  {
    id: 'source-behind-a-name',
    says: 'A source is asked wherever its name leads.',
    edits: [
      [
        'src/server/rates/rate-sources.ts',
        'publicOnly: isOutside(url, hosts), outside }',
        'publicOnly: false, outside }',
      ],
    ],
    killers: [embedded(sources)],
  },
  {
    id: 'source-speaks-after-its-end',
    says: 'What a source said is written though it was taken away meanwhile.',
    edits: [
      [
        'src/server/rates/rates.ts',
        'said.filter(({ source }) => asked.has(source))',
        'said.filter(({ source }) => asked.has(source) || true)',
      ],
    ],
    killers: [embedded(sources)],
  },
  {
    id: 'source-dated-beyond-time',
    says: 'One source that dates its price beyond any calendar stops every rate.',
    edits: [
      [
        'src/server/rates/median.ts',
        'return Math.abs(at.getTime()) < LAST_MS ? at.toISOString() : null',
        'return at.toISOString()',
      ],
    ],
    killers: [embedded(sources)],
  },
  {
    id: 'source-writes-anything',
    says: 'What a source wrote is kept as a price whatever it is.',
    edits: [
      [
        'src/server/rates/median.ts',
        'quote && FIGURE.test(quote.priceUsd) ? quote.priceUsd : null',
        'quote ? quote.priceUsd : null',
      ],
    ],
    killers: [embedded(sources)],
  },
  {
    id: 'source-without-end',
    says: 'An answer is read however long it is.',
    edits: [
      [
        'src/server/short-answer.ts',
        "    if (size > bytesMax) throw new Error('the answer is too long')\n",
        '',
      ],
    ],
    killers: [embedded(sources)],
  },
  {
    id: 'rate-of-one',
    says: 'One source alone sets a rate.',
    edits: [['src/server/rates/median.ts', 'const AGREE_MIN = 2', 'const AGREE_MIN = 1']],
    killers: [embedded(sources)],
  },
  {
    id: 'refresh-without-agreement',
    says: 'A refresh says nothing of it where the sources agree on no currency.',
    edits: [
      [
        'src/server/rates/rates.ts',
        "    if (prices.length === 0) refuse('rates_unavailable', { why: 'no_agreement' })\n",
        '',
      ],
    ],
    killers: [embedded(sources)],
  },
  {
    id: 'notice-no-longer-so',
    says: 'A browser is told what is no longer so.',
    edits: [
      [
        'src/server/push/push.ts',
        'else ${turn} in (o.status, o.detail) end`',
        'else ${turn}::text is not null end`',
      ],
    ],
    killers: [embedded(push)],
  },
  {
    id: 'notice-to-nobody',
    says: 'A browser that is gone is sent notices for ever.',
    edits: [
      [
        'src/server/push/push.ts',
        "if (outcome === 'gone') await db.query",
        "if (outcome === 'gone' && !id) await db.query",
      ],
    ],
    killers: [embedded(push)],
  },
  {
    id: 'notice-inside',
    says: 'A browser’s user has the server call its own network.',
    edits: [
      ['src/server/push/sender.ts', '    if (reason) return reason\n    // Whoever', '    // Whoever'],
      [
        'src/server/post-outside.ts',
        '  if (reason) throw new Error(reason)\n  const checked',
        '  const checked',
      ],
    ],
    killers: [embedded(push)],
  },
  {
    id: 'notice-of-another',
    says: 'Where two people use a browser, one is told of the other’s orders.',
    edits: [
      [
        'src/server/push/push.ts',
        '      await tx.query(sql`delete from push_devices where mark = ${mark}`)\n',
        '',
      ],
      [
        'src/server/push/push.ts',
        'delete from push_devices where mark = ${mark} and user_id = ${by.userId} returning',
        'delete from push_devices where user_id = ${by.userId} and mark = ${mark} returning',
      ],
    ],
    killers: [embedded(push)],
  },
  {
    id: 'notice-again',
    says: 'A notice that is sent again stands there twice.',
    edits: [['src/client/assets/service-worker.js', '      lang,\n      tag,\n', '      lang,\n']],
    killers: [inBrowser],
  },
  {
    id: 'notice-elsewhere',
    says: 'A notice leads to another site.',
    edits: [
      ['src/client/assets/service-worker.js', '  if (page.origin !== self.location.origin) return\n', ''],
    ],
    killers: [inBrowser],
  },
  {
    id: 'notice-without-its-order',
    says: 'A notice of an order leads to all orders.',
    edits: [['src/client/assets/service-worker.js', '(order && (await pathOfOrder(order))) || path', 'path']],
    killers: [inBrowser],
  },
  {
    id: 'coins-as-a-float',
    says: 'The verifier loses the last digit of an output of many coins.',
    edits: [
      [
        'verify/nodes.ts',
        "typeof value === 'number' ? source : value",
        "typeof value === 'number' ? String(value) : value",
      ],
    ],
    killers: [{ project: 'unit', files: ['verify/nodes.test.ts'] }],
  },
  {
    id: 'coins-without-their-exponent',
    says: 'The verifier takes a small output for a large one.',
    edits: [
      ['verify/decimals.ts', 'DIGITS - fraction.length + Number(exponent)', 'DIGITS - fraction.length'],
    ],
    killers: [{ project: 'unit', files: ['verify/nodes.test.ts'] }],
  },
  {
    id: 'output-out-of-the-chain',
    says: 'The verifier finds a payment whose block is not on the chain.',
    edits: [['verify/nodes.ts', ' || found.in_active_chain === false', '']],
    killers: [{ project: 'unit', files: ['verify/nodes.test.ts'] }],
  },
  {
    id: 'output-unconfirmed',
    says: 'The verifier finds a payment that no block holds.',
    edits: [['verify/nodes.ts', '!((found.confirmations ?? 0) >= 1) || ', '']],
    killers: [{ project: 'unit', files: ['verify/nodes.test.ts'] }],
  },
  {
    id: 'output-to-somebody-else',
    says: 'The verifier finds a payment that went to another address.',
    edits: [['verify/nodes.ts', 'paid === undefined || to !== address', 'paid === undefined']],
    killers: [{ project: 'unit', files: ['verify/nodes.test.ts'] }],
  },
  {
    id: 'failed-transaction-found',
    says: 'The verifier finds a payment whose transaction failed.',
    edits: [['verify/nodes.ts', "    if (receipt.status !== '0x1') return 'it failed'\n", '']],
    killers: [{ project: 'unit', files: ['verify/nodes.test.ts'] }],
  },
  {
    id: 'balance-below-what-was-paid',
    says: 'The verifier finds coins that the address never held.',
    edits: [['verify/nodes.ts', 'return is >= paid', 'return is >= 0n']],
    killers: [{ project: 'unit', files: ['verify/nodes.test.ts'] }],
  },
  {
    id: 'transfer-of-another-token',
    says: 'The verifier takes a worthless token for the one that was to be paid.',
    edits: [
      [
        'verify/nodes.ts',
        'contract.toLowerCase() === asset &&\n        topics.length',
        'contract !== null &&\n        topics.length',
      ],
    ],
    killers: [{ project: 'unit', files: ['verify/nodes.test.ts'] }],
  },
]
