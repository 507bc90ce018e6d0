const powerOfTen = (exponent: number) => 10n ** BigInt(exponent)

export class Exact {
  static readonly zero = new Exact(0n, 1n)
  readonly #over: bigint
  readonly #under: bigint

  private constructor(over: bigint, under: bigint) {
    this.#over = over
    this.#under = under
  }

  /** Parses decimal digits with at most one point. */
  static of(text: string): Exact {
    const [whole = '', fraction = ''] = text.split('.')
    return new Exact(BigInt(whole + fraction), powerOfTen(fraction.length))
  }

  static sum(values: Iterable<Exact>): Exact {
    let total = Exact.zero
    for (const value of values) total = total.plus(value)
    return total
  }

  static least(...values: [Exact, ...Exact[]]): Exact {
    return values.reduce((least, value) => (value.isBelow(least) ? value : least))
  }

  static most(...values: [Exact, ...Exact[]]): Exact {
    return values.reduce((most, value) => (most.isBelow(value) ? value : most))
  }

  plus(other: Exact): Exact {
    return this.#under === other.#under
      ? new Exact(this.#over + other.#over, this.#under)
      : new Exact(this.#over * other.#under + other.#over * this.#under, this.#under * other.#under)
  }

  minus(other: Exact): Exact {
    return this.plus(new Exact(-other.#over, other.#under))
  }

  times(other: Exact): Exact {
    return new Exact(this.#over * other.#over, this.#under * other.#under)
  }

  over(other: Exact): Exact {
    return new Exact(this.#over * other.#under, this.#under * other.#over)
  }

  isBelow(other: Exact): boolean {
    return this.#over * other.#under < other.#over * this.#under
  }

  equals(other: Exact): boolean {
    return this.#over * other.#under === other.#over * this.#under
  }

  get isZero(): boolean {
    return this.#over === 0n
  }

  get isPositive(): boolean {
    return this.#over > 0n
  }

  rounded(decimals: number): Exact {
    const scale = powerOfTen(decimals)
    return new Exact((2n * this.#over * scale + this.#under) / (2n * this.#under), scale)
  }

  /** Truncates. */
  cut(decimals: number): Exact {
    const scale = powerOfTen(decimals)
    return new Exact((this.#over * scale) / this.#under, scale)
  }

  /** Rounds up; amounts are never negative. */
  up(decimals: number): Exact {
    const scale = powerOfTen(decimals)
    return new Exact((this.#over * scale + this.#under - 1n) / this.#under, scale)
  }

  /** The exponent is 0 for 4.5, −3 for 0.001. */
  get magnitude(): number {
    const scale = powerOfTen(60)
    return ((this.#over * scale) / this.#under).toString().length - 1 - 60
  }

  toString(): string {
    const digits = ((this.#over * powerOfTen(18)) / this.#under).toString().padStart(19, '0')
    return `${digits.slice(0, -18)}.${digits.slice(-18)}`.replace(/\.?0+$/, '')
  }
}
