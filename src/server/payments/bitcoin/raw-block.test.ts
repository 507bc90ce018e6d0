import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseBlock, parseTransaction } from './raw-block.ts'

/** Bitcoin's first block, as every node has it. */
const COINBASE =
  '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000'
const HEADER = `01000000${'00'.repeat(32)}3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c`
const GENESIS_ID = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b'
const bytes = (hex: string) => Buffer.from(hex, 'hex')

describe('a raw block', () => {
  test('is Bitcoin’s first', () => {
    const block = parseBlock(bytes(`${HEADER}01${COINBASE}`))
    expect(block.hash).toBe('000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f')
    expect(block.minedAt.toISOString()).toBe('2009-01-03T18:15:05.000Z')
    expect(block.transactions.map((transaction) => transaction.id)).toEqual([GENESIS_ID])
    expect(block.transactions[0]).toMatchObject({ inputs: [], outputs: [{ value: 5_000_000_000n }] })
  })

  test('with Dogecoin’s merge-mining header has the same transactions behind it', () => {
    const version = '02016200'
    const parent = `${COINBASE}${'11'.repeat(32)}02${'22'.repeat(64)}00000000${'00'}00000000${HEADER}`
    const block = parseBlock(bytes(`${version}${HEADER.slice(8)}${parent}01${COINBASE}`))
    expect(block.transactions.map((transaction) => transaction.id)).toEqual([GENESIS_ID])
    // A version that merely has that bit among BIP 9's is an ordinary block.
    const signalling = parseBlock(bytes(`00010020${HEADER.slice(8)}01${COINBASE}`))
    expect(signalling.transactions).toHaveLength(1)
  })

  test('is the first that Dogecoin’s main network mined beside another chain', () => {
    const file = new URL('../../../../test/chains/dogecoin-block-371337.hex', import.meta.url)
    const raw = bytes(readFileSync(file, 'utf8').replace(/\s/g, ''))
    const block = parseBlock(raw)
    expect(block.hash).toBe('60323982f9c5ff1b5a954eac9dc1269352835f47c2c5222691d80f0d50dcf053')
    expect(block.transactions).toHaveLength(6)
  })

  test('that lacks a transaction, or holds a changed one, is refused [SETTLE-20]', () => {
    expect(() => parseBlock(bytes(`${HEADER}00`))).toThrow('does not hold what its header says')
    const changed = COINBASE.replace('00f2052a01000000', '00f2052a02000000')
    expect(() => parseBlock(bytes(`${HEADER}01${changed}`))).toThrow('does not hold what its header says')
  })

  test('that ends too early is refused', () => {
    expect(() => parseBlock(bytes(`${HEADER}01${COINBASE.slice(0, -20)}`))).toThrow('ends too early')
  })
})

describe('a raw transaction', () => {
  const [version, body, lockTime] = [COINBASE.slice(0, 8), COINBASE.slice(8, -8), COINBASE.slice(-8)]

  test('has the same id with a witness, and with Litecoin’s extension flag', () => {
    expect(parseTransaction(bytes(`${version}0001${body}0120${'00'.repeat(32)}${lockTime}`)).id).toBe(
      GENESIS_ID,
    )
    expect(parseTransaction(bytes(`${version}0008${body}00${lockTime}`)).id).toBe(GENESIS_ID)
    expect(parseTransaction(bytes(`${version}0009${body}0120${'00'.repeat(32)}00${lockTime}`)).id).toBe(
      GENESIS_ID,
    )
  })

  test('that carries an extension block’s own data is not read', () => {
    expect(() => parseTransaction(bytes(`${version}0008${body}01${lockTime}`))).toThrow('extension')
  })
})
