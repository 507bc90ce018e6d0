import { parseSync } from 'vite'

export interface FunctionSize {
  readonly name: string
  readonly line: number
  readonly lines: number
  readonly parameters: number
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly params?: readonly unknown[]
  readonly id?: { readonly name?: string } | null
  readonly key?: { readonly name?: string; readonly value?: unknown }
}

/** Finds declarations, methods and arrows; nested ones count separately, too. */
export function functionsOf(path: string, text: string): FunctionSize[] {
  const found: FunctionSize[] = []
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length
  const visit = (value: unknown, name: string) => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item, name)
      return
    }
    if (value === null || typeof value !== 'object' || !('type' in value)) return
    const node = value as Node
    const own = node.id?.name ?? node.key?.name ?? (node.type === 'CallExpression' ? `${name}(…)` : name)
    if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) {
      const line = lineOf(node.start)
      const lines = lineOf(node.end) - line + 1
      found.push({ name: own, line, lines, parameters: node.params?.length ?? 0 })
    }
    for (const child of Object.values(node)) visit(child, own)
  }
  visit(parseSync(path, text).program, path)
  return found
}
