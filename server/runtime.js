// Finds a Node that can run Contrail. Plain JavaScript that an old Node can read, so that it can start a newer one or say
// what to install. `server/run.js` starts the program with it, `tools/node.js` everything else.
import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const OLDEST = 24
const PARENT_CHECK_MS = 250

const isSuitable = (version) => Number.parseInt(version, 10) >= OLDEST

/** The path of a suitable runtime: the present one, else the one that npm installed along. Undefined after saying why not. */
export function suitableRuntime() {
  if (isSuitable(process.versions.node)) return process.execPath
  const { path, problem } = findBundled()
  if (path) return path
  const fix = problem.includes('libatomic')
    ? 'Install libatomic (Debian, Ubuntu: apt-get install libatomic1; Fedora: dnf install libatomic) or'
    : 'Install'
  process.stderr.write(
    `contrail: needs Node ${OLDEST} or newer; this is ${process.versions.node}, and ${problem}. ${fix} Node ${OLDEST} or newer (https://nodejs.org).\n`,
  )
  process.exitCode = 1
  return undefined
}

/** The bundled runtime, if this system can run it: it needs Linux with glibc and libatomic. */
function findBundled() {
  const name = `node-${process.platform}-${process.arch}`
  const path = fileURLToPath(new URL(`../node_modules/${name}/bin/node`, import.meta.url))
  const { error, status, stdout, stderr } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  if (status === 0 && isSuitable(stdout.replace('v', ''))) return { path }
  if (error?.code === 'ENOENT') return { problem: 'no runtime for this system came with the packages' }
  if (status === 0) return { problem: `the bundled runtime is too old (${stdout.trim()})` }
  const reason = (stderr || error?.message || `exit code ${status}`).trim().split('\n')[0]
  return { problem: `the bundled runtime does not run here (${reason})` }
}

/**
 * Started by npm, a signal to npm ends the shell between npm and this process but not always this process. Its parent
 * has then changed, which counts as the signal to stop.
 */
export function stopWithNpm() {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, PARENT_CHECK_MS)
  watch.unref()
}

/** Runs a command line in a runtime and ends as it ends; signals reach it. */
export function runIn(runtime, args) {
  stopWithNpm()
  const child = spawn(runtime, args, { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(`contrail: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    // Ends the way the child did, so that a supervisor sees what happened.
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
