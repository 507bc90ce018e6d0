// @ts-expect-error plain JavaScript, that runs before there is TypeScript
import { ensureServer } from '../../scripts/setup.mjs'

/** Global set-up: the programs that tests start are bundled from the sources as they are. */
export default function setup(): void {
  ensureServer(process.execPath)
}
