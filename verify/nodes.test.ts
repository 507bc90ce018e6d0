import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { lookUp, TrustedNode } from './nodes.ts'
import type { CreditedPayment } from './payments.ts'

const transaction = `0x${'ab'.repeat(32)}`
const token = `0x${'cc'.repeat(20)}`
const address = `0x${'Dd'.repeat(20)}`
const word = (value: string) => value.replace('0x', '').toLowerCase().padStart(64, '0')

/** A chain that holds one transaction in block 7: it carries one coin to the address and one unit of the token. */
const answers: Record<string, unknown> = {
  eth_getTransactionByHash: { to: address, value: '0xde0b6b3a7640000' },
  eth_getTransactionReceipt: {
    status: '0x1',
    blockNumber: '0x7',
    logs: [
      {
        address: token,
        topics: [
          '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
          `0x${word(token)}`,
          `0x${word(address)}`,
        ],
        data: `0x${word('1')}`,
      },
    ],
  },
  eth_call: '0x0',
  eth_getBalance: '0xde0b6b3a7640000',
  getrawtransaction: { confirmations: 9, vout: [{ value: 1, scriptPubKey: { address: 'bc1q' } }] },
}

/** An output's value as the node writes it, because `JSON.stringify` would use a float. */
let coins = '1'

beforeAll(() => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    const { method } = JSON.parse(String(init?.body)) as { method: string }
    const answer = JSON.stringify({ result: answers[method] })
    return new Response(answer.replace('"value":1,', `"value":${coins},`))
  })
})
afterAll(() => vi.restoreAllMocks())

const coin: CreditedPayment = {
  subject: 'payments/1',
  chain: 'ethereum',
  transaction,
  output: 'value',
  address,
  block: null,
  asset: 'native',
  currency: 'ETH',
  amount: '1',
  credited: '1',
  order: 'first',
}
const units = { ...coin, output: `${token}#0`, asset: token, currency: 'USDT' }
const left = { ...coin, transaction: 'balance:7', output: 'balance' }
const bitcoin = { ...coin, chain: 'bitcoin', transaction: 'ab'.repeat(32), output: '0', address: 'bc1q' }

const found = async (...payments: CreditedPayment[]) => {
  const node = new TrustedNode('http://node.example')
  const nodes = new Map(['ethereum', 'bitcoin'].map((chain) => [chain, node]))
  return lookUp(nodes, payments)
}

test.each<[string, CreditedPayment, Partial<CreditedPayment>[]]>([
  [
    'coins',
    coin,
    [
      { output: 'value#1' },
      { output: '' },
      { transaction: `0x${'AB'.repeat(32)}` },
      { address: address.toLowerCase() },
    ],
  ],
  [
    'a token',
    units,
    [
      { output: 'again#0' },
      { output: `${token}#00` },
      { output: `${token}#0#0` },
      { address: address.toUpperCase() },
    ],
  ],
  ['an output', bitcoin, [{ output: '00' }, { output: '' }, { transaction: 'AB'.repeat(32) }]],
  // A balance counts once, whatever block is asked, including coins that a transaction transferred.
  ['a balance', left, [{ transaction: 'balance:8' }, { transaction: 'balance:07' }, { asset: token }, {}]],
  ['coins that are in the balance', coin, [left]],
])('%s pay one order, by whatever names [LOG-26]', async (_what, payment, others) => {
  expect(await found(payment)).toMatchObject({ found: 1, missing: [] })
  for (const other of others) {
    const second = { ...payment, ...other, subject: 'payments/2', order: 'second' }
    const report = await found(payment, second)
    expect([report.found, report.missing.map(({ order }) => order)], JSON.stringify(other)).toEqual([
      1,
      ['second'],
    ])
  }
})

test.each([
  ['coins', coin],
  ['a token', units],
  ['an output', bitcoin],
])('%s of a transaction that the node does not have are named as missing', async (_what, payment) => {
  const known = { ...answers }
  for (const method of Object.keys(answers)) answers[method] = null
  try {
    const { found: count, missing } = await found(payment)
    expect([count, missing]).toMatchObject([
      0,
      [{ subject: payment.subject, order: 'first', reason: 'no chain knows this transaction' }],
    ])
  } finally {
    Object.assign(answers, known)
  }
})

test.each([
  ['1.00000000', '1', []],
  ['1e-08', '0.00000001', []],
  ['1.5E+2', '150', []],
  // No binary float is one of these.
  ['150000000.12345679', '150000000.12345679', []],
  ['150000000.12345679', '150000000.12345678', ['it brought 150000000.12345679, not 150000000.12345678']],
  ['1e-30', '0.1', ['it brought something else, not 0.1']],
])('an output of %s is compared with %s to the last unit', async (written, amount, reasons) => {
  coins = written
  try {
    const { missing } = await found({ ...bitcoin, amount })
    expect(missing.map(({ reason }) => reason)).toEqual(reasons)
  } finally {
    coins = '1'
  }
})

test.each<[string, CreditedPayment, string, object, string]>([
  [
    'an output of a block that is off the chain',
    bitcoin,
    'getrawtransaction',
    { in_active_chain: false },
    'no block of the chain holds it',
  ],
  [
    'an output that no block holds',
    bitcoin,
    'getrawtransaction',
    { confirmations: 0 },
    'no block of the chain holds it',
  ],
  [
    'an output to somebody else',
    { ...bitcoin, address: 'bc1z' },
    'getrawtransaction',
    {},
    'its output 0 pays bc1q, not bc1z',
  ],
  ['coins of a transaction that failed', coin, 'eth_getTransactionReceipt', { status: '0x0' }, 'it failed'],
  [
    'coins to somebody else',
    coin,
    'eth_getTransactionByHash',
    { to: token },
    `it pays ${token}, not ${address}`,
  ],
  [
    'coins that the address never held',
    { ...left, amount: '1.5' },
    'eth_getBalance',
    {},
    `${address} held 1 then, not the 1.5 that it was paid`,
  ],
  [
    'another token',
    { ...units, asset: `0x${'ee'.repeat(20)}`, output: `0x${'ee'.repeat(20)}#0` },
    'eth_call',
    {},
    `it holds no transfer 0x${'ee'.repeat(20)}#0 to ${address}`,
  ],
])('%s is no payment', async (_what, payment, method, otherwise, reason) => {
  const known = answers[method]
  if (typeof known === 'object') answers[method] = { ...known, ...otherwise }
  try {
    expect(await found(payment)).toMatchObject({ found: 0, missing: [{ reason }] })
  } finally {
    answers[method] = known
  }
})
