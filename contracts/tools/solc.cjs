#!/usr/bin/env node
// forge asks a compiler for its version and hands it standard JSON; this one is the npm package's, so that nothing is downloaded.
if (process.argv.includes('--version')) {
  // Forge reads the number alone, and asks at every start: loading the compiler for its commit would take a second each time.
  const { version } = require('solc/package.json')
  console.log(`solc, the solidity compiler commandline interface\nVersion: ${version}+commit.00000000.Linux.g++`)
} else {
  const solc = require('solc')
  const chunks = []
  process.stdin.on('data', (chunk) => chunks.push(chunk))
  process.stdin.on('end', () => process.stdout.write(solc.compile(Buffer.concat(chunks).toString('utf8'))))
}
