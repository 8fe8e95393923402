// Everything about a release that is not git: `npm run release -- prepare 1.1.0`, `address`, `check`, `notes` and `latest`. The changelog is
// written by hand in the form of keepachangelog.com; only its headings are read here. A person makes the tag.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addressOf, listDisagreeing, writeAddress } from './address.ts'

interface Release {
  /** The folder of the checkout. */
  root: string
  /** YYYY-MM-DD */
  today: string
  /** The tags of the commit that is checked out. */
  listTags(): string[]
}

/** What a command prints, and its exit code. */
interface Result {
  lines: string[]
  code: 0 | 1
}

interface Section {
  /** `Unreleased`, or a version. */
  name: string
  date?: string | undefined
  text: string
}

const UNRELEASED = 'Unreleased'
const versionPattern = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/
const said = (...lines: string[]): Result => ({ lines, code: 0 })
const refused = (...lines: string[]): Result => ({ lines, code: 1 })

export function release([command, ...words]: readonly string[], given: Release): Result {
  if (command === 'prepare') return prepare(words[0], given)
  if (command === 'address') return address(words[0], given)
  if (command === 'check') return check(given)
  if (command === 'notes') return withCurrent(given.root, ({ text }) => text)
  if (command === 'latest') return latest(given.root)
  return refused('usage: npm run release -- prepare VERSION | address OWNER/PROJECT | check | notes | latest')
}

/** Moves what is unreleased under the version and sets it wherever it is written. Runs nothing of git. */
function prepare(version: string | undefined, { root, today }: Release): Result {
  if (!version || !versionPattern.test(version)) return refused('name a version, such as 1.1.0')
  const changelog = read(root, 'CHANGELOG.md')
  const sections = sectionsOf(changelog)
  const unreleased = sections.find(({ name }) => name === UNRELEASED)
  if (sections.some(({ name }) => name === version)) return refused(`CHANGELOG.md has ${version} already`)
  if (!unreleased?.text) return refused('there is nothing under [Unreleased] in CHANGELOG.md')
  const heading = `## [${UNRELEASED}]`
  write(
    root,
    'CHANGELOG.md',
    changelog.replace(heading, () => `${heading}\n\n## [${version}] - ${today}`),
  )
  setVersion(root, 'package.json', version)
  setVersion(root, 'package-lock.json', version)
  const tag = `git tag --annotate v${version} --message "Contrail ${version}"`
  return said(`prepared ${version}: read the difference, commit it, then`, tag)
}

/** The first one or two are the program's own; those of packages follow. */
function setVersion(root: string, file: string, version: string): void {
  const before = JSON.parse(read(root, file)).version
  let left = file === 'package.json' ? 1 : 2
  const text = read(root, file).replaceAll(`"version": "${before}"`, (same) =>
    left-- > 0 ? `"version": "${version}"` : same,
  )
  write(root, file, text)
}

/** Sets where the project is public, wherever that is written. */
function address(name: string | undefined, { root }: Release): Result {
  const known = addressOf(`github:${name}`)
  if (!known) return refused('name the repository at GitHub, such as ada/contrail')
  const written = writeAddress(root, `github:${name}`).map((file) => `wrote ${file}`)
  return said(...written, `${known.image} is the image`)
}

/** One line per fault. */
function check({ root, listTags }: Release): Result {
  const { version, repository } = JSON.parse(read(root, 'package.json'))
  const lock = JSON.parse(read(root, 'package-lock.json'))
  const disagreeing = listDisagreeing(root, addressOf(repository))
  const tags = listTags().filter((tag) => tag.startsWith('v'))
  const sections = sectionsOf(read(root, 'CHANGELOG.md'))
  const [top, unreleased] = [
    sections.find(({ name }) => name !== UNRELEASED),
    sections.find(({ name }) => name === UNRELEASED),
  ]
  const faults = [
    repository.includes('OWNER') &&
      `package.json: repository says ${repository}; write the real owner in place of OWNER`,
    disagreeing.length > 0 &&
      `${disagreeing.join(', ')}: not the address of package.json; run npm run release -- address`,
    tags.length > 0 &&
      !tags.includes(`v${version}`) &&
      `the tag is ${tags.join(' and ')}, package.json says ${version}`,
    [lock.version, lock.packages[''].version].some((locked) => locked !== version) &&
      `package-lock.json says ${lock.version}, package.json says ${version}; run npm install`,
    top?.name !== version &&
      `the newest version in CHANGELOG.md is ${top?.name ?? 'missing'}, package.json says ${version}`,
    top && !top.text && `CHANGELOG.md says nothing about ${top.name}`,
    top && !top.date && `CHANGELOG.md has no date for ${top.name}`,
    unreleased?.text && `CHANGELOG.md has changes under [${UNRELEASED}]; run prepare`,
  ].filter((fault) => typeof fault === 'string' && fault !== '') as string[]
  return faults.length > 0 ? refused(...faults) : said(`${version} can be released`)
}

/** The document that instances read to learn of a newer version. */
function latest(root: string): Result {
  const docs = addressOf(JSON.parse(read(root, 'package.json')).repository)?.docs
  if (!docs) return refused('package.json names no repository; run npm run release -- address')
  return withCurrent(root, ({ name, date, text }) => {
    const security = /^### Security$/m.test(text)
    return JSON.stringify({ version: name, date, security, notes: `${docs}changelog#v${name}` })
  })
}

function withCurrent(root: string, print: (section: Section) => string): Result {
  const { version } = JSON.parse(read(root, 'package.json'))
  const section = sectionsOf(read(root, 'CHANGELOG.md')).find(({ name }) => name === version)
  return section?.text ? said(print(section)) : refused(`CHANGELOG.md says nothing about ${version}`)
}

/** In the order of the file, newest first. */
export const sectionsOf = (changelog: string): Section[] =>
  changelog
    .split(/^(?=## \[)/m)
    .slice(1)
    .map((part) => {
      const [heading = '', ...lines] = part.split('\n')
      const [, name = '', date] = /^## \[([^\]]+)\](?: - (\d{4}-\d\d-\d\d))?$/.exec(heading) ?? []
      return { name, date, text: lines.join('\n').trim() }
    })

const read = (root: string, file: string) => readFileSync(join(root, file), 'utf8')
const write = (root: string, file: string, text: string) => writeFileSync(join(root, file), text)

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const tagsOfCommit = ['-C', root, 'tag', '--points-at', 'HEAD']
  const { lines, code } = release(process.argv.slice(2), {
    root,
    today: new Date().toISOString().slice(0, 10),
    listTags: () => execFileSync('git', tagsOfCommit, { encoding: 'utf8' }).split('\n').filter(Boolean),
  })
  const stream = code === 0 ? process.stdout : process.stderr
  stream.write(`${lines.join('\n')}\n`)
  process.exitCode = code
}
