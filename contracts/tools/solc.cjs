#!/usr/bin/env node
// forge asks a compiler for its version and hands it standard JSON; this one is the npm package's, so that nothing is downloaded.
const solc = require('solc')

if (process.argv.includes('--version')) {
  console.log('solc, the solidity compiler commandline interface')
  console.log(`Version: ${solc.version().replace('.Emscripten.clang', '.Linux.g++')}`)
} else {
  const chunks = []
  process.stdin.on('data', (chunk) => chunks.push(chunk))
  process.stdin.on('end', () => process.stdout.write(solc.compile(Buffer.concat(chunks).toString('utf8'))))
}
