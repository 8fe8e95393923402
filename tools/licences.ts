// Writes docs/dependencies.md: every package of a production install, its licence and its size. Fails on a licence that
// is not on the list of allowed ones.
import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Licences that only require attribution; MPL-2.0 also covers changes to its own files, and we make none. */
const allowed = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Unlicense',
  'CC0-1.0',
  'MPL-2.0',
  'Python-2.0',
])
const FILE = 'docs/dependencies.md'

interface Locked {
  version?: string
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
  license?: string
  link?: boolean
}
interface Package {
  name: string
  version: string
  licence: string
  kilobytes: number | undefined
  optional: boolean
}

const root = join(import.meta.dirname, '..')
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))

/** `a OR b` is allowed if one of them is, `a AND b` if both are. */
const isAllowed = (licence: string): boolean =>
  licence
    .replaceAll(/[()]/g, '')
    .split(/ OR /i)
    .some((choice) => choice.split(/ AND /i).every((name) => allowed.has(name.trim())))

function packages(): Package[] {
  const locked: Record<string, Locked> = read('package-lock.json').packages
  return Object.entries(locked)
    .filter(([path, { dev, devOptional, link }]) => path !== '' && !dev && !devOptional && !link)
    .map(([path, entry]) => ({
      name: path.split('node_modules/').at(-1)!,
      version: entry.version ?? '',
      licence: entry.license ?? licenceOf(path) ?? 'unknown',
      kilobytes: sizeOf(join(root, path)),
      optional: entry.optional === true,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function licenceOf(path: string): string | undefined {
  try {
    return read(join(path, 'package.json')).license
  } catch {
    return undefined
  }
}

/** Without nested packages, which are listed separately; undefined if it is not installed on this platform. */
function sizeOf(folder: string): number | undefined {
  const bytes = (path: string): number => {
    const stat = lstatSync(path)
    if (!stat.isDirectory()) return stat.size
    const inside = readdirSync(path).filter((name) => name !== 'node_modules')
    return inside.reduce((sum, name) => sum + bytes(join(path, name)), 0)
  }
  try {
    return Math.ceil(bytes(folder) / 1024)
  } catch {
    return undefined
  }
}

const thousands = (value: number) => value.toLocaleString('en')

function report(list: readonly Package[]): string {
  const own = new Set(Object.keys(read('package.json').dependencies))
  const needed = list.filter((entry) => !entry.optional)
  const total = needed.reduce((sum, { kilobytes }) => sum + (kilobytes ?? 0), 0)
  const counts = Map.groupBy(list, ({ licence }) => licence)
  const row = ({ name, version, licence, kilobytes, optional }: Package) =>
    `| ${own.has(name) ? `**${name}**` : name} | ${version} | ${licence} | ${kilobytes === undefined ? '–' : thousands(kilobytes)} | ${optional ? 'yes' : ''} |`
  return `# Dependencies

Every package that a production install (\`npm ci --omit=dev\`) adds to Contrail's own code. Written by
\`npm run licences\`, which fails on a licence that is not on its list; do not edit by hand.

${list.length} packages, ${needed.length} of them on every machine, ${thousands(Math.round(total / 1024))} MB as installed. Bold: chosen by us.
An optional package is for one kind of machine; those without a size are for other machines than the one that wrote this.

| licence | packages |
|---|---|
${[...counts]
  .sort(([, a], [, b]) => b.length - a.length)
  .map(([licence, of]) => `| ${licence} | ${of.length} |`)
  .join('\n')}

| package | version | licence | kB | optional |
|---|---|---|---|---|
${list.map(row).join('\n')}
`
}

const list = packages()
writeFileSync(join(root, FILE), report(list))
const unknown = list.filter(({ licence }) => !isAllowed(licence))
for (const { name, version, licence } of unknown) {
  process.stderr.write(`${name}@${version} has the licence ${licence}, which is not on the list\n`)
}
process.stdout.write(`wrote ${FILE}: ${list.length} packages\n`)
process.exitCode = unknown.length > 0 ? 1 : 0
