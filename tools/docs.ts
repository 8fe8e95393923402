// Builds the documentation site into web/dist/docs: README's run section, the pages of docs/, the changelog, the decisions and
// the API reference. All links are relative, so that one folder is served by every instance and by the public site. A link
// that leads nowhere fails the build.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Marked } from 'marked'
import { gfmHeadingId } from 'marked-gfm-heading-id'
import MiniSearch from 'minisearch'
import { apiPages } from './api-reference.ts'
import { between, documentOf, type Menu, plain, type RenderedPage } from './docs-page.ts'

/** Every page by group; docs/README.md links to the same files. The reference is at `api`, so docs/api.md is not. */
const navigation: Menu<Page> = {
  Begin: [
    { path: '', source: 'README.md', title: 'Start' },
    { path: 'imports', source: 'docs/imports.md', title: 'Import your flights' },
    { path: 'travel-day', source: 'docs/travel-day.md', title: 'The day of travel' },
  ],
  'Run it': [
    { path: 'operations', source: 'docs/operations.md', title: 'Running Contrail' },
    { path: 'settings', source: 'docs/settings.md', title: 'Settings' },
    { path: 'sign-in', source: 'docs/sign-in.md', title: 'Signing in' },
    { path: 'monitoring', source: 'docs/monitoring.md', title: 'Monitoring and limits' },
    { path: 'postgresql', source: 'docs/postgresql.md', title: 'PostgreSQL' },
    { path: 'performance', source: 'docs/performance.md', title: 'Performance' },
    { path: 'scaling', source: 'docs/scaling.md', title: 'Scaling' },
  ],
  'Connect programs': [
    { path: 'programs', source: 'docs/api.md', title: 'Writing a program' },
    { path: 'api/', source: 'docs/openapi.yaml', title: 'API reference' },
    { path: 'mcp', source: 'docs/mcp.md', title: 'AI assistants' },
  ],
  Project: [
    { path: 'changelog', source: 'CHANGELOG.md', title: 'What’s new' },
    { path: 'threat-model', source: 'docs/threat-model.md', title: 'Threat model' },
    { path: 'decisions/', source: 'docs/decisions/README.md', title: 'Decisions' },
    { path: 'dependencies', source: 'docs/dependencies.md', title: 'Dependencies' },
  ],
}
const listed = Object.values(navigation).flat()

/** A page that is written from the file `source`. */
interface Page {
  path: string
  source: string
  title: string
}

const marked = new Marked(gfmHeadingId())
/** Files that pages may refer to, below docs/. */
const copied = /^docs\/((?:pictures|examples)\/.*|openapi\.yaml)$/

/** The files of the site by name, from the checkout at `root`. */
export function renderDocs(root: string): Map<string, string | Buffer> {
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const find = (pattern: string) => globSync(pattern, { cwd: root }).map((file) => file.replaceAll('\\', '/'))
  const { version, repository } = JSON.parse(read('package.json'))
  requireListed(read(index.source), find('docs/*.md'))
  const decisions = find('docs/decisions/[0-9]*.md').map((source) => {
    return { path: `decisions/${basename(source, '.md')}`, source, title: titleOf(read(source)) }
  })
  const written = [...listed, ...decisions].filter(({ path }) => path !== 'api/')
  const { linked, files } = createLinks([...listed, ...decisions, index], version, repository)
  const bodyOf = (given: Page) => {
    const body = linked(marked.parse(textOf(given.source, read)) as string, given)
    return given.path === '' ? body + linked(marked.parse(startList(read)) as string, index) : body
  }
  const pages = [
    ...written.map((given) => ({ ...given, body: finished(bodyOf(given)) })),
    ...apiPages().map((given) => ({ ...given, body: finished(given.body) })),
  ]
  requireLinks(pages, files)
  const site = { menu: navigation, pages, version }
  return new Map<string, string | Buffer>([
    ...pages.map((given) => [fileOf(given.path), documentOf(given, site)] as const),
    ...[...files].map((name) => [name, readFileSync(join(root, 'docs', name))] as const),
    ...Object.entries(assets).map(([name, source]) => [`assets/${name}`, readAsset(source)] as const),
    ['assets/search.json', searchIndex(pages)],
  ])
}

/** Replaces the folder. Texts are also written compressed, for instances. Returns the number of bytes. */
export function writeDocs(files: ReadonlyMap<string, string | Buffer>, folder: string): number {
  rmSync(folder, { recursive: true, force: true })
  let bytes = 0
  for (const [name, content] of files) {
    const target = join(folder, name)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, content)
    bytes += Buffer.byteLength(content)
    if (!/\.(html|css|js|json|svg|yaml)$/.test(name)) continue
    const packed = gzipSync(content, { level: 9 })
    writeFileSync(`${target}.gz`, packed)
    bytes += packed.byteLength
  }
  return bytes
}

const fileOf = (path: string) => (path === '' || path.endsWith('/') ? `${path}index.html` : `${path}.html`)

/** By name below `assets/`; the style is made of the app's tokens and of our own rules. */
const assets: Record<string, string | string[]> = {
  'docs.css': ['assets/tokens.css', 'tools/docs/docs.css'],
  'docs.js': 'tools/docs/docs.js',
  'theme.js': 'web/public/theme.js',
  'icon.svg': 'web/public/icon.svg',
  'minisearch.js': 'node_modules/minisearch/dist/es/index.js',
  'inter-latin.woff2': 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  'inter-latin-ext.woff2': 'node_modules/@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2',
}

const readAsset = (source: string | string[]) =>
  Buffer.concat([source].flat().map((file) => readFileSync(join(import.meta.dirname, '..', file))))

/** Each file of docs/ is in the navigation and in docs/README.md. */
function requireListed(index: string, files: readonly string[]): void {
  const known = listed.map(({ source }) => source)
  const linked = [...index.matchAll(/\]\(([^)]*)\)/g)].map(([, target]) => posix.join('docs', target!))
  const faults = [
    ...files
      .filter((file) => file !== 'docs/README.md' && !known.includes(file))
      .map((file) => `${file} is in no group of \`navigation\` in tools/docs.ts`),
    ...known.filter((file) => !linked.includes(file)).map((file) => `docs/README.md has no link to ${file}`),
  ]
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

// Text

/** docs/README.md, which is a part of the start page. */
const index: Page = { path: '', source: 'docs/README.md', title: 'Start' }

function textOf(source: string, read: (file: string) => string): string {
  if (source === 'CHANGELOG.md') return changelogText(read(source))
  if (source !== 'README.md') return read(source)
  const section = read(source)
    .split(/^(?=## )/m)
    .find((part) => part.startsWith('## Run it\n'))
  if (!section)
    throw new Error('README.md has no section "## Run it"; it is the start page of the documentation')
  return `# Contrail\n\n${JSON.parse(read('package.json')).description}.\n\n${section}`
}

const startList = (read: (file: string) => string) => read(index.source).replace(/^# /m, '## ')

/** Without the part of the next version while nothing is in it. */
const changelogText = (text: string) =>
  text
    .replace(/^## \[Unreleased\]\s+(?=## )/m, '')
    .replace(/^## \[([^\]]+)\]/gm, '## $1')
    .replace(/^(## \S+) - (\S+)$/gm, '$1 · $2')

const titleOf = (text: string) => /^# (.*)$/m.exec(text)![1]!

/** Links between files of the checkout become links between pages. `files` collects the others that the site needs. */
function createLinks(pages: readonly Page[], version: string, repository: string) {
  const paths = new Map(pages.map(({ source, path }) => [source, path]))
  const [, project] = /^github:(.+)$/.exec(repository)!
  const published = project!.startsWith('OWNER/')
    ? undefined
    : `https://github.com/${project}/blob/v${version}`
  const files = new Set(['openapi.yaml'])
  const place = (target: string, { source, path }: Page): string | undefined => {
    if (/^(?:[a-z]+:|#)/.test(target)) return target
    const [file = '', hash] = posix.join(dirname(source), target).split('#')
    const [, copy] = copied.exec(file) ?? []
    const found = paths.get(file) ?? copy
    const suffix = hash === undefined ? '' : `#${hash}`
    // The rest is on the site of the project, if there is one yet; else the text remains.
    if (found === undefined) return published && `${published}/${file}${suffix}`
    if (!paths.has(file)) files.add(found)
    return between(path, found) + suffix
  }
  const linked = (body: string, given: Page) => {
    const titles = new Map(pages.map(({ path, title }) => [between(given.path, path), title]))
    return body
      .replace(
        /<a href="([^"]*)"([^>]*)>([\s\S]*?)<\/a>/g,
        (_, href: string, rest: string, inner: string) => {
          const to = place(href, given)
          if (to === undefined) return inner
          // A file's name means nothing on the site.
          const text = /^[\w./-]+\.(?:md|yaml)$|^(?:README|CHANGELOG)$/.test(inner)
            ? titles.get(to.split('#')[0]!)
            : ''
          return `<a href="${to}"${rest}>${text || inner}</a>`
        },
      )
      .replace(
        /(<img[^>]* src=)"([^"]*)"/g,
        (_, before, src) => `${before}"${place(src, given)}" loading="lazy"`,
      )
  }
  return { linked, files }
}

/** Without comments. Headings link to themselves. Tables and code scroll by keyboard where they are too wide. A version's anchor is its number. */
const finished = (body: string): string =>
  body
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<h2 id="[^"]*">(\d+\.\d+\.\d+[^ <]*)/g, '<h2 id="v$1">$1')
    .replace(/<(h[23]) id="([^"]*)">((?:(?!<a ).)*?)<\/\1>/g, '<$1 id="$2"><a href="#$2">$3</a></$1>')
    .replaceAll('<table', '<div class="scroll" role="group" aria-label="Table" tabindex="0"><table')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">')

// Search and links

/** The parts of pages between headings. tools/docs/docs.js reads the index with the same options. */
function searchIndex(pages: readonly RenderedPage[]): string {
  const index = new MiniSearch({ fields: ['title', 'page', 'text'], storeFields: ['title', 'page', 'text'] })
  for (const { path, title, body } of pages)
    for (const part of body
      .replace(/<table class="fields">[\s\S]*?<\/table>/g, '')
      .split(/(?=<h[23] id=")/)) {
      const [all = '', , id, heading] = /^<(h[23]) id="([^"]*)">([\s\S]*?)<\/\1>/.exec(part) ?? []
      const text = plain(part.slice(all.length))
      index.add({
        id: id ? `${path}#${id}` : path,
        page: title,
        title: heading ? plain(heading) : title,
        text,
      })
    }
  return JSON.stringify(index)
}

function requireLinks(pages: readonly RenderedPage[], files: ReadonlySet<string>): void {
  const idsOf = (body: string) => new Set([...body.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))
  const anchors = new Map(pages.map(({ path, body }) => [path, idsOf(body)]))
  const leads = ({ protocol, pathname, hash }: URL) => {
    const ids = anchors.get(pathname.slice(1))
    if (protocol !== 'docs:' || files.has(pathname.slice(1))) return true
    return ids !== undefined && (hash === '' || ids.has(decodeURIComponent(hash.slice(1))))
  }
  const faults = pages.flatMap(({ path, body }) =>
    [...body.matchAll(/ (?:href|src)="([^"]*)"/g)]
      .filter(([, target]) => !leads(new URL(target!.replaceAll('&amp;', '&'), `docs:/${path}`)))
      .map(([, target]) => `${fileOf(path)}: the link ${target} leads nowhere`),
  )
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

// With --check, nothing is written.
if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  try {
    const files = renderDocs(root)
    if (!process.argv.includes('--check')) writeDocs(files, join(root, 'web/dist/docs'))
  } catch (error) {
    process.stderr.write(`docs: ${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  }
}
