// Starts the server (or, with `cli`, the command line) in a suitable runtime.
import module from 'node:module'
import { runIn, stopWithNpm, suitableRuntime } from './runtime.js'

const runtime = suitableRuntime()
if (runtime === process.execPath) await start()
else if (runtime) runIn(runtime, [...process.execArgv, ...process.argv.slice(1)])

async function start() {
  // Hashing and compressing use two threads each at most; the rest read files. Set this before any thread is started.
  process.env.UV_THREADPOOL_SIZE ??= '8'
  // Compiled code is cached between starts: they are faster, and the compiler's memory is not needed again.
  module.enableCompileCache()
  const fail = (error) => {
    process.stderr.write(`contrail: ${error?.message ?? error}\n`)
    process.exit(1)
  }
  if (process.argv[2] === 'cli') {
    const { cli } = await import('./cli/cli.ts')
    await cli(process.argv.slice(3), process).catch(fail)
  } else {
    stopWithNpm()
    const { main } = await import('./process/main.ts')
    await main(process.env).catch(fail)
  }
}
