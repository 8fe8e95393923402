// Starts the server (or, with `cli`, the command line). Plain JavaScript, so that a runtime that cannot read
// TypeScript still gets to hear why.
import module from 'node:module'

const OLDEST = 24
const major = Number(process.versions.node.split('.')[0])
if (major < OLDEST) {
  process.stderr.write(`contrail: needs Node ${OLDEST} or newer; this is ${process.versions.node}\n`)
  process.exit(1)
}
// Compiled code is kept between starts: faster, and the compiler's memory is not needed again.
module.enableCompileCache()
const fail = (error) => {
  process.stderr.write(`contrail: ${error?.message ?? error}\n`)
  process.exit(1)
}
if (process.argv[2] === 'cli') {
  const { cli } = await import('./cli.ts')
  await cli(process.argv.slice(3)).catch(fail)
} else {
  const { main } = await import('./main.ts')
  await main(process.env).catch(fail)
}
