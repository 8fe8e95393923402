// Deletes what a running server never reads from the packages of the image and of the Debian package: `node tools/prune.ts
// node_modules linux-x64`. The rules are fixed: a tracer of files would miss what is loaded only sometimes.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'

/** These stay, whatever they end in. */
const isLicence = /^(?:licen[cs]e|notice|copying)/i
const uselessFile = /\.(?:map|md|ts|mts|cts|sh|test\.[cm]?js)$/
/** Settings of development programs. */
const isHidden = (name: string) => name.startsWith('.')
const uselessFolder = /^(?:tests?|docs|examples?|benchmarks?|coverage)$/

/** Prunes every package below `node_modules`, for a platform such as linux-x64. */
function prune(folder: string, platform: string): void {
  for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )) {
    const path = join(folder, name)
    if (name.startsWith('@')) prune(path, platform)
    // The bundled runtime: the image and the Debian package have their own. And links to programs, which the server does not start.
    else if (name.startsWith('node-linux-') || isHidden(name)) rmSync(path, { recursive: true })
    else prunePackage(path, platform)
  }
}

function prunePackage(folder: string, platform: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory() && (uselessFolder.test(entry.name) || isHidden(entry.name)))
      rmSync(join(folder, entry.name), { recursive: true })
  if (basename(folder) === 'better-sqlite3') pruneSqlite(folder, platform)
  pruneFiles(folder)
  const nested = join(folder, 'node_modules')
  if (existsSync(nested)) prune(nested, platform)
}

/** Sources, and binaries for other systems. */
function pruneSqlite(folder: string, platform: string): void {
  for (const sources of ['deps', 'src']) rmSync(join(folder, sources), { recursive: true })
  for (const name of readdirSync(join(folder, 'prebuilds')))
    if (name !== `${platform}.node`) rmSync(join(folder, 'prebuilds', name))
}

function pruneFiles(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') pruneFiles(path)
    } else if (isHidden(entry.name) || (uselessFile.test(entry.name) && !isLicence.test(entry.name)))
      rmSync(path)
  }
}

if (import.meta.main) {
  const [folder, platform] = process.argv.slice(2)
  if (!folder || !platform) throw new Error('usage: node tools/prune.ts FOLDER PLATFORM')
  prune(folder, platform)
}
