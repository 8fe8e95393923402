// The architecture as a test: imports point down, without cycles, each library is imported from one place, and the web app
// imports only rules from the server.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { test } from 'node:test'

/** The floors of `server/`, from the top, with the rooms of those that have some. A file may import its own room, the rooms of its
 * floor that come after it, and the floors below. `.` is the files of the floor that are in no room. */
const floors: Record<string, readonly string[]> = {
  cli: ['.'],
  process: ['.'],
  doctor: ['.'],
  'app.ts': ['.'],
  http: ['oauth', 'sign-in', 'mcp', 'legacy', '.'],
  operations: rooms(
    '. push status history intake entry statistics accounts sharing imports people instance webhooks trips flights reference access wire',
  ),
  door: ['.'],
  services: rooms(
    'metrics push lookup statistics backup instance imports webhooks reference accounts access preview intake',
  ),
  pages: ['.'],
  store: rooms(
    'trips instance imports reference people webhooks push status flights uploads history . sharing statistics entry intake access accounts migrations engine',
  ),
  base: ['response', 'request', 'network', 'secret', '.'],
  domain: rooms(
    'push entry sharing statistics history people status flights imports instance reference trips formats accounts webhooks intake geo time . access text',
  ),
}

/** The folders of `web/src`, from the top. Each imports itself and those after it. `sign-in` is the script of the server's pages. */
const webFolders = rooms(
  'main.ts shell settings flights today trips share notices stats map visited screen imports history line queue draft log globe lib session api i18n sign-in',
)

const FILES_IN_A_FOLDER = 25

function rooms(names: string): string[] {
  return names.split(' ')
}

/** The files that may import a library. */
const homes: Record<string, RegExp> = {
  kysely: /^store\//,
  'better-sqlite3': /^store\//,
  pg: /^store\//,
  fastify: /^(app\.ts|http\/|pages\/)/,
  '@modelcontextprotocol/': /^http\/mcp\//,
  './zone-rules.ts': /^domain\/time\/time\.ts$/,
  './zone-rules.json': /^domain\/time\/zone-rules\.ts$/,
  'geographiclib-geodesic': /^domain\/geo\/geo\.ts$/,
  '@node-rs/argon2': /^services\/accounts\/passwords\.ts$/,
  '@simplewebauthn/server': /^services\/accounts\/passkeys\.ts$/,
  jose: /^services\/(accounts\/(logout-token|provider)|push\/vapid)\.ts$/,
  http_ece: /^services\/push\/message\.ts$/,
  'openid-client': /^services\/accounts\/provider\.ts$/,
  nodemailer: /^services\/accounts\/mailer\.ts$/,
  yaml: /^(http|services\/imports)\//,
  'read-excel-file': /^services\/imports\/content\//,
  fflate: /^services\/imports\/content\//,
  htmlparser2: /^services\/imports\/content\//,
  'ical.js': /^services\/imports\/content\//,
  'zxing-wasm': /^services\/imports\/content\/barcodes\.ts$/,
  '@jsquash/webp': /^services\/imports\/content\/webp\.ts$/,
  unpdf: /^services\/imports\/content\/(pdf|drawn)\.ts$/,
  'postal-mime': /^services\/imports\/content\/mail\.ts$/,
  'd3-geo': /^domain\/sharing\/card\.ts$/,
  'topojson-client': /^services\/preview\//,
  '@resvg/resvg-js': /^services\/preview\//,
  'prom-client': /^services\/metrics\//,
  imapflow: /^services\/intake\/imap\.ts$/,
  'smtp-server': /^process\/mail-in\.ts$/,
}

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: object }
/** No file of the server may import these: libraries of the web app, and new ones. Every floor uses zod. */
const homeless = Object.keys(dependencies).filter(
  (library) => library !== 'zod' && !Object.keys(homes).some((known) => library.startsWith(known)),
)

const serverFiles = globSync('server/**/*.ts')
const webFiles = globSync(['web/src/**/*.ts', 'web/src/**/*.svelte'])
const generators = globSync('tools/reference/*.ts')
const floorNames = Object.keys(floors)
const floorOf = (file: string) => relative('server', file).split('/')[0]!
const roomOf = (file: string) => relative('server', file).split('/').slice(1, -1)[0] ?? '.'
const webFolderOf = (file: string) => relative('web/src', file).split('/')[0]!
const isTest = (file: string) => file.includes('.test.') || file.startsWith('web/src/testing/')

/** Every specifier in an import, an export or a call of `import()`, including type-only imports. */
function importsOf(file: string): string[] {
  const source = readFileSync(file, 'utf8')
  const pattern = /^\s*(?:import|export)\b[^'"`;=(]*?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm
  return [...source.matchAll(pattern)].map((match) => (match[1] ?? match[2])!)
}

/** Specifiers of our own files, without what follows `?`, as paths from the root. */
const ownImportsOf = (file: string) =>
  importsOf(file)
    .filter((target) => target.startsWith('.'))
    .map((target) => join(dirname(file), target.split('?')[0]!))

test('every file of the server has a floor and a room', () => {
  const unknown = serverFiles.filter((file) => !floors[floorOf(file)]?.includes(roomOf(file)))
  assert.deepEqual(unknown, [])
  const used = new Set(serverFiles.map((file) => `${floorOf(file)}/${roomOf(file)}`))
  const listed = floorNames.flatMap((floor) => floors[floor]!.map((room) => `${floor}/${room}`))
  assert.deepEqual(
    listed.filter((room) => !used.has(room)),
    [],
  )
})

test('imports go only to lower floors, and to later rooms of the same floor', () => {
  const heightOf = (file: string) => floorNames.indexOf(floorOf(file))
  const depthOf = (file: string) => floors[floorOf(file)]!.indexOf(roomOf(file))
  const pointsUp = (file: string, target: string) =>
    heightOf(target) < heightOf(file) ||
    (heightOf(target) === heightOf(file) && depthOf(target) < depthOf(file))
  const wrong = serverFiles.flatMap((file) =>
    ownImportsOf(file)
      .filter((target) => !target.startsWith('server/') || pointsUp(file, target))
      .map((target) => `${file} imports ${target}`),
  )
  assert.deepEqual(wrong, [])
})

test('the folders of the web app import in one direction', () => {
  const files = webFiles.filter((file) => !isTest(file))
  const depthOf = (file: string) => webFolders.indexOf(webFolderOf(file))
  const wrong = files.flatMap((file) =>
    ownImportsOf(file)
      .filter(
        (target) =>
          target.startsWith('web/src/') && !target.endsWith('.css') && depthOf(target) < depthOf(file),
      )
      .map((target) => `${file} imports ${target}`),
  )
  assert.deepEqual(wrong, [])
  assert.deepEqual(
    files.filter((file) => depthOf(file) < 0),
    [],
  )
})

test('a folder has at most 25 files, and no file repeats the name of its room', () => {
  const files = [...serverFiles, ...webFiles].filter(
    (file) => !isTest(file) && !/\/(i18n|migrations)\//.test(file),
  )
  const counts = Map.groupBy(files, dirname)
  assert.deepEqual(
    [...counts].filter(([, inside]) => inside.length > FILES_IN_A_FOLDER).map(([folder]) => folder),
    [],
  )
  assert.deepEqual(
    files.filter((file) => basename(file).startsWith(`${basename(dirname(file))}-`)),
    [],
  )
})

/** Suites about more than one room: ways in, who calls, what runs, faults. */
const otherSuites = rooms(
  'clients data door e2e faults image legacy line lookup mcp oauth oidc operator running security formats geo text time',
)

test('suites are in the room that they are about, or in one of a few other folders', () => {
  const nouns = new Set([...floors['operations']!, ...otherSuites])
  const suites = globSync('test/*/**/*.test.ts')
  assert.deepEqual(
    suites.filter((file) => !nouns.has(basename(dirname(file)))),
    [],
  )
  assert.deepEqual(
    suites.filter((file) => basename(file).startsWith(`${basename(dirname(file))}-`)),
    [],
  )
})

test('imports are never circular', () => {
  const graph = new Map([...serverFiles, ...webFiles].map((file) => [file, ownImportsOf(file)]))
  const finished = new Set<string>()
  const circles: string[] = []
  const walk = (file: string, path: string[]) => {
    if (finished.has(file)) return
    const start = path.indexOf(file)
    if (start >= 0) return void circles.push([...path.slice(start), file].join(' → '))
    for (const target of graph.get(file) ?? []) walk(target, [...path, file])
    finished.add(file)
  }
  for (const file of graph.keys()) walk(file, [])
  assert.deepEqual(circles, [])
})

test('the web app imports itself, the rules of server/domain and assets', () => {
  const wrong = webFiles.flatMap((file) =>
    ownImportsOf(file)
      .filter((target) => !/^(web\/src|server\/domain|assets)\//.test(target))
      .map((target) => `${file} imports ${target}`),
  )
  assert.deepEqual(wrong, [])
})

test('the server reads only built files of the web app', () => {
  for (const file of serverFiles) assert.doesNotMatch(readFileSync(file, 'utf8'), /web\/(?!dist)\w/, file)
})

test('every library is imported in one place', () => {
  const wrong: string[] = []
  for (const file of serverFiles) {
    for (const target of importsOf(file)) {
      for (const [library, home] of Object.entries(homes)) {
        const uses = library.endsWith('/')
          ? target.startsWith(library)
          : target === library || target.startsWith(`${library}/`)
        if (uses && !home.test(relative('server', file))) wrong.push(`${file} imports ${target}`)
      }
      if (homeless.includes(target)) wrong.push(`${file} imports ${target}, which has no home`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('restricted calls are made only in their place', () => {
  const places: [string, RegExp, RegExp][] = [
    [
      'codes are resolved in services/reference/',
      /\b(find|list)\w+By(Former)?Code\b/,
      /^(services\/reference|store)\//,
    ],
    [
      'people are created in operations/people/create.ts',
      /\binsertPerson\b/,
      /^(operations\/people\/create\.ts|store\/)/,
    ],
    [
      'only these files have a statement per engine',
      /\bkind [!=]== '(?:sqlite|postgres)'/,
      /^(store\/(engine|migrations)\/|(store\/(flights\/new|history\/changes|instance\/(backup|inspect))|doctor\/doctor)\.ts$)/,
    ],
    ['accents are removed in domain/text/fold.ts', /\.normalize\(\s*['"`]NFK?D/, /^domain\/text\/fold\.ts$/],
  ]
  for (const [law, words, place] of places) {
    const users = [...serverFiles, ...webFiles, ...generators].filter((file) =>
      words.test(readFileSync(file, 'utf8')),
    )
    assert.ok(users.length > 0, law)
    assert.deepEqual(
      users.filter((file) => !place.test(relative('server', file))),
      [],
      law,
    )
  }
})

test('the domain uses no clock and no input or output', () => {
  for (const file of serverFiles.filter((name) => floorOf(name) === 'domain')) {
    assert.doesNotMatch(readFileSync(file, 'utf8'), /Date\.now\(|new Date\(\)|from 'node:/, file)
  }
})

test('ARCHITECTURE.md lists the floors and rooms in order, and names only existing files', () => {
  const page = readFileSync('ARCHITECTURE.md', 'utf8')
  const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)
  const rows = [...page.matchAll(/^\| `([^`]+)` \|.*\| ([^|]+) \|$/gm)]
  assert.deepEqual(
    rows.map(([, floor, inside]) => [floor, quoted(inside!)]),
    Object.entries(floors),
  )
  const nouns = [...page.matchAll(/^\| ((?:`[^|]+`)) \| [^|]+ \|$/gm)].flatMap((match) => quoted(match[1]!))
  const named = new Set(
    [...floors['operations']!, ...floors['store']!].filter((room) => nouns.includes(room)),
  )
  assert.deepEqual(
    nouns.filter((room) => !named.has(room)),
    [],
  )
  const paths = [...page.matchAll(/`((?:[\w-]+\/)*[\w.-]+(?:\/|\.(?:ts|js|txt|md)))`/g)].map(
    (match) => match[1]!,
  )
  const places = ['', 'server', 'server/store/engine', 'server/http', 'server/operations', 'server/store']
  const missing = paths.filter((path) => !places.some((place) => existsSync(join(place, path))))
  assert.deepEqual(missing, [])
  assert.ok(page.split('\n').length <= 76, 'it fits on one page')
})
