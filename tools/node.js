// Runs Node in a suitable version, with its options and files as given: `node tools/node.js --watch server/run.js`.
import { runIn, suitableRuntime } from '../server/runtime.js'

const runtime = suitableRuntime()
if (runtime) runIn(runtime, process.argv.slice(2))
