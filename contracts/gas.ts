import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import {
  type Abi,
  type Address,
  createTestClient,
  encodeDeployData,
  type Hex,
  http,
  keccak256,
  maxUint256,
  numberToHex,
  parseEther,
  parseSignature,
  publicActions,
  toHex,
  walletActions,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import {
  distributorAbi,
  distributorFactoryAbi,
  escrowFactoryAbi,
  saleEscrowAbi,
  saleTokenAbi,
  tokenFactoryAbi,
} from './artifacts/abi.ts'
import type { ContractName } from './compiler.ts'

const START = 1_800_000_000
const DAY = 86_400
const PLACES = 1000
/** The tokens of every order and row: 123.4567891. */
const TOKENS = 1234567891n * 10n ** 11n
const CAP = 10n ** 24n
const quoteKey = privateKeyToAccount(keccak256(toHex('quote key')))
const payer = privateKeyToAccount(keccak256(toHex('payer')))
const treasury = privateKeyToAccount(keccak256(toHex('treasury'))).address
const SCHEDULE = { startBps: 2000, cliff: 0, linear: 180 * DAY }
const QUOTE = [
  { name: 'orderId', type: 'bytes32' },
  { name: 'payer', type: 'address' },
  { name: 'beneficiary', type: 'address' },
  { name: 'asset', type: 'address' },
  { name: 'amount', type: 'uint256' },
  { name: 'tokens', type: 'uint256' },
  { name: 'validUntil', type: 'uint256' },
] as const
const PERMIT = [
  { name: 'owner', type: 'address' },
  { name: 'spender', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
] as const

const clientOf = (url: string) =>
  createTestClient({ mode: 'anvil', chain: foundry, transport: http(url), cacheTime: 0, pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
type Client = ReturnType<typeof clientOf>

const someone = (number: number): Address => `0x${keccak256(numberToHex(number, { size: 32 })).slice(2, 42)}`
const idOf = (order: number): Hex => numberToHex(order, { size: 32 })

/** Records costs from receipts. */
class Meter {
  readonly #client: Client
  readonly #codes: Record<ContractName, Hex>
  readonly figures: Record<string, number> = {}
  seller: Address = zeroAddress

  constructor(client: Client, codes: Record<ContractName, Hex>) {
    this.#client = client
    this.#codes = codes
  }

  async begin(): Promise<void> {
    await this.#client.setAutomine(true)
    const [first = zeroAddress] = await this.#client.getAddresses()
    this.seller = first
    for (const address of [payer.address, treasury])
      await this.#client.setBalance({ address, value: parseEther('1000') })
    await this.#client.impersonateAccount({ address: payer.address })
  }

  async deploy(name: ContractName, abi: Abi, args: readonly unknown[]): Promise<Address> {
    const data = encodeDeployData({ abi, bytecode: this.#codes[name], args: args as unknown[] })
    const hash = await this.#client.sendTransaction({ account: this.seller, data, gas: 10_000_000n })
    const receipt = await this.#client.waitForTransactionReceipt({ hash })
    if (!receipt.contractAddress) throw new Error(`${name} was not deployed`)
    this.figures[`deploy ${name}`] ??= Number(receipt.gasUsed)
    return receipt.contractAddress
  }

  /** `figure` names the cost, divided by `parts`. */
  async call(
    { address, abi }: { address: Address; abi: Abi },
    functionName: string,
    args: readonly unknown[],
    { from = this.seller, value = 0n, figure = '', parts = 1 } = {},
  ): Promise<void> {
    const hash = await this.#client.writeContract({
      account: from as Address,
      address,
      abi,
      functionName,
      args: args as unknown[],
      value,
      gas: 20_000_000n,
    })
    const { gasUsed, status } = await this.#client.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`${functionName} reverted`)
    if (figure) this.figures[figure] = Math.ceil(Number(gasUsed) / parts)
  }

  /** Makes a contract and returns its address. */
  async make(
    factory: { address: Address; abi: Abi },
    args: readonly unknown[],
    figure: string,
  ): Promise<Address> {
    const { result } = await this.#client.simulateContract({
      ...factory,
      account: this.seller,
      functionName: 'make',
      args: args as unknown[],
    })
    await this.call(factory, 'make', args, { figure })
    return result as Address
  }

  async to(time: number): Promise<void> {
    await this.#client.setNextBlockTimestamp({ timestamp: BigInt(time) })
    await this.#client.mine({ blocks: 1 })
  }
}

interface Round {
  readonly token: { address: Address; abi: Abi }
  readonly dollar: { address: Address; abi: Abi }
  readonly escrow: { address: Address; abi: Abi }
}

function roundTerms(seller: Address, token: Address, closeAt: number, assets: readonly Address[]) {
  return {
    token,
    seller,
    treasury,
    quoteKey: quoteKey.address,
    capTokens: CAP,
    closeAt,
    deliverBy: closeAt + 30 * DAY,
    review: 0,
    lockFirst: false,
    schedule: SCHEDULE,
    assets,
  }
}

async function makeRound(meter: Meter, closeAt: number): Promise<Round> {
  const make = async (symbol: string) => ({
    abi: saleTokenAbi as Abi,
    address: await meter.deploy('SaleToken', saleTokenAbi as Abi, [
      symbol,
      symbol,
      [meter.seller, payer.address],
      [10n ** 27n, 10n ** 27n],
    ]),
  })
  const token = await make('HON')
  const dollar = await make('USD')
  const terms = roundTerms(meter.seller, token.address, closeAt, [zeroAddress, dollar.address])
  const address = await meter.deploy('SaleEscrow', saleEscrowAbi as Abi, [terms])
  await meter.call(dollar, 'approve', [address, maxUint256 / 2n], { from: payer.address })
  return { token, dollar, escrow: { address, abi: saleEscrowAbi as Abi } }
}

async function signedQuote(round: Round, order: number, asset: Address, beneficiary: Address) {
  const quote = {
    orderId: idOf(order),
    payer: payer.address,
    beneficiary,
    asset,
    amount: 25n * 10n ** 17n,
    tokens: TOKENS,
    validUntil: BigInt(START + 5 * 365 * DAY),
  }
  const signature = await quoteKey.signTypedData({
    domain: {
      name: 'SaleEscrow',
      version: '1',
      chainId: foundry.id,
      verifyingContract: round.escrow.address,
    },
    types: { Quote: QUOTE },
    primaryType: 'Quote',
    message: quote,
  })
  return { quote, signature }
}

async function pay(
  meter: Meter,
  round: Round,
  order: number,
  isNative: boolean,
  figure: string,
): Promise<void> {
  const asset = isNative ? zeroAddress : round.dollar.address
  const { quote, signature } = await signedQuote(round, order, asset, someone(order % 2))
  const value = isNative ? quote.amount : 0n
  await meter.call(round.escrow, 'pay', [quote, signature], { from: payer.address, value, figure })
}

async function payWithPermit(meter: Meter, round: Round, order: number, figure: string): Promise<void> {
  const { quote, signature } = await signedQuote(round, order, round.dollar.address, someone(order % 2))
  const deadline = quote.validUntil
  const permit = await payer.signTypedData({
    domain: { name: 'USD', version: '1', chainId: foundry.id, verifyingContract: round.dollar.address },
    types: { Permit: PERMIT },
    primaryType: 'Permit',
    message: {
      owner: payer.address,
      spender: round.escrow.address,
      value: quote.amount,
      nonce: 0n,
      deadline,
    },
  })
  const { r, s, v = 27n } = parseSignature(permit)
  const args = [quote, signature, { deadline, v: Number(v), r, s }]
  await meter.call(round.escrow, 'payWithPermit', args, { from: payer.address, figure })
}

/** A round paid in both ways, delivered and claimed. */
async function measureDelivery(meter: Meter, orders: number, closeAt: number): Promise<void> {
  const round = await makeRound(meter, closeAt)
  const { escrow, token } = round
  await pay(meter, round, 1, true, 'pay native, first order of a round')
  await pay(meter, round, 2, false, 'pay ERC-20, first of its asset')
  await pay(meter, round, 3, true, 'pay native')
  await pay(meter, round, 4, false, 'pay ERC-20')
  await payWithPermit(meter, round, 5, 'pay ERC-20 with permit')
  for (let order = 6; order <= orders; order += 1) await pay(meter, round, order, true, '')
  await meter.to(closeAt)
  const owed = BigInt(orders) * TOKENS
  await meter.call(token, 'approve', [escrow.address, owed])
  await meter.call(escrow, 'deliver', [owed], { figure: `deliver, ${orders} orders` })
  // In the same second a claim would sometimes skip the curve.
  await meter.to(closeAt + DAY)
  await meter.call(escrow, 'proceeds', [zeroAddress], { figure: 'proceeds native' })
  await meter.call(escrow, 'proceeds', [round.dollar.address], { figure: 'proceeds ERC-20' })
  await meter.call(escrow, 'claim', [idOf(1)], { figure: 'claim, first order of a round to a new holder' })
  await meter.call(escrow, 'claim', [idOf(2)], { figure: 'claim, to a new holder' })
  await meter.call(escrow, 'claim', [idOf(3)], { figure: 'claim' })
  await meter.to(closeAt + 100 * DAY)
  await meter.call(escrow, 'claim', [idOf(3)], { figure: 'claim, later' })
}

/** A round that is locked first, with one order cancelled before. */
async function measureRefund(meter: Meter): Promise<void> {
  const closeAt = START + 350 * DAY
  const round = await makeRound(meter, closeAt)
  const { escrow, token } = round
  await meter.call(token, 'approve', [escrow.address, CAP])
  await meter.call(escrow, 'lock', [], { figure: 'lock' })
  for (let order = 1; order <= 8; order += 1) await pay(meter, round, order, order % 2 === 1, '')
  await meter.call(escrow, 'cancelOrder', [idOf(1)], { figure: 'cancel an order' })
  await meter.call(escrow, 'refund', [idOf(1)], { figure: 'refund native, cancelled' })
  await meter.to(closeAt + 31 * DAY)
  await meter.call(escrow, 'refund', [idOf(3)], { figure: 'refund native' })
  await meter.call(escrow, 'refund', [idOf(2)], { figure: 'refund ERC-20' })
  const to = someone(77)
  await meter.call(escrow, 'refundTo', [idOf(5), to], {
    from: payer.address,
    figure: 'refund native to a new address',
  })
  await meter.call(escrow, 'refundTo', [idOf(4), to], {
    from: payer.address,
    figure: 'refund ERC-20 to a new holder',
  })
}

async function measureDistributor(meter: Meter): Promise<void> {
  const begin = START + 500 * DAY
  const listed = Array.from({ length: PLACES }, (_, place): [string, string, string] => [
    String(place),
    someone(place + 1000),
    String(TOKENS),
  ])
  const tree = StandardMerkleTree.of(listed, ['uint256', 'address', 'uint256'])
  const token = {
    abi: saleTokenAbi as Abi,
    address: await meter.deploy('SaleToken', saleTokenAbi as Abi, [
      'HON',
      'HON',
      [meter.seller],
      [10n ** 27n],
    ]),
  }
  const total = TOKENS * BigInt(PLACES)
  const terms = {
    token: token.address,
    root: tree.root,
    total,
    start: begin,
    schedule: SCHEDULE,
    leftoverTo: treasury,
    leftoverFrom: begin + 600 * DAY,
  }
  const address = await meter.deploy('Distributor', distributorAbi as Abi, [terms])
  const distributor = { address, abi: distributorAbi as Abi }
  await meter.call(token, 'approve', [address, total])
  await meter.call(distributor, 'fund', [], { figure: 'fund a distributor' })
  await meter.to(begin + DAY)
  const row = (place: number) => ({
    place,
    account: someone(place + 1000),
    tokens: TOKENS,
    proof: tree.getProof(place),
  })
  const rows = (from: number, parts: number) => Array.from({ length: parts }, (_, i) => row(from + i))
  await meter.call(distributor, 'claim', [row(0)], { figure: 'distributor: claim, first of all' })
  await meter.call(distributor, 'claim', [row(1)], { figure: 'distributor: claim, to a new holder' })
  for (const [from, parts] of [
    [2, 1],
    [10, 20],
    [100, 100],
  ] as const)
    await meter.call(distributor, 'claimMany', [rows(from, parts)], {
      figure: `distributor: claimMany, each of ${parts}`,
      parts,
    })
  await meter.to(begin + 100 * DAY)
  await meter.call(distributor, 'claim', [row(0)], { figure: 'distributor: claim, later' })
}

/** Calls of the factories, which a seller makes. */
async function measureFactories(meter: Meter): Promise<void> {
  const closeAt = START + 700 * DAY
  const place = async (name: ContractName, abi: Abi, args: readonly unknown[]) => ({
    abi,
    address: await meter.deploy(name, abi, args),
  })
  const tokens = await place('TokenFactory', tokenFactoryAbi as Abi, [])
  const escrows = await place('EscrowFactory', escrowFactoryAbi as Abi, [tokens.address])
  const distributors = await place('DistributorFactory', distributorFactoryAbi as Abi, [tokens.address])
  const salt = idOf(0)
  const token = await meter.make(tokens, ['HON', 'HON', [meter.seller], [10n ** 27n], salt], 'make a token')
  const terms = roundTerms(meter.seller, token, closeAt, [zeroAddress])
  await meter.make(escrows, [terms, salt], 'make an escrow')
  const list = { token, root: idOf(1), total: 1n, start: closeAt, schedule: SCHEDULE }
  const leftovers = { leftoverTo: treasury, leftoverFrom: closeAt + 600 * DAY }
  await meter.make(distributors, [{ ...list, ...leftovers }, salt], 'make a distributor')
}

/** Gas by receipts, with the transaction's 21,000 gas and its data. */
export async function measureGas(
  url: string,
  codes: Record<ContractName, Hex>,
): Promise<Record<string, number>> {
  const meter = new Meter(clientOf(url), codes)
  await meter.begin()
  await measureDelivery(meter, 20, START + 30 * DAY)
  await measureDelivery(meter, 60, START + 200 * DAY)
  await measureRefund(meter)
  await measureDistributor(meter)
  await measureFactories(meter)
  return meter.figures
}
