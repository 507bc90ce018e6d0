// @ts-expect-error plain JavaScript, that runs before there is TypeScript
import { ensureServer } from '../../scripts/setup.mjs'

/** Global set-up: bundles the programs that tests start. */
export default function setup(): void {
  ensureServer(process.execPath)
}
