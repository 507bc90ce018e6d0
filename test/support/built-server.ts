// @ts-expect-error plain JavaScript, that runs before there is TypeScript
import { ensureServer } from '../../scripts/setup.mjs'

export default function setup(): void {
  ensureServer(process.execPath)
}
